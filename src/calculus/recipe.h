// How a transformation or measurement was made: enough to make it again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/rational.h"

namespace dither::calculus {

// A name ("chain", "discrete-laplace"), its parameters and the parts it is made of.
struct Recipe {
  using Value = std::variant<Rational, bool, std::string, std::vector<Rational>, std::vector<std::string>>;
  using Parameters = std::vector<std::pair<std::string, Value>>;

  std::string name;
  Parameters parameters = {};
  std::vector<std::shared_ptr<const Recipe>> parts = {};

  // The value of a parameter; missing-key, wrong-type.
  const Rational& number(std::string_view key) const;
  std::uint64_t count(std::string_view key) const;  // a whole number; bad-count
  const std::string& text(std::string_view key) const;
  bool truth(std::string_view key) const;
  const std::vector<Rational>& numbers(std::string_view key) const;
  const std::vector<std::string>& texts(std::string_view key) const;
  const Value* find(std::string_view key) const;  // null when it has none
};
bool operator==(const Recipe& a, const Recipe& b);

// JSON without spaces, keys in the order given, numbers as exact text such as "1/3", text as JSON strings. Text
// that is not UTF-8 is refused (bad-syntax): whoever puts canonical keys into a recipe writes them in hexadecimal.
std::string canonical_json(const Recipe& recipe);

// The reverse. Strict: only text that canonical_json writes; bad-syntax otherwise.
Recipe recipe_from_json(std::string_view text);

}  // namespace dither::calculus
