// How much likelier an output is under one input than under the other, learnt from runs of both.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/likelihood_features.h"
#include "audit/target.h"

namespace dither::audit {

// Scores for sets of outputs. Never NaN; any thread.
struct Score {
  std::function<double(std::span<const double> row)> value;
  std::function<std::string(double threshold)> describe;  // the outputs whose score is at least this, in words
};

// From runs of both inputs:
//   order        of each feature that is a number, its value: what is large is one-sided evidence;
//   histogram    of each feature, the log ratio of both counts in its bin: up to 200 values each for itself, more in 64
//                bins of equal counts; NaN, nothing, and each of the 10000 most frequent words for itself;
//   fine         of each feature with more than 200 values, the same of single values and of a few dozen neighbours each,
//                less the error of the ratio: for what is rare, or extreme;
//   both         of any two of the first six columns, the same of what both say together, in 16 bins each;
//   all columns  the sum of those ratios over the columns that are said;
//   whole rows   the log ratio of the counts of the very same output, where there are at most 5000 of them;
//   bits         of each number, the sum of the log ratios of its 64 bits (T-52); so are flags of texts.
// `names` are those of the columns.
std::vector<Score> likelihood_scores(const Target& target, const std::vector<std::string>& names, const Outputs& first,
                                     const Outputs& second);

}  // namespace dither::audit
