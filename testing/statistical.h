// Verdicts on samples, each with a certified false alarm: a right sampler fails with at most that probability, at every
// sample size, so that fresh seeds may be used in every run. Choose event, sample size and false alarm before drawing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/int128.h"

namespace dither::testing {

// How often `event` happens in n trials.
template <typename Event>
std::int64_t count(std::int64_t n, Event&& event) {
  std::int64_t hits = 0;
  for (std::int64_t i = 0; i < n; ++i) hits += event() ? 1 : 0;
  return hits;
}

// Whether `hits` of n independent trials fit the probability p: both exact binomial tails must exceed false_alarm / 2.
// False alarm: the rejected outcomes are two tails that each weigh at most false_alarm / 2; exact, no approximation.
// The p given must be right to about 1e-3 / n, which digits from the law's pmf give easily.
bool binomial_accepts(std::int64_t hits, std::int64_t n, double p, double false_alarm);

// Whether counts in cells fit their probabilities (which sum to 1; give the rest a cell). Any number of draws, no cell
// too small. Half of false_alarm goes to the whole: the divergence n KL(observed, expected) against its finite-sample
// bound (stats/multinomial.h), which holds for every law and n, unlike the chi-square approximation. The other half
// goes to the cells, an equal part each: exact binomial tails, which catch one bad cell among many.
bool chi_square_accepts(std::span<const std::int64_t> counts, std::span<const double> probabilities,
                        double false_alarm);

// Whether a sample (in any order) fits a cdf x -> P(X <= x): the largest distance of the two against Massart's bound
// 2 exp(-2 n d^2), certified for every law and n. The first form is for continuous laws, the second for laws on the
// integers; the third takes counts of ordered cells, such as a histogram of a law's values.
bool ks_accepts(std::vector<double> sample, const std::function<double(double)>& cdf, double false_alarm);
bool ks_accepts(std::vector<Int128> sample, const std::function<double(Int128)>& cdf, double false_alarm);
bool ks_accepts(std::span<const std::int64_t> counts, std::span<const double> probabilities, double false_alarm);

}  // namespace dither::testing
