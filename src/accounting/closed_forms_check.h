// What the tests of closed forms say about a number and its exact value, given to 25 digits or more.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "base/rational.h"

namespace dither::accounting {

// `up` is not below the value and at most a `relative` part above it.
inline void expect_just_above(double up, std::string_view value, double relative) {
  const Rational exact = Rational::parse(value);
  EXPECT_GE(Rational::from_double(up), exact) << up << " against " << value;
  EXPECT_LE(up, exact.to_double_up() * (1 + relative)) << value;
}

inline void expect_just_below(double down, std::string_view value, double relative) {
  const Rational exact = Rational::parse(value);
  EXPECT_LE(Rational::from_double(down), exact) << down << " against " << value;
  EXPECT_GE(down, exact.to_double_down() * (1 - relative)) << value;
}

// Agrees with a value of the specification, which is printed to some digits.
inline void expect_close(double got, double wanted, double relative = 1e-9) {
  EXPECT_NEAR(got, wanted, relative * std::fabs(wanted));
}

}  // namespace dither::accounting
