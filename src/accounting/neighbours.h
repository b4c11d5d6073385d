// Whom a guarantee protects: which datasets count as neighbours, and what one of their records is.
#pragma once

#include <string>
#include <string_view>

namespace dither::accounting {

// When two datasets are neighbours. A guarantee holds for one relation, and guarantees of different relations do not
// mix; relations.h has the two proven ways from one to another.
enum class Neighbours {
  add_remove,   // one has one unit more than the other
  replace_one,  // they differ in one unit, and have the same number of units
  both,         // either of these
};

// "add-remove", "replace-one", "both".
std::string_view neighbours_name(Neighbours neighbours);
// The reverse; unknown-neighbours for other words.
Neighbours neighbours_from(std::string_view name);

// Whom one record stands for: "person", "visit", "household and month".
struct PrivacyUnit {
  std::string name;
  friend bool operator==(const PrivacyUnit&, const PrivacyUnit&) = default;
};

}  // namespace dither::accounting
