#include "engine/detail/json.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace dither::engine::detail {
namespace {

using Json = nlohmann::json;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Notes the scalars of the outermost object.
class Scalars {
 public:
  using Found = std::function<void(const std::string&, JsonKind, std::string)>;
  explicit Scalars(const Found& found) : found_(found) {}

  bool is_object() const { return is_object_; }

  bool null() { return scalar(JsonKind::null, {}); }
  bool boolean(bool value) { return scalar(JsonKind::truth, value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) { return scalar(JsonKind::whole, std::to_string(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return scalar(JsonKind::whole, std::to_string(value)); }
  bool number_float(Json::number_float_t, const std::string& written) { return scalar(JsonKind::real, written); }
  bool string(std::string& value) { return scalar(JsonKind::text, std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) {
    is_object_ = is_object_ || depth_ == 0;
    return deeper();
  }
  bool start_array(std::size_t) { return depth_ > 0 && deeper(); }
  bool end_object() { return --depth_, true; }
  bool end_array() { return --depth_, true; }
  bool key(std::string& name) {
    if (depth_ == 1) name_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

 private:
  bool scalar(JsonKind kind, std::string value) {
    if (depth_ == 0) return false;
    if (depth_ == 1) found_(name_, kind, std::move(value));
    return true;
  }
  bool deeper() {
    if (depth_ == 1) found_(name_, JsonKind::nested, {});
    return ++depth_, true;
  }

  const Found& found_;
  std::size_t depth_ = 0;
  bool is_object_ = false;
  std::string name_;
};

// Finds the end of a member of a list, byte by byte.
class Member {
 public:
  enum class Ends { not_yet, before, behind };  // the byte

  Ends take(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (quoted_) {
      escaped_ = c == '\\';
      quoted_ = c != '"';
    } else if (depth_ == 0 && (c == ',' || c == ']')) {
      return Ends::before;
    } else if (c == '}' || c == ']') {
      if (depth_ > 0) --depth_;
      whole_ = depth_ == 0;
      return whole_ ? Ends::behind : Ends::not_yet;
    } else {
      quoted_ = c == '"';
      if (c == '{' || c == '[') ++depth_;
    }
    return Ends::not_yet;
  }
  bool whole() const { return whole_; }

 private:
  std::size_t depth_ = 0;
  bool quoted_ = false, escaped_ = false, whole_ = false;
};

}  // namespace

bool read_object(std::string_view text, const Scalars::Found& found) {
  Scalars scalars(found);
  return Json::sax_parse(text.begin(), text.end(), &scalars) && scalars.is_object();
}

JsonReader::JsonReader(const std::string& path, const std::vector<std::string>& names)
    : RecordReader(path), values_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
  if (!find_start() || byte(at_) != '[') return;
  is_list_ = true;
  ++at_;
}

// Spaces, and in a list what parts its members.
bool JsonReader::find_start() {
  for (;;) {
    while (at_ < end_ && (is_space(byte(at_)) || (is_list_ && (byte(at_) == ',' || byte(at_) == ']')))) ++at_;
    if (at_ < end_) return true;
    if (finished_) return false;
    refill();
  }
}

bool JsonReader::find_end() {
  for (;;) {
    const std::size_t limit = this->limit();
    Member member;
    std::size_t place = at_;
    while (place < limit) {
      if (!is_list_) {
        if (byte(place) == '\n') break;
        ++place;
        continue;
      }
      const Member::Ends ends = member.take(byte(place));
      if (ends == Member::Ends::before) break;
      ++place;
      if (ends == Member::Ends::behind) break;
    }
    // A member that ends with the last byte that it may have is whole.
    if (is_list_ && member.whole()) {
      after_ = place;
      return true;
    }
    after_ = std::min(place, end_);
    if (place < limit || (limit == end_ && finished_)) return true;
    if (!may_grow()) return false;
    refill();
  }
}

void JsonReader::drop_member() {
  count_dropped();
  Member member;
  for (;;) {
    while (at_ < end_) {
      const Member::Ends ends = member.take(byte(at_));
      if (ends == Member::Ends::before) return;
      ++at_;
      if (ends == Member::Ends::behind) return;
    }
    if (finished_) return;
    refill();
  }
}

bool JsonReader::next_text(std::string_view& text) {
  while (find_start()) {
    if (find_end()) {
      text = {data() + at_, after_ - at_};
      at_ = after_;
      return true;
    }
    if (is_list_) {
      drop_member();
    } else {
      drop_line();
    }
  }
  return false;
}

bool JsonReader::next(std::vector<std::string_view>& fields) {
  std::string_view text;
  while (next_text(text)) {
    fields.assign(values_.size(), {});
    const bool read = read_object(text, [&](const std::string& name, JsonKind kind, std::string value) {
      const auto place = places_.find(name);
      if (place == places_.end()) return;
      std::string& held = values_[place->second] = std::move(value);
      const bool missing = kind == JsonKind::null || kind == JsonKind::nested;
      fields[place->second] = missing ? std::string_view() : std::string_view(held.c_str(), held.size());
    });
    if (read) return true;
    count_dropped();
  }
  return false;
}

}  // namespace dither::engine::detail
