// Random allocation (balls and bins): in one epoch of T steps each record takes part in one step, chosen on its own.
//
// The pair is P = (1/T) sum over t of N(e_t, sigma^2 I) and Q = N(0, sigma^2 I) in T dimensions: not a product, so it
// is accounted for by its Renyi divergences, epoch by epoch. Under Q the ratio of P to Q is the mean X of T independent
// lognormal numbers R = exp(w / sigma - 1 / (2 sigma^2)), each of mean 1.
//
// Holds for  add-remove and Gaussian noise of sigma in units of the largest norm of a contribution; steps may depend on
//            earlier outputs. It is not Poisson sampling at rate 1/T: in the add direction it costs more.
// Spec       B-17.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rational.h"

namespace dither::accounting {

class Allocation {
 public:
  // Refuses    sigma <= 0 or above 10^15 (bad-scale), no steps or more than 10^12 (bad-count).
  // Cost       about 20 ms, for the add direction.
  Allocation(const Rational& sigma, std::uint64_t steps);

  // Renyi divergences at an order > 1, rounded up. Orders are rounded up to whole numbers; above kMostOrder, and
  // whenever that is less, the cost without sampling, order / (2 sigma^2), is returned, which mixing cannot exceed.
  double remove_up(double order) const;
  double add_up(double order) const;

  static constexpr std::uint64_t kMostOrder = 256;

 private:
  double unsampled_up(double order) const;
  void prepare_add();

  Rational sigma_;
  std::uint64_t steps_;
  // E X^-b is the integral of z^(b-1) E exp(-z X) / Gamma(b); see allocation.cc.
  std::vector<double> z_;        // nodes up to kMiddle
  std::vector<double> excess_;   // E exp(-z X) e^z - 1 at the nodes, from above
  std::vector<double> far_z_;    // nodes beyond
  std::vector<double> far_log_;  // log of E exp(-z X) there, from above
};

}  // namespace dither::accounting
