#include "random/moments.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/big_interval.h"

namespace dither::random {

namespace {

constexpr long kBits = 256;
constexpr double kMostSpread = 1e5;  // tables of probabilities reach that far: 3 million entries

BigInterval big(const Rational& x) { return {x, kBits}; }
double middle(const BigInterval& x) { return (x.low_double() + x.high_double()) / 2; }
double real(const Rational& x) { return x.to_double_down(); }
double real(Int128 x) { return static_cast<double>(x); }

// Probabilities of the numbers from `first` on; what lies outside weighs less than 1e-40.
struct Table {
  Int128 first;
  std::vector<double> p;

  // P(K >= k), added up from the small end.
  double upper(Int128 k) const {
    double sum = 0;
    for (Int128 at = first + static_cast<Int128>(p.size()) - 1; at >= std::max(k, first); --at) {
      sum += p[static_cast<std::size_t>(at - first)];
    }
    return sum;
  }
  double lower(Int128 k) const {  // P(K <= k)
    double sum = 0;
    for (std::size_t i = 0; i < p.size() && first + static_cast<Int128>(i) <= k; ++i) sum += p[i];
    return sum;
  }
};

void normalise(std::vector<double>& p) {
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= sum;
}

// From the mode outward by the ratios P(k+1) / P(k) and P(k-1) / P(k), which fall to zero on either side.
template <typename Up, typename Down>
Table table_from(Int128 mode, const Up& up, const Down& down) {
  std::vector<double> below;
  std::vector<double> above = {1};
  for (Int128 k = mode; above.back() > 1e-40; ++k) above.push_back(above.back() * up(real(k)));
  for (Int128 k = mode; below.empty() || below.back() > 1e-40; --k) {
    below.push_back((below.empty() ? 1 : below.back()) * down(real(k)));
  }
  Table table{mode - static_cast<Int128>(below.size()), {below.rbegin(), below.rend()}};
  table.p.insert(table.p.end(), above.begin(), above.end());
  normalise(table.p);
  return table;
}

Moments with_table(double mean, double variance, Table table) {
  auto tail = [table = std::move(table)](Int128 k) -> std::optional<double> {
    return table.upper(k) + table.lower(-k);
  };
  return {mean, variance, std::move(tail), mean, std::sqrt(variance)};
}

std::optional<double> not_known(Int128) { return std::nullopt; }

Table poisson_table(const Rational& rate) {
  const double lambda = real(rate);
  return table_from(
      rate.floor(), [lambda](double k) { return lambda / (k + 1); }, [lambda](double k) { return k / lambda; });
}

// The sum over j = 1 .. m of q^j / (1 + q), and of (2j - 1) q^j / (1 + q).
BigInterval mean_within(const BigInterval& q, Int128 m, const BigInterval& q_to_m) {
  const BigInterval one = big(1);
  return m == 0 ? big(0) : q * (one - q_to_m) / ((one - q) * (one + q));
}

BigInterval square_within(const BigInterval& q, Int128 m, const BigInterval& q_to_m) {
  const BigInterval one = big(1);
  const BigInterval n = big(Rational(m));
  const BigInterval weighted = q * (one - (n + one) * q_to_m + n * q * q_to_m) / ((one - q) * (one - q) * (one + q));
  return m == 0 ? big(0) : weighted + weighted - mean_within(q, m, q_to_m);
}

}  // namespace

Moments discrete_laplace_moments(const Rational& scale) {
  const BigInterval rate = big(1 / scale);
  const BigInterval q = exp(-rate);
  const BigInterval rest = -expm1(-rate);
  const double variance = middle((q + q) / (rest * rest));
  const auto tail = [rate, q](Int128 k) -> std::optional<double> {
    return middle(big(2) * exp(-(rate * big(Rational(k)))) / (big(1) + q));
  };
  return {0, variance, tail, 0, std::sqrt(variance)};
}

Moments discrete_gaussian_moments(const Rational& sigma) {
  const double s = real(sigma);
  if (s > kMostSpread) {  // the midpoint rule's error is below 0.02 / sigma^2
    return {0, s * s, [s](Int128 k) { return std::erfc((real(k) - 0.5) / s / std::sqrt(2)); }, 0, s};
  }
  const double c = 1 / (2 * s * s);
  Table table = table_from(
      0, [c](double k) { return std::exp(-c * (2 * k + 1)); }, [c](double k) { return std::exp(c * (2 * k - 1)); });
  double variance = 0;
  for (std::size_t i = 0; i < table.p.size(); ++i) {
    const double k = real(table.first) + static_cast<double>(i);
    variance += k * k * table.p[i];
  }
  return with_table(0, variance, std::move(table));
}

Moments geometric_moments(const Rational& success) {
  const double mean = real((1 - success) / success);
  const double variance = real((1 - success) / (success * success));
  const auto tail = [rate = log1p(-big(success))](Int128 k) -> std::optional<double> {
    return middle(exp(rate * big(Rational(k))));
  };
  return {mean, variance, tail, mean, std::sqrt(variance)};
}

Moments truncated_geometric_moments(const Rational& scale, Int128 upper, Int128 value) {
  const BigInterval rate = big(1 / scale);
  const BigInterval q = exp(-rate);
  const Int128 room = upper - value;
  const auto power = [rate](Int128 k) { return exp(-(rate * big(Rational(k)))); };
  const BigInterval shift = mean_within(q, room, power(room)) - mean_within(q, value, power(value));
  const BigInterval square = square_within(q, room, power(room)) + square_within(q, value, power(value));
  const auto tail = [=](Int128 k) -> std::optional<double> {  // K >= k when the noise is at least k - value
    if (k > upper) return 0;
    const Int128 step = k > value ? k - value : value - k + 1;
    const double beyond = middle(power(step) / (big(1) + q));
    return k > value ? beyond : 1 - beyond;
  };
  const double mean = middle(big(Rational(value)) + shift);
  const double variance = middle(square - shift * shift);
  return {mean, variance, tail, mean, std::sqrt(variance)};
}

Moments binomial_moments(Int128 trials, const Rational& success) {
  const Rational mean = Rational(trials) * success;
  const double variance = real(mean * (1 - success));
  const double spread = std::sqrt(variance);
  if (spread > kMostSpread) return {real(mean), variance, not_known, real(mean), spread};
  const double n = real(trials);
  const double p = real(success);
  const double r = real(1 - success);
  const Int128 mode = std::min(trials, (mean + success).floor());
  return with_table(real(mean), variance,
                    table_from(
                        mode, [=](double k) { return k >= n ? 0 : (n - k) * p / ((k + 1) * r); },
                        [=](double k) { return k <= 0 ? 0 : k * r / ((n - k + 1) * p); }));
}

Moments poisson_moments(const Rational& rate) {
  const double mean = real(rate);
  if (std::sqrt(mean) > kMostSpread) return {mean, mean, not_known, mean, std::sqrt(mean)};
  if (mean == 0) return choice_moments({1});
  return with_table(mean, mean, poisson_table(rate));
}

// P(X - Y >= k) is the sum over y of P(Y = y) P(X >= k + y).
double difference_upper(const Table& x, const Table& y, Int128 k) {
  double sum = 0;
  double beyond = 0;
  Int128 from = x.first + static_cast<Int128>(x.p.size());  // P(X >= from) is `beyond`
  for (std::size_t i = y.p.size(); i-- > 0;) {
    const Int128 wanted = k + y.first + static_cast<Int128>(i);
    while (from > wanted && from > x.first) beyond += x.p[static_cast<std::size_t>(--from - x.first)];
    sum += y.p[i] * beyond;
  }
  return sum;
}

Moments skellam_moments(const Rational& plus, const Rational& minus) {
  if (minus == 0) return poisson_moments(plus);
  const double mean = real(plus - minus);
  const double variance = real(plus + minus);
  const double spread = std::sqrt(variance);
  if (spread > kMostSpread) return {mean, variance, not_known, mean, spread};
  const Table x = plus == 0 ? Table{0, {1}} : poisson_table(plus);
  auto tail = [x, y = poisson_table(minus)](Int128 k) -> std::optional<double> {
    return difference_upper(x, y, k) + difference_upper(y, x, k);
  };
  return {mean, variance, std::move(tail), mean, spread};
}

Moments uniform_moments(Int128 below) {
  const double n = real(below);
  const double variance = (n * n - 1) / 12;
  const auto tail = [below](Int128 k) -> std::optional<double> {
    return k >= below ? 0 : real(below - k) / real(below);
  };
  return {(n - 1) / 2, variance, tail, (n - 1) / 2, std::sqrt(variance)};
}

Moments choice_moments(const std::vector<double>& weights) {
  Table table{0, weights};
  normalise(table.p);
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < table.p.size(); ++i) {
    const auto k = static_cast<double>(i);
    mean += k * table.p[i];
    square += k * k * table.p[i];
  }
  return with_table(mean, std::max(0.0, square - mean * mean), std::move(table));
}

}  // namespace dither::random
