// The real laws as formulas of uniform numbers, written once for balls and for intervals of any precision.
#pragma once

#include "base/big_interval.h"
#include "random/detail/real_ball.h"
#include "random/real_law.h"

namespace dither::random::detail {

inline BigInterval cot_half_pi(const BigInterval& x) {
  const long precision = x.precision();
  return BigInterval(Rational(1), precision) / tan_pi(x * BigInterval(Rational(1, 2), precision));
}

// The constants of one gamma law: Marsaglia and Tsang's d = a - 1/3 and c = 1 / (3 sqrt(d)), at a + 1 where a < 1.
template <typename R>
struct GammaNumbers {
  template <typename Make>
  GammaNumbers(const Rational& shape, const Make& make)
      : d(make((shape < 1 ? shape + 1 : shape) - Rational(1, 3))),
        c(make(1) / (make(3) * sqrt(d))),
        inverse_shape(make(1 / shape)),
        boosted(shape < 1) {}

  R d;
  R c;
  R inverse_shape;
  bool boosted;
};

// The parameters as numbers of type R; `make` turns a rational into one.
template <typename R>
struct RealNumbers {
  template <typename Make>
  RealNumbers(const RealLaw& law, const Rational& scale_over_grid, const Make& make)
      : kind(law.kind),
        ratio(make(scale_over_grid)),
        one(make(1)),
        half(make(Rational(1, 2))),
        three(make(3)),
        first(make(law.first)),
        second(make(law.second)),
        // exponent of u in Student's t; one where the law has no degrees of freedom
        power(make(law.kind == RealLaw::Kind::student_t ? -2 / law.first : Rational(1))),
        gammas{GammaNumbers<R>(law.first > 0 ? law.first : Rational(1), make),
               GammaNumbers<R>(law.second > 0 ? law.second : Rational(1), make)} {}

  RealLaw::Kind kind;
  R ratio, one, half, three, first, second, power;
  GammaNumbers<R> gammas[2];
};

// Box and Muller: sqrt(-2 ln u) cos(2 pi v) is normal.
template <typename R>
R normal_of(const R& u, const R& v) {
  const R energy = -log(u);
  return sqrt(energy + energy) * cos_two_pi(v);
}

// Z of the laws without rejection, |Z| of the symmetric ones with one uniform number; those ignore v.
template <typename R>
R real_of(const RealNumbers<R>& numbers, const R& u, const R& v) {
  switch (numbers.kind) {
    case RealLaw::Kind::cauchy:
      return cot_half_pi(u);
    case RealLaw::Kind::log_normal:
      return exp(numbers.first + numbers.second * normal_of(u, v));
    case RealLaw::Kind::normal:
      return normal_of(u, v);
    // Bailey: nu (u^(-2/nu) - 1) is the squared radius of the law's two-dimensional form.
    case RealLaw::Kind::student_t:
      return sqrt(numbers.first * expm1(numbers.power * log(u))) * cos_two_pi(v);
    default:
      return -log(u);  // exponential and Laplace
  }
}

// A proposal of Marsaglia and Tsang: with x normal and y = 1 + c x it is accepted if y > 0 and
// ln w < x^2/2 + d (1 - y^3 + 3 ln y); then d y^3 has the gamma law.
template <typename R>
struct GammaProposal {
  R x;
  R y;
};

template <typename R>
GammaProposal<R> propose_gamma(const RealNumbers<R>& numbers, int which, const R& u, const R& v) {
  const R x = normal_of(u, v);
  return {x, numbers.one + numbers.gammas[which].c * x};
}

// The right side of the rule less ln w; y must not hold zero.
template <typename R>
R gamma_margin(const RealNumbers<R>& numbers, int which, const GammaProposal<R>& proposal, const R& w) {
  const R& y = proposal.y;
  const R bracket = numbers.one - y * y * y + numbers.three * log(y);
  return numbers.half * proposal.x * proposal.x + numbers.gammas[which].d * bracket - log(w);
}

// The gamma draw of an accepted y. For shapes a < 1 the draw at a + 1 is multiplied by boost^(1/a), boost uniform.
template <typename R>
R gamma_of(const RealNumbers<R>& numbers, int which, const R& y, const R& boost) {
  const GammaNumbers<R>& gamma = numbers.gammas[which];
  const R draw = gamma.d * y * y * y;
  return gamma.boosted ? draw * exp(gamma.inverse_shape * log(boost)) : draw;
}

}  // namespace dither::random::detail
