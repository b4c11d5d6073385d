#include "accounting/key_release.h"

#include <algorithm>
#include <cmath>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {
namespace {

// P(noise >= at), rounded up, for each kind of noise.

double laplace_tail(const Rational& scale, const Rational& at) {
  if (at >= 0) return exp_up((-at / scale).to_double_up()) / 2;
  return sub_up(1, exp_down((at / scale).to_double_down()) / 2);
}

double discrete_laplace_tail(const Rational& scale, Int128 at) {
  const auto power_up = [&](Int128 k) { return exp_up((-Rational(k) / scale).to_double_up()); };
  const auto power_down = [&](Int128 k) { return exp_down((-Rational(k) / scale).to_double_down()); };
  if (at >= 1) return div_up(power_up(at), add_down(1, power_down(1)));
  return sub_up(1, div_down(power_down(1 - at), add_up(1, power_up(1))));
}

double gaussian_tail(const Rational& sigma, const Rational& at) {
  return exp_up(log_ndtr_up((-at / sigma).to_double_up()));
}

// At most the sum of exp(-c k^2) over all integers: the first terms of the sum itself, and of its Poisson dual.
double theta_down(const Rational& sigma, double c_up, double c_down) {
  const double direct = add_down(1, 2 * add_down(exp_down(-c_up), exp_down(-mul_up(4, c_up))));
  const double rate = div_up(mul_up(0x1.921fb54442d19p+1, 0x1.921fb54442d19p+1), c_down);
  const double dual = add_down(1, 2 * add_down(exp_down(-rate), exp_down(-mul_up(4, rate))));
  return std::max(direct, mul_down(mul_down(sigma.to_double_down(), sqrt_down(0x1.921fb54442d18p+2)), dual));
}

double discrete_gaussian_tail(const Rational& sigma, Int128 at) {
  if (at <= 0) return 1;
  // The normaliser is at least that of the normal law, and terms fall: each is at most the integral over the step
  // before it. Beyond sigma the density is convex, and half a step to both sides will do.
  if (sigma >= 50) {
    return gaussian_tail(sigma, Rational(at) - (Rational(at) > sigma + 1 ? Rational(1, 2) : Rational(1)));
  }
  const Rational c = 1 / (2 * sigma * sigma);
  const double c_down = c.to_double_down();
  const double first = exp_up((-c * Rational(at) * Rational(at)).to_double_up());
  const double m = static_cast<double>(at) * (1 - 0x1p-52);
  double sum = 1;
  for (double j = 1;; ++j) {  // exp(-c ((at + j)^2 - at^2))
    const double term = exp_up(-mul_down(c_down, mul_down(j, 2 * m + j)));
    sum = add_up(sum, term);
    const double ratio = exp_up(-mul_down(c_down, 2 * (m + j)));  // of any later term to the one before, at most
    if (const double rest = div_up(mul_up(term, ratio), sub_down(1, ratio)); rest < 1e-17) {
      return std::min(1.0, div_up(mul_up(first, add_up(sum, rest)), theta_down(sigma, c.to_double_up(), c_down)));
    }
  }
}

}  // namespace

double key_shown_up(KeyNoise noise, const Rational& scale, const Rational& threshold, const Rational& contribution) {
  detail::require_scale("scale", scale, pow(Rational(10), 100));
  if (contribution < 0) {
    throw Error{Code::bad_number, "the contribution of a unit to a key is negative", "give the largest contribution"};
  }
  const Rational at = threshold - contribution;
  switch (noise) {
    case KeyNoise::laplace:
      return laplace_tail(scale, at);
    case KeyNoise::discrete_laplace:
      return discrete_laplace_tail(scale, at.ceil());
    case KeyNoise::gaussian:
      return gaussian_tail(scale, at);
    case KeyNoise::discrete_gaussian:
      return discrete_gaussian_tail(scale, at.ceil());
  }
  return 1;
}

AtomLoss key_release_loss(KeyNoise noise, const Rational& scale, const Rational& threshold,
                          const Rational& contribution, std::uint64_t keys) {
  detail::require_count("keys", keys);
  const double shown = std::min(1.0, key_shown_up(noise, scale, threshold, contribution));
  const double delta = -expm1_down(mul_down(static_cast<double>(keys), log1p_down(-shown)));
  if (delta >= 1) return {{}, 1};
  return {{{0, 1 - delta}}, delta};
}

}  // namespace dither::accounting
