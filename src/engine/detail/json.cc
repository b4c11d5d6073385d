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
    bool quoted = false;
    std::size_t depth = 0;
    std::size_t place = at_;
    for (; place < limit; ++place) {
      const char c = byte(place);
      if (!is_list_) {
        if (c == '\n') break;
      } else if (quoted) {
        if (c == '\\') ++place;
        quoted = c != '"';
      } else if (depth == 0 && (c == ',' || c == ']')) {
        break;
      } else {
        quoted = c == '"';
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (depth == 0 && c == '}') {
          ++place;
          break;
        }
      }
    }
    after_ = std::min(place, end_);
    if (place < limit || (limit == end_ && finished_)) return true;
    if (!may_grow()) return false;
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
    drop_line();
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
