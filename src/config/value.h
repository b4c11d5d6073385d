// What a file says: a tree of values, each of which knows where it stands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/rational.h"

namespace dither::config {

enum class Kind { null, boolean, number, text, list, map };

// Both count from 1; columns count characters, not bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct Entry;  // one key of a map, below

// A value and its place in the file. The accessors give what the file holds or throw wrong-type at that place; `what`
// names the value in the message, such as "\"sigma\"" or "a weight".
class Value {
 public:
  struct Number {
    std::string written;  // exact: kept as in the file, read as a Rational when asked for
  };
  using Content = std::variant<std::monostate, bool, Number, std::string, std::vector<Value>, std::vector<Entry>>;

  Value(Content content, Position position, std::shared_ptr<const std::string> file);

  Kind kind() const { return static_cast<Kind>(content_.index()); }
  Position position() const { return position_; }

  // The place as messages begin: "events.yaml:3:12".
  std::string where() const { return where(position_); }
  std::string where(Position position) const;  // another place in the same file

  bool boolean(std::string_view what) const;

  // The number exactly as written: 0.1 is 1/10. Also takes text of the form "1/3" (whole numbers around one slash),
  // since neither YAML nor JSON has another way to write such a number exactly.
  Rational number(std::string_view what) const;

  // A number that is whole and fits: 10000 and 1e4 are the same. wrong-type for 1.5 and -1, out-of-range from 2^64 on.
  std::uint64_t whole(std::string_view what) const;

  const std::string& text(std::string_view what) const;
  const std::vector<Value>& list(std::string_view what) const;
  const std::vector<Entry>& map(std::string_view what) const;  // in the order of the file, no key twice

  // The value of a key, or nullptr when there is none or this is no map.
  const Value* find(std::string_view key) const;

  // A number or text as it stands in the file (without quotes and escapes); empty for other kinds.
  std::string_view written() const;

 private:
  [[noreturn]] void wrong_type(std::string_view what, std::string_view needed, const std::string& hint) const;

  Content content_;
  Position position_;
  std::shared_ptr<const std::string> file_;
};

struct Entry {
  std::string key;
  Position position;  // of the key
  Value value;
};

// An error about a value or about a key: the message begins with its place.
Error error_at(const Value& value, Code code, const std::string& message, const std::string& hint);
Error error_at(const Entry& key, Code code, const std::string& message, const std::string& hint);

}  // namespace dither::config
