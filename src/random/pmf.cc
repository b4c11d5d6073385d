#include "random/pmf.h"

namespace dither::random {

namespace {

// 1 + 2 (x + x^4 + x^9 + ...), x = exp(-c) and c >= 3, where each term is under a tenth of the one before, so that all
// that follow a term are below it.
BigInterval theta_sum(const BigInterval& c) {
  const long precision = c.precision();
  BigInterval sum(Rational(1), precision);
  const BigInterval two(Rational(2), precision);
  const BigInterval zero_to_one(Rational(0), Rational(1), precision);
  for (long k = 1;; ++k) {
    const BigInterval term = two * exp(-(c * BigInterval(Rational(k) * Rational(k), precision)));
    sum += term;
    if (mpfr_zero_p(term.high()) || mpfr_get_exp(term.high()) < -precision) return sum + term * zero_to_one;
  }
}

}  // namespace

BigInterval theta(const BigInterval& c) {
  const BigInterval pi = BigInterval::pi(c.precision());
  if (c.surely_above(Rational(3))) return theta_sum(c);
  return sqrt(pi / c) * theta_sum(pi * pi / c);  // Poisson summation: here pi^2 / c > 3
}

BigInterval discrete_laplace_pmf(const Rational& scale, Int128 k, long precision_bits) {
  const BigInterval rate(Rational(1) / scale, precision_bits);
  const BigInterval one(Rational(1), precision_bits);
  const BigInterval q = exp(-rate);
  return -expm1(-rate) / (one + q) * exp(-(rate * BigInterval(abs(Rational(k)), precision_bits)));
}

BigInterval discrete_gaussian_pmf(const Rational& sigma_squared, Int128 k, long precision_bits) {
  const Rational c = Rational(1) / (Rational(2) * sigma_squared);
  return exp(-BigInterval(c * Rational(k) * Rational(k), precision_bits)) / theta(BigInterval(c, precision_bits));
}

BigInterval failure_rate(const Rational& success, long precision_bits) {
  if (success < Rational(1, 2)) return -log1p(-BigInterval(success, precision_bits));
  return -log(BigInterval(Rational(1) - success, precision_bits));
}

BigInterval geometric_pmf(const Rational& success, Int128 k, long precision_bits) {
  if (k < 0) return BigInterval(precision_bits);
  const BigInterval p(success, precision_bits);
  if (success == Rational(1)) return k == 0 ? p : BigInterval(precision_bits);
  return p * exp(-(failure_rate(success, precision_bits) * BigInterval(Rational(k), precision_bits)));
}

namespace {

// Logarithms of large factorials cancel: this many bits more than the answer needs. The answer keeps them.
constexpr long kGuardBits = 64;

BigInterval log_factorial(Int128 k, long precision) {
  if (k >= 128) return lgamma(BigInterval(Rational(k + 1), precision));
  Rational factorial;  // small ones exactly, which is faster
  mpz_fac_ui(mpq_numref(factorial.get()), static_cast<unsigned long>(k));
  return log(BigInterval(factorial, precision));
}

// log(x^k), with 0^0 = 1.
BigInterval log_power(const Rational& x, Int128 k, long precision) {
  return k == 0 ? BigInterval(precision) : log(BigInterval(x, precision)) * BigInterval(Rational(k), precision);
}

}  // namespace

BigInterval binomial_pmf(std::uint64_t n, const Rational& p, Int128 k, long precision_bits) {
  const auto trials = static_cast<Int128>(n);
  const bool impossible = (p == Rational(0) && k != 0) || (p == Rational(1) && k != trials);
  if (k < 0 || k > trials || impossible) return BigInterval(precision_bits);
  const long bits = precision_bits + kGuardBits;
  const BigInterval choices = log_factorial(trials, bits) - log_factorial(k, bits) - log_factorial(trials - k, bits);
  const BigInterval powers = log_power(p, k, bits) + log_power(Rational(1) - p, trials - k, bits);
  return exp(choices + powers);
}

BigInterval poisson_pmf(const Rational& lambda, Int128 k, long precision_bits) {
  if (k < 0 || (lambda == Rational(0) && k != 0)) return BigInterval(precision_bits);
  const long bits = precision_bits + kGuardBits;
  const BigInterval powers = log_power(lambda, k, bits) - BigInterval(lambda, bits);
  return exp(powers - log_factorial(k, bits));
}

// The sum over y of P(X = k + y) P(Y = y). What is left from y on is at most P(Y >= y), which past 2 mu2 is below
// 2 P(Y = y), since each probability is there under half of the one before.
BigInterval skellam_pmf(const Rational& mu1, const Rational& mu2, Int128 k, long precision_bits) {
  if (mu2 == 0) return poisson_pmf(mu1, k, precision_bits);
  if (mu1 == 0) return poisson_pmf(mu2, -k, precision_bits);
  const long bits = precision_bits + kGuardBits;
  BigInterval sum(bits);
  const Int128 start = k < 0 ? -k : 0;
  BigInterval x = poisson_pmf(mu1, k + start, bits);
  BigInterval y = poisson_pmf(mu2, start, bits);
  for (Int128 i = start;; ++i) {
    sum += x * y;
    x = x * BigInterval(mu1 / Rational(k + i + 1), bits);
    y = y * BigInterval(mu2 / Rational(i + 1), bits);
    if (Rational(i) < Rational(2) * mu2) continue;
    const bool small = mpfr_zero_p(y.high()) || mpfr_get_exp(y.high()) < mpfr_get_exp(sum.low()) - bits;
    if (small) return sum + (y + y) * BigInterval(Rational(0), Rational(1), bits);
  }
}

BigInterval truncated_geometric_pmf(const Rational& scale, Int128 n, Int128 x, Int128 k, long precision_bits) {
  if (k < 0 || k > n) return BigInterval(precision_bits);
  if (n == 0) return {Rational(1), precision_bits};
  if (k != 0 && k != n) return discrete_laplace_pmf(scale, k - x, precision_bits);
  // The mass at or beyond distance d >= 0 on one side is q^d / (1 + q).
  const BigInterval rate(Rational(1) / scale, precision_bits);
  const BigInterval distance(Rational(k == 0 ? x : n - x), precision_bits);
  return exp(-(rate * distance)) / (BigInterval(Rational(1), precision_bits) + exp(-rate));
}

BigInterval weighted_choice_pmf(std::span<const std::uint64_t> weights, std::span<const Int128> scores,
                                const Rational& rate, std::size_t index, long precision_bits) {
  // Relative to the candidate asked for, so that nothing is divided by a number that underflowed.
  BigInterval sum(precision_bits);
  if (weights[index] == 0) return sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Rational gap = Rational(scores[i]) - Rational(scores[index]);
    sum += BigInterval(Rational(static_cast<Int128>(weights[i])), precision_bits) *
           exp(BigInterval(gap * rate, precision_bits));
  }
  return BigInterval(Rational(static_cast<Int128>(weights[index])), precision_bits) / sum;
}

}  // namespace dither::random
