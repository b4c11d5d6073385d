#include "random/real_cdf.h"

#include <cstdlib>

namespace dither::random {

namespace {

using Kind = RealLaw::Kind;

BigInterval number(const Rational& x, long precision) { return {x, precision}; }

BigInterval complement(const BigInterval& p) { return number(1, p.precision()) - p; }

BigInterval normal_cdf(const BigInterval& x) {
  const long precision = x.precision();
  return number(Rational(1, 2), precision) * erfc(-x / sqrt(number(2, precision)));
}

// ln Gamma(a) for a > 0, from where lgamma grows.
BigInterval log_gamma(const Rational& a, long precision) {
  return lgamma(number(a + 2, precision)) - log(number(a, precision)) - log(number(a + 1, precision));
}

// 1 + r(0) + r(0) r(1) + ..., where the ratios r never exceed max(r(n), limit) after the n-th and limit < 3/4.
template <typename Ratio>
BigInterval sum_of_products(const Ratio& ratio, const Rational& limit, long precision) {
  BigInterval sum = number(1, precision);
  BigInterval term = sum;
  for (long n = 0;; ++n) {
    const Rational next = ratio(n);
    const Rational bound = next > limit ? next : limit;
    if (bound < Rational(3, 4) && term.surely_below(Rational::power_of_two(-precision))) {
      return sum + term * BigInterval(0, bound / (1 - bound), precision);
    }
    term = term * number(next, precision);
    sum += term;
  }
}

// The regularised lower incomplete gamma: x^a e^-x / Gamma(a + 1) times the sum of x^n / ((a + 1) ... (a + n)).
BigInterval gamma_cdf(const Rational& a, const Rational& x, long precision) {
  const BigInterval weight =
      number(a, precision) * log(number(x, precision)) - number(x, precision) - log_gamma(a + 1, precision);
  return exp(weight) * sum_of_products([&](long n) { return x / (a + 1 + n); }, 0, precision);
}

// The regularised incomplete beta for x <= 1/2, elsewhere from the other side: x^a (1 - x)^b Gamma(a + b) /
// (Gamma(a + 1) Gamma(b)) times the sum of (a + b)...(a + b + n - 1) / ((a + 1)...(a + n)) x^n.
BigInterval beta_cdf(const Rational& a, const Rational& b, const Rational& x, long precision) {
  if (x <= 0) return number(0, precision);
  if (x > Rational(1, 2)) return complement(beta_cdf(b, a, 1 - x, precision));
  const BigInterval weight = number(a, precision) * log(number(x, precision)) +
                             number(b, precision) * log(number(1 - x, precision)) + log_gamma(a + b, precision) -
                             log_gamma(a + 1, precision) - log_gamma(b, precision);
  return exp(weight) * sum_of_products([&](long n) { return (a + b + n) / (a + 1 + n) * x; }, x, precision);
}

// Half the weight of |T| beyond |t|, on the side of t.
BigInterval student_cdf(const Rational& nu, const Rational& t, long precision) {
  const BigInterval tail =
      number(Rational(1, 2), precision) * beta_cdf(nu / 2, Rational(1, 2), nu / (nu + t * t), precision);
  return t > 0 ? complement(tail) : tail;
}

}  // namespace

BigInterval real_cdf(const RealLaw& law, const Rational& x, long precision) {
  const BigInterval at = number(x, precision);
  const BigInterval half = number(Rational(1, 2), precision);
  const bool one_sided =
      law.kind != Kind::cauchy && law.kind != Kind::laplace && law.kind != Kind::normal && law.kind != Kind::student_t;
  if (one_sided && x <= 0) return number(0, precision);
  switch (law.kind) {
    case Kind::beta:
      return x >= 1 ? number(1, precision) : beta_cdf(law.first, law.second, x, precision);
    case Kind::cauchy:
      return half + atan(at) / BigInterval::pi(precision);
    case Kind::exponential:
      return -expm1(-at);
    case Kind::gamma:
      return gamma_cdf(law.first, x, precision);
    case Kind::laplace:
      return x < 0 ? half * exp(at) : complement(half * exp(-at));
    case Kind::log_normal:
      return normal_cdf((log(at) - number(law.first, precision)) / number(law.second, precision));
    case Kind::normal:
      return normal_cdf(at);
    case Kind::student_t:
      return student_cdf(law.first, x, precision);
  }
  std::abort();
}

BigInterval rounded_real_pmf(const RealLaw& law, const Rational& value_over_grid, const Rational& scale_over_grid,
                             Int128 k, long precision) {
  const Rational low = (Rational(k) - Rational(1, 2) - value_over_grid) / scale_over_grid;
  return real_cdf(law, low + 1 / scale_over_grid, precision) - real_cdf(law, low, precision);
}

}  // namespace dither::random
