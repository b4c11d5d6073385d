#include "engine/detail/json.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace dither::engine::detail {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::size_t kEnd = std::size_t{1} << 16;  // bytes that are read at a time to find the last character

bool has_lines(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path.ends_with(".ndjson") || path.ends_with(".jsonl");
}

// Of a file, spaces aside; of a long one that is not packed, if it is near the end.
char last_character(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (!path.ends_with(".gz") && size > kEnd) source->seek(size - kEnd);
  std::vector<char> buffer(kEnd);
  char last = '\0';
  while (const std::size_t got = source->read(buffer.data(), buffer.size())) {
    const std::string_view read(buffer.data(), got);
    const std::size_t at = read.find_last_not_of(kSpaces);
    if (at != std::string_view::npos) last = read[at];
  }
  return last;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(kSpaces) == std::string_view::npos; }

// Without the bracket that closes the list.
std::string_view without_bracket(std::string_view rest) {
  const std::size_t last = rest.find_last_not_of(kSpaces);
  return last != std::string_view::npos && rest[last] == ']' ? rest.substr(0, last) : rest;
}

// Finds the end of a member of a list, byte by byte: a comma where its quotes and brackets are closed. Where a quote is open at the end of
// a line the member is damaged, and what is a bracket in it is not known. It goes on to a line that begins with {, but for spaces,
// commas and brackets that close: another record begins there. So a record is one member whether it stands in one line or in several.
class Member {
 public:
  enum class Ends { not_yet, at_comma, at_open_quote, before_record };  // with the byte; before it

  Ends take(char c) {
    if (damaged_) return begins_record(c) ? Ends::before_record : Ends::not_yet;
    if (quoted_ && c == '\n') {
      damaged_ = true;
      return depth_ == 0 ? Ends::at_open_quote : Ends::not_yet;  // not in an object
    }
    if (escaped_) {
      escaped_ = false;
    } else if (quoted_) {
      escaped_ = c == '\\';
      quoted_ = c != '"';
    } else if (depth_ == 0 && c == ',') {
      return Ends::at_comma;
    } else {
      quoted_ = c == '"';
      if (c == '{' || c == '[') ++depth_;
      if ((c == '}' || c == ']') && depth_ > 0) --depth_;
    }
    return Ends::not_yet;
  }

  bool is_damaged() const { return damaged_; }

 private:
  bool begins_record(char c) {
    if (at_begin_ && c == '{') return true;
    at_begin_ = c == '\n' || (at_begin_ && std::string_view(" \t\r,}]").find(c) != std::string_view::npos);
    return false;
  }

  std::size_t depth_ = 0;
  bool quoted_ = false, escaped_ = false, damaged_ = false;
  bool at_begin_ = true;  // of a line; the first one that is looked at follows the open quote
};

}  // namespace

JsonReader::JsonReader(const std::string& path, const std::vector<std::string>& names)
    : RecordReader(path), path_(path), held_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
  damage_.cells.resize(names.size());
}

// Whatever the records are, and before the first of them is read.
void JsonReader::find_form() {
  begun_ = true;
  is_list_ = !has_lines(path_) && begins_with_bracket() && last_character(path_) == ']';
  if (!is_list_) return;
  while (byte(at_) != '[') ++at_;
  ++at_;
}

// After spaces that fit into the buffer.
bool JsonReader::begins_with_bracket() {
  has_bytes(1);
  const std::string_view begin(data() + at_, end_ - at_);
  const std::size_t first = begin.find_first_not_of(kSpaces);
  return first != std::string_view::npos && begin[first] == '[';
}

bool JsonReader::next_text(std::string_view& text) {
  if (!begun_) find_form();
  return is_list_ ? next_member(text) : next_line(text);
}

bool JsonReader::next_line(std::string_view& text) {
  std::size_t size = 0;  // of the line, as far as it is known
  if (!has_bytes(1)) return false;
  for (;;) {
    const char* const begin = data() + at_;
    const void* found = std::memchr(begin + size, '\n', limit() - at_ - size);
    const std::size_t before = size;
    size = found == nullptr ? limit() - at_ : static_cast<std::size_t>(static_cast<const char*>(found) - begin);
    looked_at_ += size - before;
    if (found != nullptr || ends_with_file(at_ + size)) {
      text = {begin, size};
      at_ += size + (found == nullptr ? 0 : 1);
      return true;
    }
    if (!may_grow()) break;
    refill();
  }
  text = {};
  skip_line();
  return true;
}

// What is empty is a member where commas say so: not before the end of an empty list, nor after one that an open quote ended.
bool JsonReader::next_member(std::string_view& text) {
  while (after_ != After::last) {
    const After before = after_;
    after_ = find_member(text);
    const bool parted = before == After::comma || (before == After::bracket && after_ == After::comma);
    if (text.data() == nullptr || parted || !is_blank(text)) return true;
  }
  return false;
}

JsonReader::After JsonReader::find_member(std::string_view& text) {
  Member member;
  std::size_t size = 0;
  bool too_long = false;
  for (;;) {
    for (; size < limit() - at_; ++looked_at_) {
      const Member::Ends ends = member.take(byte(at_ + size++));
      if (ends == Member::Ends::not_yet) continue;
      text = too_long || member.is_damaged() ? std::string_view() : std::string_view(data() + at_, size - 1);
      at_ += size - (ends == Member::Ends::before_record ? 1 : 0);
      return ends == Member::Ends::at_comma ? After::comma : After::cut;
    }
    if (ends_with_file(at_ + size)) {
      text = too_long || member.is_damaged() ? std::string_view() : without_bracket({data() + at_, size});
      at_ += size;
      return After::last;
    }
    if (!may_grow()) {
      too_long = true;
      at_ += size;
      size = 0;
    }
    refill();
  }
}

bool JsonReader::next(std::vector<std::string_view>& cells) {
  std::string_view text;
  if (!next_text(text)) return false;
  if (!put_cells(text, cells)) put_damaged(cells);
  return true;
}

bool JsonReader::put_cells(std::string_view text, std::vector<std::string_view>& cells) {
  cells.assign(held_.size(), {});
  unreadable_.assign(held_.size(), 0);
  const bool read = read_object(text, [&](std::string_view name, const JsonValue& value) {
    const auto place = places_.find(name);
    if (place == places_.end()) return;
    const std::size_t i = place->second;
    const auto cell = cell_of(value, held_[i]);
    cells[i] = cell.value_or(std::string_view());
    unreadable_[i] = !cell && value.kind != JsonKind::null && value.kind != JsonKind::nested;
  });
  if (!read) return false;
  for (std::size_t i = 0; i < unreadable_.size(); ++i) damage_.cells[i] += unreadable_[i];
  return true;
}

}  // namespace dither::engine::detail
