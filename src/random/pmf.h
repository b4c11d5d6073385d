// The laws themselves, to any precision: what every sampler is compared with.
#pragma once

#include <cstdint>
#include <span>

#include "base/big_interval.h"
#include "base/rational.h"

namespace dither::random {

// The sum of exp(-c k^2) over all integers k, c > 0.
BigInterval theta(const BigInterval& c);

// P(K = k) = (1 - q) / (1 + q) * q^|k|, q = exp(-1 / scale). Spec F-67.
BigInterval discrete_laplace_pmf(const Rational& scale, Int128 k, long precision_bits);

// P(K = k) = exp(-k^2 / (2 sigma^2)) / theta. Spec F-70.
BigInterval discrete_gaussian_pmf(const Rational& sigma_squared, Int128 k, long precision_bits);

// -ln(1 - success), by whichever of 1 - success and success is the small one. 0 < success < 1.
BigInterval failure_rate(const Rational& success, long precision_bits);

// P(K = k) = (1 - q) q^k for k >= 0, q = 1 - success.
BigInterval geometric_pmf(const Rational& success, Int128 k, long precision_bits);

// P(K = k) = n! / (k! (n - k)!) p^k (1 - p)^(n - k).
BigInterval binomial_pmf(std::uint64_t n, const Rational& p, Int128 k, long precision_bits);

// P(K = k) = exp(-lambda) lambda^k / k! for k >= 0.
BigInterval poisson_pmf(const Rational& lambda, Int128 k, long precision_bits);

// P(X - Y = k) for independent Poisson numbers X of mean mu1 and Y of mean mu2.
BigInterval skellam_pmf(const Rational& mu1, const Rational& mu2, Int128 k, long precision_bits);

// P(clamp(x + K, 0, n) = k) for K discrete Laplace of the given scale and 0 <= x <= n. Spec F-68.
BigInterval truncated_geometric_pmf(const Rational& scale, Int128 n, Int128 x, Int128 k, long precision_bits);

// P(index) = w_index exp(rate s_index) / sum over i of w_i exp(rate s_i). Spec F-84.
BigInterval weighted_choice_pmf(std::span<const std::uint64_t> weights, std::span<const Int128> scores,
                                const Rational& rate, std::size_t index, long precision_bits);

}  // namespace dither::random
