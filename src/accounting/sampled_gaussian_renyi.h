// The Renyi curve of Gaussian noise on a Poisson sample, at every real order.
#pragma once

#include <memory>

namespace dither::accounting {

// The divergence of the mixture (1 - rate) N(0, 1) + rate N(mu, 1) from N(0, 1) (remove), or of N(0, 1) from it (add).
// The first is never smaller, so `remove` is a bound for add/remove neighbours. A value of this class is a
// RenyiFunction and is cheap to copy.
//
// Promise    an upper bound, within 1e-9 of the exact divergence, relative, for rates in [1e-9, 0.9], mu in [0.01, 3]
//            and orders in [1.01, 64]: by A-52 when removing at whole orders, by certified quadrature otherwise. Where
//            that would need too many points, overflows or cannot bound its error well, the bound for removing at the
//            next whole order or without sampling.
// Refuses    mu that is negative or not finite, a rate outside [0, 1].
// Cost       about 2 us an order up to 12, 10 us beyond; the default orders together under 1 ms.
// Proof      with w = mu y - mu^2/2, v = rate (e^w - 1), y ~ N(0, 1): the moment less 1 is E g(v),
//            g(v) = (1+v)^p - 1 - p v >= 0 with p = order or p = 1 - order, since E v = 0. The trapezoidal sum
//            in y with step h errs by at most 2 M / (e^(2 pi eta / h) - 1), M bounding the integral of |phi g| on the
//            lines Im y = +-eta (Trefethen and Weideman 2014, theorem 5.1). There |phi| grows by e^(eta^2/2),
//            |v| <= rate (1 + e^w), and with b = mu eta < pi, 1 + s v keeps off the negative axis: |1 + s v| lies
//            between (1 - rate) cos(b/2) and 1 + rate e^w. Taylor's formula turns that into M, a sum of Gaussian
//            moments. What lies beyond the last points is bounded by Gaussian tails, and each point carries its
//            rounding error.
class SampledGaussianRenyi {
 public:
  enum class Direction { remove, add };
  SampledGaussianRenyi(double mu, double rate, Direction direction = Direction::remove);
  double operator()(double order) const;

 private:
  struct Points;
  struct Result {
    double up;
    bool is_sharp;  // the errors bounded are a small part of it
  };
  Result quadrature(double order) const;

  double mu_;
  double rate_;
  Direction direction_;
  std::shared_ptr<const Points> points_;  // up to order 12; none when there would be too many
};

}  // namespace dither::accounting
