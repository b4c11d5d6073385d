// Sampled Gaussians on the real line: the integrand of their moments, where it matters, and how exactly the trapezoid
// rule integrates it.
#pragma once

#include <cstddef>
#include <vector>

#include "accounting/loss.h"

namespace dither::accounting::detail {

inline constexpr double kUnit = 0x1p-53;   // rounding of one operation
inline constexpr double kTrust = 0x1p-50;  // of the parameters, relative (loss.h)

// ln R(y) with a bound on its absolute error, parameters included, and the mean of J given y, where J is the number of
// the component: d/dy ln R = mu E[J | y].
struct LogRatio {
  double value;
  double error;
  double mean;
};

// One node y of the rule: the loss, the log of the integrand N(y; 0, 1) R(y)^c1 R(-y)^c2 sqrt(2 pi), their absolute
// errors, ln R(y), |dz/dy|, and d/dy of the log of the integrand.
struct MixtureNode {
  double log_ratio;
  double loss;
  double loss_error;
  double log_weight;
  double log_weight_error;
  double loss_slope;
  double weight_slope;
};

struct Window {
  double low;
  double high;
};

// The trapezoid rule sums only nodes inside the windows (disjoint, increasing); the integrand summed over the nodes
// outside, times the step, is at most e^log_skipped.
struct Cover {
  std::vector<Window> windows;
  double log_skipped;
};

// constant + per_frequency |u|.
struct QuadratureLine {
  double constant;
  double per_frequency;
};
double least(const std::vector<QuadratureLine>& lines, double u);

// Disjoint and increasing windows with the same union.
std::vector<Window> merged(std::vector<Window> windows);

// A mixture loss tilted by theta. Its moment at t = theta + i u is the integral over y of
//     F(y) = N(y; 0, 1) R(y)^c1 R(-y)^c2,   (c1, c2) = (1 + t, 0) remove, (-t, 0) add, (1 + t, -t) replace.
class Mixture {
 public:
  Mixture(const MixtureLoss& loss, double theta);

  LogRatio log_ratio(double y) const;
  MixtureNode node(double y) const;

  // A step h for which the trapezoid rule errs by at most e^-digits times the moment at theta, for |u| <= frequency.
  double step(double digits, double frequency) const;

  // ln(error of the rule / moment at theta) at frequency u and step h is at most the least of these lines at |u|.
  //
  // Proof. Let y = x + i b with k mu b < pi, k the highest component. The terms of R(y) are those of R(x) turned by the
  // angles j mu b, all in [0, k mu b], a cone of opening below pi: so R(y) != 0, ln R is analytic, its argument lies
  // in [0, k mu b], and |R(x)| >= |R(y)| >= Re(e^(-i k mu b / 2) R(y)) >= R(x) cos(k mu b / 2). The same holds for
  // R(-y) with -b. With |N(y)| = N(x) e^(b^2 / 2) and |R^c| = |R|^(Re c) e^(-Im c arg R),
  //     |F(x + i b)| <= e^(b^2 / 2 + m |u| k mu b) cos(k mu b / 2)^(-negative) F(x) at u = 0,
  // m = 1 factor with an imaginary power (2 for replace), negative = the sum of the negative powers. F decays like a
  // Gaussian in the strip, so the sum over nodes minus the integral is the sum over n != 0 of the integrals of
  // F(y) e^(2 pi i n y / h) moved to Im y = b or -b: at most 2 (bound above) / (e^(2 pi b / h) - 1). Any b serves.
  std::vector<QuadratureLine> quadrature(double h) const;

  // Windows outside which nodes matter less than about e^-digits of the moment at theta (a wish; `log_skipped` counts).
  Cover cover(double digits, double h) const;

  // Upper bounds used by the decay certificate: of -(ln F)'' and (ln F)'' at real t, where (ln R)'' = mu^2 Var(J | y)
  // lies between 0 and (k mu)^2 / 4; and of |z''| / |z'|, since Var(J) <= k E[J]. Likewise |(ln z')''| <= 2 (k mu)^2.
  double curvature() const;
  double convexity() const;
  double steepness() const { return top_ * mu_; }
  double reference() const { return reference_; }  // a rough ln of the moment at theta

 private:
  struct Term {
    double centre;
    double log_mass;
  };
  Term term(std::size_t j, std::size_t i) const;
  double exponent(double j, double y) const { return j * mu_ * y - j * j * (mu_ * mu_ / 2); }
  LogRatio scaled_log_ratio(double y) const;
  std::vector<std::vector<Term>> bounds_on_integrand() const;

  double mu_;
  std::vector<double> weights_;
  std::vector<double> log_weights_;
  double top_;           // k
  double forward_;       // Re c1
  double mirrored_;      // Re c2
  double loss_forward_;  // the loss is loss_forward ln R(y) + loss_mirrored ln R(-y)
  double loss_mirrored_;
  double reference_;
  struct Line {  // one height b: ln(2 e^(b^2/2) cos^-negative) and the slope in |u|
    double height;
    double constant;
    double per_frequency;
  };
  std::vector<Line> lines_;
};

}  // namespace dither::accounting::detail
