// Matrix mechanisms and tree counters: how far one record moves C x when it may take part several times.
//
// A release of C x + N(0, sigma^2 I) is Gaussian noise with mu = sensitivity / sigma, also when x is chosen adaptively
// (B-24). Functions return the squared sensitivity for rows of x with norm at most 1; scale it by the squared norm.
//
// Holds for  neighbours that differ in one record's contributions: added or removed, with norm 1 the largest norm of a
//            contribution; or replaced, with norm 1 the largest norm of the difference of two contributions.
// Spec       B-24.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rational.h"

namespace dither::accounting {

// At which steps one record may take part: at most `count` times, at least `separation` steps apart.
struct Participation {
  std::uint64_t count = 1;
  std::uint64_t separation = 1;
};

// Noisy sums of all dyadic blocks over `leaves` steps: a record enters ceil(log2 leaves) + 1 of them. Exact.
// Refuses    no leaves, or more than 10^12 (bad-count).
Rational tree_sensitivity_squared(std::uint64_t leaves);

// C is lower triangular, constant along its diagonals, with first column `coefficients` (the rest zero), `steps`
// square.
//
// Promise    an upper bound within 1e-9, and up to that rounding exact when the coefficients are >= 0 and do not grow,
//            when a record takes part once, or when columns that may meet do not overlap (separation >= number of
//            coefficients).
// Proof      For i < j the columns' product is the sum over s <= steps - 1 - j of c(s + j - i) c(s). When c is >= 0 and
//            does not grow this falls in j and in j - i, so of all patterns the earliest and closest, 0, b, 2b, ..., is
//            the worst, pair by pair. Otherwise c is replaced by the largest |c| from there on, which has that shape
//            and only makes products larger.
// Refuses    no steps or coefficients (bad-count); steps times participations above 10^8 (out-of-range); a
//            participation with count or separation 0 (bad-count).
double toeplitz_sensitivity_squared(const std::vector<Rational>& coefficients, std::uint64_t steps, Participation once);

// The square root of the prefix-sum matrix: coefficients binomial(2j, j) / 4^j. As above; for a single participation
// any number of steps up to 10^12, beyond 2^14 with the bound c(j)^2 <= 1 / (pi (j + 1/4)), loose by less than 1e-10.
double square_root_sensitivity_squared(std::uint64_t steps, Participation once);

// Any matrix, by rows.
//
// Promise    an upper bound on the largest sum of |column i . column j| over i, j in one pattern: exact for a single
//            participation, for columns that do not overlap, and for one pattern; otherwise the sum of each column's
//            worst partners over the worst pattern, found by dynamic programming.
// Refuses    rows of different length, no rows or more than 2000 columns (bad-count), entries that are not finite
//            (bad-number).
// Cost       columns^2 (rows + participations): milliseconds for 100 columns.
double matrix_sensitivity_squared(const std::vector<std::vector<double>>& rows, Participation once);

// A matrix with `bands` diagonals on batches drawn in turn from `bands` fixed parts of the data, each record of the
// current part by its own coin so that it takes part at `rate` on average: as private as ceil(steps / bands) releases
// of Gaussian noise at rate bands * rate, each with the largest column norm as sensitivity.
//
// Holds for  add-remove.
// Refuses    bands * rate > 1 (bad-probability), no steps or bands (bad-count).
struct CyclicPoisson {
  std::uint64_t releases;
  Rational rate;
};
CyclicPoisson cyclic_poisson(std::uint64_t steps, std::uint64_t bands, const Rational& rate);

}  // namespace dither::accounting
