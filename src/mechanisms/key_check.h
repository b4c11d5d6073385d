// Exact tails and exact divergences of key releases, for the tests.
#pragma once

#include <algorithm>
#include <vector>

#include "accounting/key_release.h"
#include "base/big_interval.h"
#include "random/pmf.h"

namespace dither::mechanisms::check {

inline constexpr long kBits = 160;

inline BigInterval exactly(const Rational& value) { return BigInterval(value, kBits); }

inline BigInterval pmf(accounting::KeyNoise noise, const Rational& scale, Int128 k) {
  return noise == accounting::KeyNoise::discrete_laplace ? random::discrete_laplace_pmf(scale, k, kBits)
                                                         : random::discrete_gaussian_pmf(scale * scale, k, kBits);
}

// P(noise >= at), summed from the pmf; the rest of a log-concave tail is at most a geometric series.
inline BigInterval tail(accounting::KeyNoise noise, const Rational& scale, Int128 at) {
  if (at <= 0) return exactly(1) - tail(noise, scale, 1 - at);
  BigInterval sum(kBits), last = pmf(noise, scale, at);
  for (Int128 k = at;; ++k) {
    sum += last;
    const BigInterval next = pmf(noise, scale, k + 1);
    const BigInterval rest = next / (exactly(1) - next / last);
    if (rest.high_rational() < sum.low_rational() * Rational::power_of_two(-60)) {
      return sum + BigInterval(Rational(0), rest.high_rational(), kBits);
    }
    last = next;
  }
}

// 1 - (1 - p)^keys.
inline BigInterval any_of(const BigInterval& p, long keys) { return -expm1(exactly(keys) * log1p(-p)); }

// The probabilities of what one key shows: first that it is not shown, then the noisy counts from the threshold on.
// Beyond `most` all are one outcome: data processing, so divergences are not larger than the true ones.
inline std::vector<BigInterval> shown_law(accounting::KeyNoise noise, const Rational& scale, Int128 threshold,
                                          Int128 count, Int128 most) {
  if (count <= 0) {
    std::vector<BigInterval> nothing(static_cast<std::size_t>(most - threshold + 2), BigInterval(kBits));
    nothing[0] = exactly(1);
    return nothing;
  }
  std::vector<BigInterval> law{exactly(1) - tail(noise, scale, threshold - count)};
  for (Int128 v = threshold; v < most; ++v) law.push_back(pmf(noise, scale, v - count));
  law.push_back(tail(noise, scale, most - count));
  return law;
}

// The outcomes of two independent releases.
inline std::vector<BigInterval> both(const std::vector<BigInterval>& a, const std::vector<BigInterval>& b) {
  std::vector<BigInterval> law;
  for (const BigInterval& x : a) {
    for (const BigInterval& y : b) law.push_back(x * y);
  }
  return law;
}

// The sum of max(0, P - e^epsilon Q), from below and above.
inline BigInterval hockey_stick(const std::vector<BigInterval>& p, const std::vector<BigInterval>& q,
                                const Rational& epsilon) {
  const BigInterval factor = exp(exactly(epsilon));
  BigInterval sum(kBits);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const BigInterval excess = p[i] - factor * q[i];
    if (excess.surely_below(Rational(0))) continue;
    sum += BigInterval(std::max(Rational(0), excess.low_rational()), excess.high_rational(), kBits);
  }
  return sum;
}

}  // namespace dither::mechanisms::check
