// A sampler against the law that it should have.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "audit/effort.h"
#include "audit/report.h"

namespace dither::random {
class Source;
}

namespace dither::audit {

// Whole numbers that are drawn, and how likely each should be. What has no order (a permutation, a pair) is numbered.
struct SampledLaw {
  std::string name;
  std::int64_t low = 0, high = 0;  // outcomes that are looked at one by one; the rest is one more
  std::function<double(std::int64_t outcome)> probability;                        // right to 1e-12
  std::function<void(std::span<std::int64_t> out, random::Source& source)> fill;  // independent draws; any thread
};

// Draws effort.certify outcomes and compares their histogram with the law, in three ways:
//   each cell    exact binomial tails, both sides of every cell;
//   together     the relative entropy of the histogram (stats/multinomial.h), which sees many small deviations;
//   l2           the Euclidean distance of the histogram from the law (T-49's closeness test).
//
// False alarm  at most effort.false_alarm: a third for each way. Cells share theirs by the union bound; the entropy's
//              bound is certified for every n. l2: of n draws, the squared distance has mean (1 - |p|^2) / n, so the
//              distance has a mean of at most its root; another value of one draw moves it by at most sqrt(2) / n, so
//              by McDiarmid it exceeds that mean by t with probability at most exp(-n t^2).
// The rest     has the probability that the others leave and 1e-11 more: the error of their sum, which alone refutes nobody.
// Says nothing about dependence between draws, unless the outcome is made of several draws.
// Report       `promised` and `lower_bound` are 0; the witness is the cell that is furthest off.
// Throws       Cancelled.
Report check_law(const SampledLaw& law, const Effort& effort);

}  // namespace dither::audit
