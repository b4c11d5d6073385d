#include "engine/detail/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/utf8.h"

namespace dither::engine::detail {
namespace {

constexpr char kQuote = '"';
constexpr std::size_t kAnyColumns = SIZE_MAX;

}  // namespace

CsvReader::CsvReader(const std::string& path, char delimiter)
    : RecordReader(path), delimiter_(delimiter), scout_(path, delimiter, looked_at_) {
  read_header(path);
  damage_.cells.resize(header_.size());
}

void CsvReader::read_header(const std::string& path) {
  while (has_bytes(1) && (byte(at_) == '\n' || byte(at_) == '\r')) ++at_;
  const bool read = find_record(kAnyColumns) == Outcome::complete;
  if (!read || !is_utf8({data() + at_, after_ - at_})) {
    throw Error{Code::bad_source, fmt::format("{} has no first line that names its columns", echo(path)),
                "write the names of the columns into the first line, parted as the rows are"};
  }
  for (const Field& field : fields_) header_.emplace_back(unquoted(field));
  at_ = after_;
  if (std::set<std::string>(header_.begin(), header_.end()).size() == header_.size()) return;
  throw Error{Code::bad_source, fmt::format("two columns of {} have the same name", echo(path)),
              "give every column in the first line a name of its own"};
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  switch (find_record(header_.size())) {
    case Outcome::no_more:
      return false;
    case Outcome::complete:
      put_cells(cells);
      at_ = after_;
      return true;
    case Outcome::wrong_quotes:
      at_ = after_;
      skip_line();
      break;
    case Outcome::too_long:
      skip_record();
      break;
    default:
      at_ = after_;
  }
  put_damaged(cells);
  return true;
}

CsvReader::Outcome CsvReader::find_record(std::size_t columns) {
  for (;;) {
    if (ends_with_file(at_)) return Outcome::no_more;
    const Outcome outcome = parse(columns);
    if (outcome != Outcome::needs_more) return outcome;
    refill();
  }
}

CsvReader::Outcome CsvReader::parse(std::size_t columns) {
  cursor_ = at_;
  const Outcome outcome = fields(columns);
  looked_at_ += cursor_ - at_;
  return outcome;
}

// A record ends after its line feed; without one it ends with the file.
CsvReader::Outcome CsvReader::fields(std::size_t columns) {
  fields_.clear();
  const std::size_t limit = this->limit();
  for (;; ++cursor_) {
    Field field{cursor_, cursor_, false};
    if (cursor_ < limit && byte(cursor_) == kQuote) {
      const Outcome outcome = quoted(field);
      if (outcome == Outcome::wrong_quotes) after_ = field.begin;
      if (outcome != Outcome::complete) return outcome;
    } else {
      while (cursor_ < limit && byte(cursor_) != delimiter_ && byte(cursor_) != '\n') ++cursor_;
      field.end = cursor_;
      const bool returns = field.end > field.begin && byte(field.end - 1) == '\r';
      if (returns && cursor_ < limit && byte(cursor_) == '\n') --field.end;
    }
    const bool last = ends_with_file(cursor_);
    if (cursor_ == limit && !last) return at_limit();
    if (fields_.size() <= columns) fields_.push_back(field);
    if (last || byte(cursor_) == '\n') break;
  }
  after_ = std::min(cursor_ + 1, end_);
  return columns == kAnyColumns || fields_.size() == columns ? Outcome::complete : Outcome::other_width;
}

// From the opening quote to what follows the closing one: a delimiter, an end of line or the end of the file.
CsvReader::Outcome CsvReader::quoted(Field& field) {
  const std::size_t limit = this->limit();
  const bool whole_file = ends_with_file(limit);
  field.begin = ++cursor_;
  for (;;) {
    const void* found = std::memchr(data() + cursor_, kQuote, limit - cursor_);
    cursor_ = found == nullptr ? limit : static_cast<std::size_t>(static_cast<const char*>(found) - data()) + 1;
    if (found == nullptr && whole_file) return Outcome::wrong_quotes;
    if (cursor_ == limit && !whole_file) return at_limit();
    if (cursor_ == limit || byte(cursor_) != kQuote) break;
    field.doubled = true;
    ++cursor_;
  }
  field.end = cursor_ - 1;
  const std::string_view next(data() + cursor_, std::min<std::size_t>(2, limit - cursor_));
  if (next == "\r" && !whole_file) return at_limit();
  if (!ends_field(next, delimiter_)) return Outcome::wrong_quotes;
  if (next == "\r\n") ++cursor_;
  return Outcome::complete;
}

// The same again where the record does not fit into the buffer. Only has_bytes(1) may move places.
void CsvReader::skip_record() {
  while (has_bytes(1)) {
    if (byte(at_) == kQuote && !skip_quoted_field()) return;
    while (has_bytes(1) && byte(at_) != delimiter_ && byte(at_) != '\n') ++at_, ++looked_at_;
    if (has_bytes(1) && byte(at_++) == '\n') return;
  }
}

// An even number of quotes at its beginning opens and closes it; else its text begins after them.
bool CsvReader::skip_quoted_field() {
  bool open = false;
  while (has_bytes(1) && byte(at_) == kQuote) ++at_, ++looked_at_, open = !open;
  bool right = false;
  if (open) {
    const QuoteScout::Closing closing = scout_.closing(position(at_));
    right = closing.right;
    if (right) skip_to(closing.after);
  } else {
    has_bytes(2);
    right = ends_field({data() + at_, std::min<std::size_t>(2, end_ - at_)}, delimiter_);
  }
  if (!right) skip_line();
  return right;
}

void CsvReader::skip_to(std::uint64_t place) {
  while (has_bytes(1) && position(at_) < place) {
    at_ = static_cast<std::size_t>(std::min<std::uint64_t>(end_, at_ + (place - position(at_))));
  }
}

bool CsvReader::is_ascii() const {
  const std::string_view record(data() + at_, after_ - at_);
  return std::none_of(record.begin(), record.end(), [](char c) { return static_cast<signed char>(c) < 0; });
}

void CsvReader::put_cells(std::vector<std::string_view>& cells) {
  cells.clear();
  const bool ascii = is_ascii();
  for (const Field& field : fields_) {
    if (ascii || is_utf8({data() + field.begin, field.end - field.begin})) {
      cells.push_back(unquoted(field));
    } else {
      ++damage_.cells[cells.size()];
      cells.emplace_back();
    }
  }
}

// In place: the record is not parsed again.
std::string_view CsvReader::unquoted(const Field& field) {
  if (field.begin == field.end) return {};
  char* const begin = data() + field.begin;
  if (!field.doubled) return {begin, field.end - field.begin};
  char* to = begin;
  for (const char* from = begin; from < data() + field.end; ++from) {
    *to++ = *from;
    if (*from == kQuote) ++from;
  }
  return {begin, static_cast<std::size_t>(to - begin)};
}

}  // namespace dither::engine::detail
