#include "random/detail/real_ball_tables.h"

#include <functional>

#include "base/big_interval.h"

namespace dither::random::detail {

namespace {

using Coefficient = std::function<Rational(long)>;

// Takes terms while coefficient * bound^j can reach a quarter of a unit. The coefficients do not grow and the bound is
// at most 0.7, so the terms left out sum to less than 1/4 / (1 - 0.7) < 1 unit.
template <int N>
Series<N> make_series(const Rational& bound, const Coefficient& coefficient) {
  Series<N> series;
  const Rational small = Rational::power_of_two(-64 * N - 2);
  Rational power(1);
  for (long j = 0; coefficient(j) * power > small || j % 2 != 0; ++j) {  // an even number of terms
    series.coefficients.push_back(fraction_limbs<N>(coefficient(j)));
    power *= bound;
  }
  series.terms = static_cast<int>(series.coefficients.size());
  return series;
}

Rational half_over_factorial(long n) {
  Rational result(1, 2);
  for (long i = 2; i <= n; ++i) result /= Rational(i);
  return result;
}

// A constant known to far more digits than a ball holds: rounding it down stays within the one unit a ball allows.
constexpr long kPrecision = 320;

template <int N>
Tables<N> make_tables() {
  const BigInterval log_two = log(BigInterval(Rational(2), kPrecision));
  const BigInterval inverse = BigInterval(Rational(1), kPrecision) / log_two;
  const Rational half(1, 2);
  Tables<N> result;
  result.log_two = Ball<N>(log_two.low_rational()).widened_by(1, 0);
  result.inverse_log_two = Ball<N>(inverse.low_rational()).widened_by(1, 1);
  result.half_pi = Ball<N>(BigInterval::pi(kPrecision).low_rational() * half).widened_by(1, 1);
  result.log_two_fraction = fraction_limbs<N>(log_two.low_rational());
  result.atanh = make_series<N>(Rational(3, 100), [&](long j) { return half / Rational(2 * j + 1); });
  result.exp = make_series<N>(Rational(7, 10), half_over_factorial);
  result.sine = make_series<N>(Rational(62, 100), [](long j) { return half_over_factorial(2 * j + 1); });
  result.cosine = make_series<N>(Rational(62, 100), [](long j) { return half_over_factorial(2 * j); });
  return result;
}

}  // namespace

template <int N>
const Tables<N>& tables() {
  static const Tables<N> kept = make_tables<N>();
  return kept;
}

template <int N>
Limbs<N> fraction_limbs(const Rational& value) {
  mpz_t whole;
  mpz_init(whole);
  mpz_mul_2exp(whole, mpq_numref(value.get()), 64 * N);
  mpz_fdiv_q(whole, whole, mpq_denref(value.get()));
  Limbs<N> result{};
  mpz_export(result.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, whole);
  mpz_clear(whole);
  return result;
}

template const Tables<2>& tables<2>();
template const Tables<3>& tables<3>();
template Limbs<2> fraction_limbs<2>(const Rational&);
template Limbs<3> fraction_limbs<3>(const Rational&);

}  // namespace dither::random::detail
