#include "audit/one_run_tradeoff.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accounting/gaussian.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"

namespace dither::audit {

namespace {

double normal(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

LeastOther gaussian_least_other(double mu) {
  return [mu](double x) { return x >= 1 ? 1 : normal(ndtri_down(x) - mu); };
}

bool one_run_refutes(const OneRunGuesses& guesses, const LeastOther& least, double false_alarm) {
  detail::require_count("the number of canaries", guesses.canaries, 1, 1'000'000'000);
  detail::require_count("the number of guesses", guesses.guesses, 1, guesses.canaries);
  detail::require_count("the number of right guesses", guesses.right, 0, guesses.guesses);
  detail::require_open_probability("the false alarm", false_alarm);
  const double canaries = static_cast<double>(guesses.canaries);
  const double all = static_cast<double>(guesses.guesses);
  double right = false_alarm * static_cast<double>(guesses.right) / canaries;
  double wrong = false_alarm * static_cast<double>(guesses.guesses - guesses.right) / canaries;
  for (std::int64_t i = guesses.right - 1; i >= 0; --i) {
    const double more = std::max(wrong, least(right));
    if (more == wrong) break;  // nothing changes any more
    const double fewer = static_cast<double>(i);
    right = std::min(1.0, right + (more - wrong) * fewer / (all - fewer));
    wrong = more;
  }
  return right + wrong > all / canaries * (1 + 1e-9);
}

double epsilon_lower_bound_one_run_if_gaussian(const OneRunGuesses& guesses, double delta, double false_alarm) {
  detail::require_open_probability("delta", delta);
  const auto refuted = [&](double epsilon) {
    const double mu = accounting::gaussian_mu_up(epsilon, delta);
    return one_run_refutes(guesses, gaussian_least_other(mu), false_alarm);
  };
  if (!refuted(0)) return 0;
  double low = 0;
  double high = 1;
  while (high < 700 && refuted(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (refuted(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace dither::audit
