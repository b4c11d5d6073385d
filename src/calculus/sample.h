// Measurements of a random sample: amplification.
#pragma once

#include <functional>

#include "calculus/measurement.h"

namespace dither::calculus {

// Keeps each row (in units_added: each unit) by its own coin. What draws the coins lives where randomness may be drawn.
using Subsampler = std::function<Table(const Table&, random::Source&)>;

// The measurement of a Poisson sample of the table; which rows were sampled is not shown.
//
// Guarantee  at one step: pure and approximate: (ln(1 + rate (e^epsilon - 1)), rate delta), rounded up; concentrated,
//            renyi and gaussian: a Renyi curve. The event says that it was sampled, for accounting to do better.
// Holds if   `subsample` keeps each row with probability `rate`, all independently.
// Refuses    a rate outside [0, 1] (bad-probability); metrics other than symmetric, insert_delete and units_added, a domain with
//            a fixed number of rows, several events behind one sample in a measure other than pure and approximate,
//            distances of more than one step, for which no theorem holds after sampling (no-theorem).
AnyMeasurement sample(const AnyMeasurement& measurement, const Rational& rate, Subsampler subsample);

}  // namespace dither::calculus
