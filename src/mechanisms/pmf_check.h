// How tests judge noise on one integer: by its probabilities, summed the slow and obvious way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "calculus/measurement.h"
#include "random/source.h"
#include "testing/statistical.h"

namespace dither::mechanisms::check {

// P(noise = k), right to 1e-14 of itself.
using Pmf = std::function<double(Int128)>;

// The hockey-stick divergence at epsilon of the law and its shift, in the worse of the two orders. Nothing that counts
// lies beyond `reach`.
inline double hockey_stick(const Pmf& pmf, double epsilon, Int128 shift, Int128 reach) {
  double forth = 0;
  double back = 0;
  for (Int128 k = -reach; k <= reach + shift; ++k) {
    const double p = pmf(k - shift);
    const double q = pmf(k);
    forth += std::max(0.0, p - std::exp(epsilon) * q);
    back += std::max(0.0, q - std::exp(epsilon) * p);
  }
  return std::max(forth, back);
}

// P(|noise| <= r).
inline double mass_within(const Pmf& pmf, Int128 r) {
  double sum = 0;
  for (Int128 k = -r; k <= r; ++k) sum += pmf(k);
  return sum;
}

// The sum of f(k) P(k) over |k| <= reach.
inline double mean_of(const Pmf& pmf, int reach, const std::function<double(double)>& f) {
  double sum = 0;
  for (int k = -reach; k <= reach; ++k) sum += f(k) * pmf(k);
  return sum;
}

// Whether the bar of a measurement around 0 is symmetric, covers 95% by the law and no narrower one does.
inline bool bar_is_tight(const calculus::AnyMeasurement& measurement, const Pmf& pmf) {
  const auto bar = measurement.error(0);
  if (!bar || bar->low + bar->high != 0) return false;
  const Int128 r = bar->high.floor();
  return mass_within(pmf, r) >= 0.95 && (r == 0 || mass_within(pmf, r - 1) < 0.95);
}

// The number that comes out.
inline Int128 released_number(const calculus::AnyMeasurement& measurement, const calculus::Integers& exact,
                              random::Source& source) {
  const auto release = measurement.release(calculus::Private(exact), source);
  return calculus::as<calculus::Integers>(release.value()).at(0);
}

// Whether n draws fit the law: every value up to `reach` is a cell, the rest one more. False alarm at most 1e-9.
inline bool draws_fit(const std::function<Int128()>& draw, const Pmf& pmf, Int128 reach, std::int64_t n) {
  std::vector<double> p;
  double rest = 1;
  for (Int128 k = -reach; k <= reach; ++k) rest -= p.emplace_back(pmf(k));
  p.push_back(std::max(rest, 0.0));
  std::vector<std::int64_t> counts(p.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const Int128 k = draw();
    ++counts[k < -reach || k > reach ? counts.size() - 1 : static_cast<std::size_t>(k + reach)];
  }
  return testing::chi_square_accepts(counts, p, 1e-9);
}

}  // namespace dither::mechanisms::check
