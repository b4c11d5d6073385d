// For tests and fuzzing: trees compared, and written as JSON.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "config/value.h"

namespace dither::config {

// Equal but for the places.
inline bool same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return a.boolean("a") == b.boolean("b");
    case Kind::number:
      return a.number("a") == b.number("b");
    case Kind::text:
      return a.text("a") == b.text("b");
    case Kind::list:
      return std::equal(a.list("a").begin(), a.list("a").end(), b.list("b").begin(), b.list("b").end(), same);
    case Kind::map:
      return std::equal(a.map("a").begin(), a.map("a").end(), b.map("b").begin(), b.map("b").end(),
                        [](const Entry& x, const Entry& y) { return x.key == y.key && same(x.value, y.value); });
  }
  return false;
}

// In double quotes; what lies beyond 16 bits as a pair of surrogates, what cannot stand in a file as an escape.
inline std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (; !text.empty(); text.remove_prefix(first_character(text).bytes)) {
    const Character c = first_character(text);
    const auto code = static_cast<unsigned>(c.code);
    const bool special = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
                         code == 0xFEFF || (code & 0xFFFE) == 0xFFFE || code == '"' || code == '\\';
    if (code > 0xFFFF)
      result += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF));
    else if (special)
      result += fmt::format("\\u{:04x}", code);
    else
      result += text.substr(0, c.bytes);
  }
  return result + '"';
}

inline std::string as_json(const Value& value) {
  std::string result;
  switch (value.kind()) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean("value") ? "true" : "false";
    case Kind::number:
      return std::string(value.written());
    case Kind::text:
      return json_text(value.text("value"));
    case Kind::list:
      for (const Value& item : value.list("value")) result += (result.empty() ? "" : ",") + as_json(item);
      return '[' + result + ']';
    case Kind::map:
      for (const Entry& entry : value.map("value")) {
        result += (result.empty() ? "" : ",") + json_text(entry.key) + ":" + as_json(entry.value);
      }
      return '{' + result + '}';
  }
  return result;
}

}  // namespace dither::config
