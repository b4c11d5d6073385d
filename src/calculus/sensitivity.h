// How far a function can move, by trying everything: the oracle for sensitivities that are declared.
//
// Slow and exact, for small universes: tests hold maps and constants against it, and a person can ask it what the
// sensitivity of a query of one's own is. Knows no private data.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "accounting/neighbours.h"
#include "base/rational.h"
#include "calculus/metric.h"

namespace dither::calculus {

// All tables (as multisets) of at least `least_rows` and at most `most_rows` rows, each out of `rows`.
struct SmallUniverse {
  std::vector<Row> rows;
  std::size_t least_rows = 0;
  std::size_t most_rows = 3;
};

using Vector = std::vector<Rational>;
using ExactFunction = std::function<Vector(const Table&)>;  // the same dimension for every table

// Refuses more than 100,000 tables (bad-count).
std::vector<Table> all_tables(const SmallUniverse& universe);

// The largest distances of f over all neighbours, norm by norm: Delta_1, the square of Delta_2, Delta_inf. Spec F-35 to
// F-37.
struct Sensitivity {
  Rational l1, l2_squared, linf;
};
Sensitivity global_sensitivity(const SmallUniverse& universe, accounting::Neighbours neighbours,
                               const ExactFunction& f);

// A finite metric space: points 0 .. size() - 1.
class FiniteSpace {
 public:
  // Refuses what is no metric: not square, not symmetric, a distance that is not positive between two points or not 0
  // from a point to itself, a triangle that does not close (bad-distance).
  explicit FiniteSpace(std::vector<std::vector<Rational>> distances);
  // The tables of a universe, in the order of all_tables. Refuses tables that no number of steps connects
  // (bad-distance): in change-one all must have the same size.
  FiniteSpace(const SmallUniverse& universe, const Metric& metric);

  std::size_t size() const { return distances_.size(); }
  const Rational& operator()(std::size_t x, std::size_t y) const { return distances_[x][y]; }

 private:
  std::vector<std::vector<Rational>> distances_;
};

// Of f with these values at the points, distances of values in l1 (of single numbers: |.|). Refuse another number of
// values than points (bad-count).
Rational lipschitz(const FiniteSpace& space, std::span<const Vector> values);                    // kappa: F-38
Rational lipschitz_at(const FiniteSpace& space, std::span<const Vector> values, std::size_t x);  // kappa(x): F-40
Rational local_sensitivity_at(const FiniteSpace& space, std::span<const Vector> values,
                              std::size_t x);  // one step away
// max over y of LS(y) e^(-beta d(x, y)), rounded up: the least beta-smooth bound on LS. F-40, R-46.
double smooth_sensitivity_up(const FiniteSpace& space, std::span<const Vector> values, std::size_t x, double beta);

// Of scores: the largest Lipschitz constant over the candidates, scores[candidate][point]. F-39.
Rational score_sensitivity(const FiniteSpace& space, std::span<const Vector> scores);

}  // namespace dither::calculus
