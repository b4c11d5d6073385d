// What random sampling does to Renyi curves: bounds for any mechanism, from its curve.
#pragma once

#include <cstdint>
#include <functional>

namespace dither::accounting {

// The curve of the mechanism before sampling: an upper bound at orders above 1, for *both* directions D(P||Q) and
// D(Q||P), which then also covers both directions after it: infinity where none is known.
using RenyiFunction = std::function<double(double order)>;

// Rates are probabilities (bad-probability), orders above 1 (out-of-range) and at most 10^6 where they are counted
// (bad-count). Results are rounded up.

// Poisson sampling, add/remove: each record independently with probability `rate`. Exact for the worst pair when the
// curve is. Cost: order evaluations of the curve.
double poisson_renyi_up(std::uint64_t order, double rate, const RenyiFunction& curve);
// The same for a real order, by the next whole one.
double poisson_renyi_ceil_up(double order, double rate, const RenyiFunction& curve);

// Poisson sampling from one or two values of the curve: for rate <= 1 - 1/e and omega >= order (A-57; no-theorem
// otherwise), and for every rate, best at large orders.
double poisson_renyi_analytic_up(double order, double rate, double at_two, double omega, double at_omega);
double poisson_renyi_large_order_up(double order, double rate, double at_order);
// A-57 for a rho-zCDP mechanism, omega chosen.
double poisson_renyi_analytic_zcdp_up(double order, double rate, double rho);

// What no sampling can beat: D(mix || Q) >= D(P || Q) - order / (order - 1) ln(1/rate). A sanity floor, rounded down
//
double poisson_renyi_floor_down(double order, double rate, double unsampled);

// rho-zCDP after Poisson sampling is (order, slope order)-Renyi for 1 < order < omega.
// Refuses    no-theorem unless rate <= 1/2, 0 < rho <= 1 and omega >= 3 + 2 ln(1/rho) / ln(1/rate).
struct TruncatedZcdp {
  double slope;
  double omega;
};
TruncatedZcdp poisson_truncated_zcdp(double rate, double rho);

// Batches of fixed size without replacement, replace-one: the triangle inequality through the dataset without the
// record, from the curves that Poisson sampling at this rate has at all real orders: of the dataset with the record
// from the one without it (remove) and of that from one with another record (add). The first will do for both.
//
double fixed_size_renyi_up(double order, const RenyiFunction& remove, const RenyiFunction& add);
// The same sampler from the unsampled curve under replace-one (Wang, Balle, Kasiviswanathan 2019, theorem 9; B-14).
// `largest` is the curve at infinity: pure epsilon, or infinity.
double without_replacement_renyi_up(std::uint64_t order, double rate, const RenyiFunction& curve, double largest);

}  // namespace dither::accounting
