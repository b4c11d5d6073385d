#include "audit/attack_power.h"

#include <algorithm>
#include <cmath>

#include "accounting/tradeoff.h"
#include "audit/detail/power.h"
#include "audit/gaussian_audit.h"
#include "base/directed.h"
#include "stats/binomial.h"
#include "stats/clopper_pearson.h"
#include "stats/dkw.h"

namespace dither::audit {

namespace {

constexpr double kLump = 1.0 / 64;
constexpr double kRest = 1e-6;  // of the false positives, not counted on
constexpr std::int64_t kMostRuns = 1'000'000'000;

bool refutes(const AttackedClaim& claim, const ErrorRates& rates) {
  return epsilon_of_rates_down(rates, claim.delta) > claim.epsilon || (claim.mu && mu_of_rates_down(rates) > *claim.mu);
}

// The largest count in low..high for which it holds; it holds for `low`, and up to some count.
std::int64_t last(std::int64_t low, std::int64_t high, const std::function<bool(std::int64_t)>& holds) {
  ++high;  // where it does not hold, or no count is
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// The largest end of the false negative rate that still refutes beside this one of false positives; below 0 if none.
double most_false_negative(const AttackedClaim& claim, double false_positive) {
  if (!refutes(claim, {false_positive, 0})) return -1;
  double low = 0, high = 1;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (refutes(claim, {false_positive, middle}) ? low : high) = middle;
  }
  return low;
}

// The rates of an attack that keeps one of its own and loses nothing on the other.
double least_other(const AttackedClaim& claim, double times, double rate) {
  return claim.mu ? accounting::gaussian_tradeoff_down(times * *claim.mu, rate)
                  : accounting::tradeoff_down(times * claim.epsilon, claim.delta, rate);
}

}  // namespace

UpperEnds exact_ends(double false_alarm) {
  return {[false_alarm](std::int64_t errors, std::int64_t runs) {
            return stats::probability_upper_bound(errors, runs, false_alarm / 2);
          },
          [false_alarm](std::int64_t errors, std::int64_t runs, double most) {
            return stats::binomial_lower(errors, runs, most) <= false_alarm / 2;
          }};
}

UpperEnds band_ends(double false_alarm) {
  const auto rate = [false_alarm](std::int64_t errors, std::int64_t runs) {
    const double seen = div_up(static_cast<double>(errors), static_cast<double>(runs));
    return std::min(1.0, add_up(seen, stats::dkw_band(runs, false_alarm)));
  };
  return {rate, [rate](std::int64_t errors, std::int64_t runs, double most) { return rate(errors, runs) <= most; }};
}

double chance_to_refute(const AttackRuns& runs, const ErrorRates& truth, const AttackedClaim& claim,
                        const UpperEnds& ends) {
  const std::int64_t negative = std::min(runs.negative, kMostRuns);
  const std::int64_t positive = std::min(runs.positive, kMostRuns);
  const auto at_most = [&](std::int64_t errors) {
    return stats::binomial_lower(errors, negative, truth.false_positive);
  };
  double chance = 0;
  double below = 0;  // the probability of fewer false positives than `first`
  for (std::int64_t first = 0; first <= negative && below < 1 - kRest;) {
    const double until = std::min(below + kLump, 1 - kRest);
    const std::int64_t worst =
        last(first, negative, [&](std::int64_t errors) { return errors == first || at_most(errors) <= until; });
    const double most = most_false_negative(claim, ends.rate(worst, negative));
    const double reached = at_most(worst);
    if (most >= 0 && ends.rate_is_most(0, positive, most)) {
      const std::int64_t allowed =
          last(0, positive, [&](std::int64_t errors) { return ends.rate_is_most(errors, positive, most); });
      chance += (reached - below) * stats::binomial_lower(allowed, positive, truth.false_negative);
    }
    below = reached;
    first = worst + 1;
  }
  return chance;
}

double power_of_errors(const ErrorCounts& seen, const AttackedClaim& claim, double times, const UpperEnds& ends) {
  const AttackRuns runs{seen.negative_runs, seen.positive_runs};
  const double false_positive = detail::smoothed_share(seen.false_positives, seen.negative_runs);
  const double false_negative = detail::smoothed_share(seen.false_negatives, seen.positive_runs);
  return std::max(chance_to_refute(runs, {false_positive, least_other(claim, times, false_positive)}, claim, ends),
                  chance_to_refute(runs, {least_other(claim, times, false_negative), false_negative}, claim, ends));
}

double power_of_guesses(std::int64_t guesses, double rate, const std::function<bool(std::int64_t right)>& refutes) {
  if (!refutes(guesses)) return 0;
  const std::int64_t spare = last(0, guesses, [&](std::int64_t wrong) { return refutes(guesses - wrong); });
  return stats::binomial_upper(guesses - spare, guesses, rate);
}

}  // namespace dither::audit
