#include "engine/detail/json_object.h"

#include <algorithm>
#include <cstdint>

#include "engine/detail/utf8.h"

namespace dither::engine::detail {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// One text, from the left to the right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  void spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // So many digits at least.
  bool digits(std::size_t least) {
    const std::size_t begin = at_;
    while (is_digit(next())) ++at_;
    return at_ - begin >= least;
  }

  // Between quotes, the first of which is next.
  std::optional<std::string_view> quoted() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_end()) return std::nullopt;
    return text_.substr(begin, at_++ - begin);
  }

  // Past the list or object that is next; false where it does not end.
  bool nested() {
    std::size_t depth = 0;
    do {
      const char c = next();
      if (c == '"') {
        if (!quoted()) return false;
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= c == '}' || c == ']' ? 1 : 0;
      ++at_;
    } while (depth > 0 && !at_end());
    return depth == 0;
  }

  // Up to a comma or a brace, without spaces at its end.
  std::string_view word() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(",}", at_), text_.size());
    std::size_t end = at_;
    while (end > begin && is_space(text_[end - 1])) --end;
    return text_.substr(begin, end - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_number(std::string_view text) {
  Scanner scan(text);
  scan.take('-');
  if (!scan.take('0') && !scan.digits(1)) return false;
  if (scan.take('.') && !scan.digits(1)) return false;
  if (scan.take('e') || scan.take('E')) {
    if (!scan.take('+')) scan.take('-');
    if (!scan.digits(1)) return false;
  }
  return scan.at_end();
}

JsonKind kind_of(std::string_view word) {
  if (is_number(word)) return JsonKind::number;
  if (word == "true" || word == "false") return JsonKind::truth;
  return word == "null" ? JsonKind::null : JsonKind::unreadable;
}

std::optional<JsonValue> value(Scanner& scan) {
  if (scan.next() == '"') {
    const auto text = scan.quoted();
    return text ? std::optional(JsonValue{JsonKind::text, *text}) : std::nullopt;
  }
  if (scan.next() == '{' || scan.next() == '[') {
    return scan.nested() ? std::optional(JsonValue{JsonKind::nested, {}}) : std::nullopt;
  }
  const std::string_view word = scan.word();
  return JsonValue{kind_of(word), word};
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char low = static_cast<char>(c | 32);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

// Of the four digits at the beginning.
std::optional<std::uint32_t> code_unit(std::string_view text) {
  std::uint32_t unit = 0;
  if (text.size() < 4) return std::nullopt;
  for (const char c : text.substr(0, 4)) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    unit = unit << 4 | static_cast<std::uint32_t>(digit);
  }
  return unit;
}

void put_utf8(std::uint32_t code, std::string& to) {
  const auto rest = [&](unsigned shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    to += static_cast<char>(code);
    return;
  }
  if (code < 0x800) {
    to += static_cast<char>(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      to += static_cast<char>(0xE0 | code >> 12);
    } else {
      to += static_cast<char>(0xF0 | code >> 18);
      rest(12);
    }
    rest(6);
  }
  rest(0);
}

// The character of \uXXXX, or of two of them, that `left` goes on with after "\u".
bool put_escaped(std::string_view& left, std::string& to) {
  const auto first = code_unit(left);
  if (!first) return false;
  left.remove_prefix(4);
  std::uint32_t code = *first;
  if (code >= 0xDC00 && code < 0xE000) return false;
  if (code >= 0xD800 && code < 0xDC00) {
    const auto second = left.starts_with("\\u") ? code_unit(left.substr(2)) : std::nullopt;
    if (!second || *second < 0xDC00 || *second >= 0xE000) return false;
    left.remove_prefix(6);
    code = 0x10000 + ((code & 0x3FF) << 10 | (*second & 0x3FF));
  }
  put_utf8(code, to);
  return true;
}

// What `left` goes on with after a backslash.
bool put_escape(std::string_view& left, std::string& to) {
  if (left.empty()) return false;
  constexpr std::string_view kWritten = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  const char c = left.front();
  left.remove_prefix(1);
  if (c == 'u') return put_escaped(left, to);
  const std::size_t at = kWritten.find(c);
  if (at == std::string_view::npos) return false;
  to += kMeant[at];
  return true;
}

// What stands between quotes.
std::optional<std::string_view> unescaped(std::string_view written, std::string& held) {
  bool plain = true, ascii = true;
  for (const char c : written) {
    if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
    plain = plain && c != '\\';
    ascii = ascii && static_cast<signed char>(c) >= 0;
  }
  if (!ascii && !is_utf8(written)) return std::nullopt;
  if (plain) return written;
  held.clear();
  while (!written.empty()) {
    const std::size_t end = std::min(written.find('\\'), written.size());
    held += written.substr(0, end);
    written.remove_prefix(end);
    if (written.empty()) break;
    written.remove_prefix(1);
    if (!put_escape(written, held)) return std::nullopt;
  }
  return held;
}

// The name and its value that are next; false where there are none.
template <class Found>
bool pair(Scanner& scan, std::string& held, const Found& found) {
  scan.spaces();
  const auto name = scan.quoted();
  if (!name) return false;
  scan.spaces();
  if (!scan.take(':')) return false;
  scan.spaces();
  const auto read = value(scan);
  if (!read) return false;
  if (const auto plain = unescaped(*name, held)) found(*plain, *read);
  scan.spaces();
  return true;
}

}  // namespace

bool read_object(std::string_view text, const std::function<void(std::string_view, const JsonValue&)>& found) {
  Scanner scan(text);
  std::string held;
  scan.spaces();
  if (!scan.take('{')) return false;
  scan.spaces();
  if (!scan.take('}')) {
    do {
      if (!pair(scan, held, found)) return false;
    } while (scan.take(','));
    if (!scan.take('}')) return false;
  }
  scan.spaces();
  return scan.at_end();
}

std::optional<std::string_view> cell_of(const JsonValue& value, std::string& held) {
  if (value.kind == JsonKind::text) return unescaped(value.written, held);
  const bool is_cell = value.kind == JsonKind::number || value.kind == JsonKind::truth;
  return is_cell ? std::optional(value.written) : std::nullopt;
}

}  // namespace dither::engine::detail
