// Single numbers of an output, one of which may show what the whole hides.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/outputs.h"

namespace dither::audit::detail {

// A number that is computed from an output. NaN, absent cells and infinities are values like any other.
struct Summary {
  std::string name;  // for people: "output 2", "which output is largest"
  std::function<double(std::span<const double> row)> of;
};

// The outputs themselves, their largest, smallest and sum, where the largest stands, differences of neighbours, how many
// there are, what the whole is; and the score of a logistic classifier that was fitted to these runs.
std::vector<Summary> summaries(const Shape& shape, const Outputs& first, const Outputs& second);

}  // namespace dither::audit::detail
