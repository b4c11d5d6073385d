#include "audit/thresholds.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "audit/detail/require_rate.h"
#include "base/directed.h"
#include "stats/dkw.h"
#include "stats/roc.h"

namespace dither::audit {

namespace {

// Wilson's upper limit of a rate, z deviations up: close to the exact one and quick, good enough to choose by.
double foreseen_upper(std::int64_t hits, std::int64_t n, double z) {
  const double trials = static_cast<double>(n);
  const double rate = static_cast<double>(hits) / trials;
  const double spread = z * std::sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials));
  return std::min(1.0, (rate + z * z / (2 * trials) + spread) / (1 + z * z / trials));
}

void require(const AttackScores& scores, double delta, double false_alarm) {
  [[maybe_unused]] const stats::Roc curve(scores.out, scores.in);  // refuses empty samples and NaN
  detail::require_probability("delta", delta);
  detail::require_open_probability("the false alarm", false_alarm);
}

// Moves a random part of the scores into `taken`, at most all but one.
void take(std::vector<double>& scores, std::vector<double>& taken, double share, std::mt19937_64& choose) {
  detail::require_open_probability("the share to choose on", share);
  const auto size = static_cast<std::int64_t>(scores.size());
  const auto part = static_cast<std::int64_t>(share * static_cast<double>(size));
  detail::require_count("the number of scores to choose on", part, 1, std::max<std::int64_t>(1, size - 1));
  detail::require_count("the number of scores to count on", size - part, 1, size);
  for (std::int64_t i = 0; i < part; ++i) {  // the first places of a random order
    const auto other = i + static_cast<std::int64_t>(choose() % static_cast<std::uint64_t>(size - i));
    std::swap(scores[static_cast<std::size_t>(i)], scores[static_cast<std::size_t>(other)]);
  }
  taken.assign(scores.begin(), scores.begin() + part);
  scores.erase(scores.begin(), scores.begin() + part);
}

ErrorCounts errors_of_one_split(AttackScores scores, double share, double delta, double false_alarm,
                                std::mt19937_64& choose) {
  AttackScores training;
  take(scores.out, training.out, share, choose);
  take(scores.in, training.in, share, choose);
  return errors_at(scores, best_threshold(training, delta, false_alarm));
}

}  // namespace

ErrorCounts errors_at(const AttackScores& scores, double threshold) {
  const auto below = [threshold](double score) { return score < threshold; };
  const auto outs = static_cast<std::int64_t>(scores.out.size());
  return {outs - std::count_if(scores.out.begin(), scores.out.end(), below), outs,
          std::count_if(scores.in.begin(), scores.in.end(), below), static_cast<std::int64_t>(scores.in.size())};
}

double epsilon_at_threshold(const AttackScores& scores, double threshold, double delta, double false_alarm) {
  require(scores, delta, false_alarm);
  return epsilon_lower_bound(errors_at(scores, threshold), delta, false_alarm);
}

double epsilon_of_thresholds(const AttackScores& scores, std::span<const double> thresholds, double delta,
                             double false_alarm) {
  require(scores, delta, false_alarm);
  detail::require_count("the number of thresholds", static_cast<std::int64_t>(thresholds.size()), 1, 1'000'000'000);
  const double each = false_alarm / static_cast<double>(thresholds.size());
  double best = 0;
  for (const double threshold : thresholds) {
    best = std::max(best, epsilon_lower_bound(errors_at(scores, threshold), delta, each));
  }
  return best;
}

double epsilon_by_split(const AttackScores& scores, const SplitChoice& choice, double delta, double false_alarm) {
  return epsilon_lower_bound(errors_by_split(scores, choice, delta, false_alarm), delta, false_alarm);
}

ErrorCounts errors_by_split(const AttackScores& scores, const SplitChoice& choice, double delta, double false_alarm) {
  require(scores, delta, false_alarm);
  std::mt19937_64 choose(choice.seed);
  return errors_of_one_split(scores, choice.share, delta, false_alarm, choose);
}

double epsilon_by_median_of_splits(const AttackScores& scores, int splits, const SplitChoice& choice, double delta,
                                   double false_alarm) {
  require(scores, delta, false_alarm);
  detail::require_count("the number of splits", splits, 1, 1'000'000);
  std::mt19937_64 choose(choice.seed);
  std::vector<double> bounds;
  for (int i = 0; i < splits; ++i) {
    const ErrorCounts errors = errors_of_one_split(scores, choice.share, delta, false_alarm / 2, choose);
    bounds.push_back(epsilon_lower_bound(errors, delta, false_alarm / 2));
  }
  const auto middle = bounds.begin() + (splits - 1) / 2;
  std::nth_element(bounds.begin(), middle, bounds.end());
  return *middle;
}

double epsilon_by_band(const AttackScores& scores, double delta, double false_alarm) {
  require(scores, delta, false_alarm);
  const stats::Roc roc(scores.out, scores.in);
  // Two-sided at false_alarm has the width of one-sided at half of it.
  const double out_width = stats::dkw_band(roc.outs(), false_alarm);
  const double in_width = stats::dkw_band(roc.ins(), false_alarm);
  double best = 0;
  for (const stats::RocStep& step : roc.steps()) {
    const double hits = div_down(static_cast<double>(step.true_positives), static_cast<double>(roc.ins()));
    const double alarms = div_up(static_cast<double>(step.false_positives), static_cast<double>(roc.outs()));
    const ErrorRates rates{std::min(1.0, add_up(alarms, out_width)), std::min(1.0, add_up(sub_up(1, hits), in_width))};
    best = std::max(best, epsilon_of_rates_down(rates, delta));
  }
  return best;
}

double best_threshold(const AttackScores& training, double delta, double false_alarm) {
  require(training, delta, false_alarm);
  const stats::Roc roc(training.out, training.in);
  const double z = -ndtri_down(false_alarm / 2);
  double best = -1;
  std::size_t place = 0;
  for (std::size_t i = 0; i < roc.steps().size(); ++i) {
    const stats::RocStep& step = roc.steps()[i];
    const ErrorRates rates{foreseen_upper(step.false_positives, roc.outs(), z),
                           foreseen_upper(roc.ins() - step.true_positives, roc.ins(), z)};
    const double foreseen = epsilon_of_rates_down(rates, delta);
    if (foreseen <= best) continue;
    best = foreseen;
    place = i;
  }
  const double score = roc.steps()[place].threshold;
  if (place + 1 == roc.steps().size()) return score;
  const double next = roc.steps()[place + 1].threshold;
  const double between = score / 2 + next / 2;
  return std::isfinite(between) && between > next ? between : score;
}

}  // namespace dither::audit
