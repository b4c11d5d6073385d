// Renyi DP: curves that add, and what they mean as (epsilon, delta).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "accounting/failure.h"
#include "base/rational.h"

namespace dither::accounting {

// A bound on the Renyi divergence at one order.
struct OrderBound {
  double order;
  double epsilon;
  bool operator==(const OrderBound&) const = default;
};

// The composed curve: an upper bound on the Renyi divergence of everything released, in both directions, at every real
// order above 1; infinity where none is known. Terms add order by order, also when they are chosen adaptively.
// Refuses    negative or non-finite parameters, delta outside [0, 1], tables without orders above 1 (bad-weights).
// Spec      , B-30.
class RenyiCurve {
 public:
  // Valid at every order above 1; infinity or NaN means that nothing is known there.
  using Bound = std::function<double(double order)>;

  // A delta-approximate curve: the bound holds but for an event of probability delta.
  RenyiCurve& add(Bound bound, std::uint64_t times = 1, double delta = 0);
  // rho * order (zCDP); the sum of rho is exact.
  RenyiCurve& add_zcdp(const Rational& rho, std::uint64_t times = 1, double delta = 0);
  // rho * order below omega, nothing from there on (truncated concentrated DP, A-72).
  RenyiCurve& add_truncated_zcdp(const Rational& rho, double omega, std::uint64_t times = 1, double delta = 0);
  // Bounds at some orders. Divergence grows with the order, so in between the next one above holds.
  RenyiCurve& add_table(std::vector<OrderBound> table, std::uint64_t times = 1, double delta = 0);

  // The bound at an order > 1, rounded up.
  double at(double order) const;
  // The probability that the curve does not hold, rounded up.
  double failure() const { return failure_.up(); }

 private:
  struct Term {
    Bound bound;
    double times;
  };
  Rational rho_;
  std::vector<Term> terms_;
  FailureProbability failure_;
};

// 1.1 to 11 by 0.1, 12 to 63, 64, 128, 256, 512, 1024.
std::span<const double> default_orders();

// A converted bound and the order that gave it: 1 stands for the rule by the Kullback-Leibler divergence, 0 for none.
struct RenyiBound {
  double value;
  double order;
};

// The best epsilon for delta, over the orders given, or over the default orders and then real ones around the best.
//
// Promise    valid by A-51 at the order named: epsilon = D + ln(1 - 1/order) + (ln(1/delta) - ln order) / (order - 1),
//            rounded up and never negative; or 0 by B-12, when total variation <= delta. Infinite when nothing is
//            known.
// Cost       an evaluation of the curve at each order, and 30 more when refined.
RenyiBound renyi_epsilon_up(const RenyiCurve& curve, double delta);
RenyiBound renyi_epsilon_up(const RenyiCurve& curve, double delta, std::span<const double> orders);
// The best delta for epsilon, likewise.
RenyiBound renyi_delta_up(const RenyiCurve& curve, double epsilon);
RenyiBound renyi_delta_up(const RenyiCurve& curve, double epsilon, std::span<const double> orders);
// The older conversion epsilon = D + ln(1/delta) / (order - 1), never better: for comparison with other reports.
RenyiBound renyi_epsilon_classic_up(const RenyiCurve& curve, double delta, std::span<const double> orders);

// Total variation, delta at epsilon 0, from the Kullback-Leibler divergence: sqrt(1 - e^-kl) (Bretagnolle and Huber)
// and sqrt(kl / 2) (Pinsker). (B-12)
double bretagnolle_huber_up(double kl);
double pinsker_up(double kl);

}  // namespace dither::accounting
