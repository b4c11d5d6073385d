// What the tests of the lattice share: steps, and how bounds are held against a printed value.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "accounting/bounds.h"
#include "accounting/loss.h"

namespace dither::accounting {

using Direction = MixtureLoss::Direction;

// Gaussian noise after Poisson sampling, DP-SGD's step.
inline Step sampled_gaussian(double rate, double sigma, std::uint64_t times, Direction direction = Direction::remove) {
  return {MixtureLoss{1 / sigma, {1 - rate, rate}, direction}, std::nullopt, times};
}

// The worst (epsilon, delta)-DP release.
inline AtomLoss worst_case(double epsilon, double delta = 0) {
  return {{{-epsilon, (1 - delta) / (1 + std::exp(epsilon))}, {epsilon, (1 - delta) / (1 + std::exp(-epsilon))}},
          delta};
}

inline Step response(double epsilon, std::uint64_t times, double delta = 0) {
  return {worst_case(epsilon, delta), std::nullopt, times};
}

inline Step laplace(double epsilon, std::uint64_t times) { return {LaplaceLoss{epsilon}, std::nullopt, times}; }

// The bounds hold a value known to within `digits`, and are at most `width` apart.
inline void expect_holds(const Bounds& bounds, double value, double digits, double width) {
  EXPECT_LE(bounds.lower, value + digits);
  EXPECT_GE(bounds.upper, value - digits);
  EXPECT_LE(bounds.width(), width) << bounds.lower << " " << bounds.upper;
  EXPECT_LE(bounds.lower, bounds.upper);
}

}  // namespace dither::accounting
