// Single numbers of an output, one of which may show what the whole hides.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/detail/search_runs.h"
#include "audit/outputs.h"
#include "audit/target.h"

namespace dither::audit::detail {

// A number, or a code whose order means nothing, that is computed from an output. NaN, absent cells and infinities are
// values like any other.
struct Summary {
  std::string name;  // for people: "output 2", "which output is largest"
  Reading reading = Reading::number;
  std::function<double(std::span<const double> row)> of;
  Words words = {};  // what codes stand for
};

// The outputs themselves (of more than kMostColumns those that tell most); of those that are numbers the largest, smallest and
// sum, where the largest stands and differences of neighbours; how many there are, what the whole is; and the score of a
// logistic classifier that was fitted to these runs.
std::vector<Summary> summaries(const Target& target, const Runs& runs);

constexpr std::size_t kMostColumns = 24;

}  // namespace dither::audit::detail
