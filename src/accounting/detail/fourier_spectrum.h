// The curve delta(epsilon) of a composition from its transform at finitely many frequencies, with every error bounded.
#pragma once

#include <cstddef>
#include <vector>

#include "accounting/bounds.h"
#include "accounting/detail/fourier_factor.h"

namespace dither::accounting::detail {

// The finite part of a composition in one direction. All Gaussian steps are one, of mu^2 = `gaussian_square`, trusted
// to 2^-48 relative.
struct Group {
  Loss loss;  // not Gaussian
  double times;
};
struct Composition {
  std::vector<Group> groups;
  double gaussian_square = 0;
};

// ln E[e^(theta Z)] of the composition.
Bounds total_log_moment(const Composition& composition, double theta);

// An order of the moment and an upper bound of its logarithm, for tails.
struct Order {
  double theta;
  double log_moment;
};

// D(epsilon) <= e^(this - theta epsilon), for the finite part D of delta.
double log_chernoff(const Order& order);

// Bounds of |product of the phi^times| beyond the frequencies that are summed: e^log_bound[i] on
// [edge[i], edge[i+1]], the last without end. The Gaussian factor is not in them.
struct Decay {
  std::vector<double> edge;
  std::vector<double> log_bound;
};

struct Grid {
  double theta;
  double spacing;  // few bits, so that its multiples are exact
  std::size_t blocks;
  double smoothing;  // s, at most 0.3; 0 for none
};

// Sum over all frequencies from u on, of |terms| of the two sums below, divided by e^(ln M(theta) - theta epsilon).
struct FrequencyTail {
  double curve;
  double density;
};
FrequencyTail frequency_tail(const Decay& decay, const Grid& grid, double gaussian_square, double u);

// What the bounds at one epsilon are made of.
struct CurveParts {
  double sum;          // of the frequencies, for the smoothed loss
  double sum_error;    // of it: rounding, quadrature, parameters and frequencies left out
  double alias_below;  // at most what the copies at epsilon - L, - 2L, ... add to the sum
  double alias_above;  // and those at epsilon + L, ...
  double smoothing;    // at most what smoothing adds
  Bounds bounds() const;
};

// D(epsilon) = E[(1 - e^(epsilon - Z))+; Z finite], for any real epsilon.
//
// Let M(t) = E[e^(t Z); Z finite], t = theta + i u, theta > 0. The Laplace transform of (1 - e^-x)+ is 1 / (t (t + 1)),
// so e^(theta x) D(x) is integrable with Fourier transform M(t) / (t (t + 1)) of order 1 / u^2, and Poisson's summation
// formula says, with L = 2 pi / spacing,
//     (spacing / 2 pi) sum over k of M(t_k) e^(-t_k epsilon) / (t_k (t_k + 1))
//         = sum over m of e^(theta m L) D(epsilon + m L).
// (1) Aliases. Every term on the right is >= 0, so the sum bounds D from above. For the bound below, D <= 1 gives
//     e^(-theta L) / (1 - e^(-theta L)) for m < 0, and D(x) <= c(o) M(o) e^(-o x), c(o) = o^o / (o + 1)^(o + 1), with
//     o > theta gives c(o) M(o) e^(-o epsilon) / (e^((o - theta) L) - 1) for m > 0; evaluated at the epsilon asked for.
// (2) Frequencies left out. |M(theta + i u)| / M(theta) = product of |phi_j|^times, bounded on ranges
//     (fourier_decay.cc).
// (3) Smoothing, for losses whose phi does not fall: compose with one more Gaussian mechanism of mu = s, whose loss is
//     W ~ N(s^2/2, s^2). Dropping its output gives back the original, so the curve can only grow. For one value
//     y = z - epsilon the growth is, with m = (1 - Phi) / phi the Mills ratio and a = |y| / s + s / 2, b = a - s,
//         phi(y/s + s/2) (m(b) - m(a)) <= phi(y/s + s/2) s (-m'(-s/2)),
//     because m is convex and decreasing (a Laplace transform of a positive function) and b >= -s/2. m' = x m - 1 and
//     m(-0.15) < 1.42 give -m'(-s/2) = 1 + (s/2) m(-s/2) <= 1 + 0.8 s for s <= 0.3. phi(y/s + s/2) / s is the density
//     of W at -y; so the growth of the curve is between 0 and s^2 (1 + 0.8 s) f(epsilon), f the density of Z + W,
//     which is the same sum without 1 / (t (t + 1)), again bounded from above by its sum.
// (4) Rounding. If computed and exact phi_j differ by at most e_j, the products differ by at most the product of the
//     (|phi_j| + e_j)^n_j times sum of n_j e_j / (|phi_j| + e_j), since |a^n - b^n| <= n |a - b| max(|a|, |b|)^(n-1).
// All terms carry the factor e^(ln M(theta) - theta epsilon), of the size of delta: the errors are relative to delta.
class Spectrum {
 public:
  Spectrum(const Composition& composition, const std::vector<Factor>& factors, const Grid& grid, const Decay& decay,
           std::vector<Order> orders);

  CurveParts parts(double epsilon) const;
  Bounds delta(double epsilon) const { return parts(epsilon).bounds(); }

 private:
  void multiply(const Factor& factor, double negligible);
  void finish(double negligible);
  double series(const std::vector<double>& real, const std::vector<double>& imaginary, double epsilon) const;

  Grid grid_;
  double gaussian_square_;
  std::vector<Order> orders_;
  Bounds log_moment_{0, 0};
  // Per frequency: the product so far, a bound of its exact modulus, and the error relative to that bound.
  std::vector<double> real_, imaginary_, modulus_, relative_;
  std::vector<double> curve_real_, curve_imaginary_, density_real_, density_imaginary_;
  double curve_error_ = 0, curve_phase_ = 0;  // the error of the series is error + |epsilon| phase
  double density_error_ = 0, density_phase_ = 0;
};

}  // namespace dither::accounting::detail
