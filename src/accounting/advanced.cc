#include "accounting/advanced.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "accounting/detail/require.h"
#include "accounting/failure.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

Rational count_of(const ApproximateRelease& release) {
  detail::require_count("times", release.times);
  return Rational(static_cast<long>(release.times));
}

void require(const ApproximateRelease& release) {
  if (release.epsilon.sign() < 0) {
    throw Error{Code::out_of_range, fmt::format("epsilon is {}, but it must not be negative", release.epsilon.str()),
                "give epsilon >= 0"};
  }
  detail::require_probability("delta", release.delta.to_double_up());
  if (release.delta.sign() < 0) detail::require_probability("delta", -1);
}

Rational sum_of_squares(std::span<const ApproximateRelease> releases) {
  Rational sum;
  for (const ApproximateRelease& release : releases) sum += release.epsilon * release.epsilon * count_of(release);
  return sum;
}

// sqrt(2 ln(1/delta) squares)
double spread_up(double squares, double delta) { return sqrt_up(mul_up(mul_up(2, -log_down(delta)), squares)); }

// e tanh(e / 2) = e (e^e - 1) / (e^e + 1), where (x - 1) / (x + 1) grows with x.
double mean_loss_up(double epsilon) {
  const double grown = expm1_up(epsilon);
  if (std::isinf(grown)) return epsilon;
  return std::min(epsilon, mul_up(epsilon, div_up(grown, add_down(grown, 2))));
}

// The sum of the epsilons or, when smaller, mean + spread.
double smaller_up(std::span<const ApproximateRelease> releases, double mean, double delta) {
  detail::require_probability("delta", delta);
  const std::optional<double> left = delta_beside_failure_down(delta, failure_up(releases));
  if (delta == 1) return 0;
  if (!left.has_value()) return kInfinity;
  const double basic = basic_epsilon(releases).to_double_up();
  if (*left == 0) return basic;
  return std::min(basic, add_up(mean, spread_up(sum_of_squares(releases).to_double_up(), *left)));
}

}  // namespace

Rational basic_epsilon(std::span<const ApproximateRelease> releases) {
  Rational sum;
  for (const ApproximateRelease& release : releases) {
    require(release);
    sum += release.epsilon * count_of(release);
  }
  return sum;
}

Rational basic_delta(std::span<const ApproximateRelease> releases) {
  Rational sum;
  for (const ApproximateRelease& release : releases) {
    require(release);
    sum += release.delta * count_of(release);
  }
  return sum;
}

double failure_up(std::span<const ApproximateRelease> releases) {
  FailureProbability failure;
  for (const ApproximateRelease& release : releases) {
    require(release);
    failure.add(release.delta.to_double_up(), release.times);
  }
  return failure.up();
}

double advanced_epsilon_up(std::span<const ApproximateRelease> releases, double delta) {
  return smaller_up(releases, (sum_of_squares(releases) / Rational(2)).to_double_up(), delta);
}

double tanh_epsilon_up(std::span<const ApproximateRelease> releases, double delta) {
  double mean = 0;
  for (const ApproximateRelease& release : releases) {
    require(release);
    mean = add_up(mean, mul_up(mean_loss_up(release.epsilon.to_double_up()), static_cast<double>(release.times)));
  }
  return smaller_up(releases, mean, delta);
}

double first_advanced_epsilon_up(double epsilon, std::uint64_t k, double delta) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_count("k", k);
  detail::require_probability("delta", delta);
  if (epsilon == 0) return 0;
  if (delta == 0) return kInfinity;
  const double times = static_cast<double>(k);
  const double mean = mul_up(times, mul_up(epsilon, expm1_up(epsilon)));
  return add_up(mean, mul_up(epsilon, spread_up(times, delta)));
}

}  // namespace dither::accounting
