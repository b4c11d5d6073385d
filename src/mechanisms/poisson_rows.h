// Random samples of tables, and measurements of them.
#pragma once

#include "base/rational.h"
#include "calculus/sample.h"

namespace dither::mechanisms {

// Keeps each row of a table with probability `rate`, by a coin of its own; where distances count units, each unit with
// all its rows. Rows keep their order.
//
// Promise    coins are exact and independent; 8 bytes a coin, kept or not.
// Refuses    a rate outside [0, 1] (bad-probability).
// Spec       W-26.
calculus::Subsampler poisson_rows(const calculus::Metric& from, const Rational& rate);

// calculus::sample with these coins: the guarantee and the refusals are stated there.
calculus::AnyMeasurement make_sampled(const calculus::AnyMeasurement& measurement, const Rational& rate);

}  // namespace dither::mechanisms
