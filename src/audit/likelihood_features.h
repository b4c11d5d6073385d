// What an attacker looks at in an output.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audit/outputs.h"

namespace dither::audit {

struct Feature {
  std::string name;                                          // "number 1", "the largest number"
  Reading reading;                                           // a word's order means nothing
  std::function<double(std::span<const double> row)> value;  // NaN and absent as they are
};

// What outputs are compared by. `names` are those of the columns, of which the last `parts` are parts of texts.
//   columns    each for itself, and of each number the zeros at the end of its bits (T-52)
//   summaries  where several numbers are said: their sum, smallest, largest, where the largest stands, how many there are
//   relations  of any two of the first six columns that are said: whether they are equal; of two numbers their
//              difference, quotient, the fraction of their sum, and whether that is even; the order of the first six
//              numbers
std::vector<Feature> likelihood_features(const Shape& shape, std::size_t parts, const std::vector<std::string>& names);

// Any two of the first six columns that are said, the first one (how a run ended) included.
std::vector<std::pair<std::size_t, std::size_t>> column_pairs(const Shape& shape, std::size_t parts);

}  // namespace dither::audit
