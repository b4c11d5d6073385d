// What an attacker looks at in an output.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/outputs.h"

namespace dither::audit {

struct Feature {
  std::string name;                                          // "number 1", "the largest number"
  Reading reading;                                           // a word's order means nothing
  std::function<double(std::span<const double> row)> value;  // NaN and absent as they are
};

// The columns; where there are several numbers also their sum, smallest, largest, where the largest stands, how many there
// are, and the differences of any two of the first six; and of each number the zeros at the end of its bits (T-52).
// `names` are those of the columns.
std::vector<Feature> likelihood_features(const Shape& shape, const std::vector<std::string>& names);

}  // namespace dither::audit
