// How the price of a statement is split over the numbers it releases.
#pragma once

#include <optional>
#include <vector>

#include "base/rational.h"
#include "sql/detail/measures.h"

namespace dither::sql::detail {

// What the noise of one number weighs in the error of the whole statement: the sum over the columns of the answer of (how much
// the column moves with the number / magnitude of the column)^2, the number counted in its own steps. Columns are put in
// proportion to what they are expected to be, from the declared bounds [L, U] of their values, h = (U - L) / 2:
//
//   COUNT     moves by 1           magnitude n
//   SUM       by 1                 n t, t = max(|L|, |U|) / 2
//   AVG       by 1/n with the sum, by q/n with the count; magnitude t; q^2 = h^2 / 3, the mean square distance from the middle
//   VAR       by 1/n with the squares, 2q/n with the sum, (h^2/2 - q^2)/n with the count; magnitude q^2
//   STDDEV    half of that relative to its magnitude q
//
// The number of rows n divides out. Spec D-83.
std::vector<double> weights(const Counting& counting);

// Parts of 1, in the order of the numbers. With weights w and sensitivities D: pure, in proportion to (w D^2)^(1/3);
// Gaussian, to sqrt(w) D, for which the weighted sum of variances is least (D-83). Without weights all are equal, which
// is the same rule when each number is measured by what one unit can move. They add up to 1 exactly; each but the
// largest is a multiple of 10^-12.
enum class Losses { epsilon, rho };
std::vector<Rational> shares(const std::optional<std::vector<double>>& weights,
                             const std::vector<double>& sensitivities, Losses losses);

// The values behind a measure, in the unit of the answer: t, h and q^2 of the rule above.
struct Spread {
  double typical, half, square;
};
Spread spread_of(const plan::Measure& measure);

// What one step of a measure is worth in the answer: 1, step, step / 2, step^2 / 8; of a scaled one 2^finer times less.
Rational unit_of(const plan::Measure& measure);

}  // namespace dither::sql::detail
