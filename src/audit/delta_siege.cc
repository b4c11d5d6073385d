#include "audit/delta_siege.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/cut.h"
#include "audit/detail/ranked_attack.h"
#include "stats/dkw.h"

namespace dither::audit {

namespace {

using detail::Ranking;
using detail::Runs;
using detail::Suspicion;

constexpr double kBandAlarm = 0.05;  // of the choice, not of the test
constexpr int kThresholds = 1000;
constexpr double kMostSevere = 1000;

// Scores from the top, of one input.
class Above {
 public:
  explicit Above(std::vector<double> scores) : scores_(std::move(scores)) { std::sort(scores_.begin(), scores_.end()); }
  double share(double threshold) const {
    const auto from = std::lower_bound(scores_.begin(), scores_.end(), threshold);
    return static_cast<double>(scores_.end() - from) / static_cast<double>(scores_.size());
  }
  double at(int i) const { return scores_[static_cast<std::size_t>(i) * (scores_.size() - 1) / kThresholds]; }
  double band() const { return stats::dkw_band(static_cast<std::int64_t>(scores_.size()), kBandAlarm / 2); }

 private:
  std::vector<double> scores_;
};

struct Siege {
  double threshold = 0;
  double epsilon = 0;
  double beyond = -HUGE_VAL;  // how far the frontier lies above the curve
};

// Thresholds at the quantiles of the likelier input.
Siege lay(const Above& first, const Above& second, std::span<const CurvePoint> points) {
  Siege best;
  for (int i = 0; i <= kThresholds; ++i) {
    const double threshold = first.at(i);
    const double least = first.share(threshold) - first.band();
    const double most = second.share(threshold) + second.band();
    for (const CurvePoint& point : points) {
      const double beyond = least - std::exp(point.epsilon) * most - point.delta;
      if (beyond > best.beyond) best = {threshold, point.epsilon, beyond};
    }
  }
  return best;
}

std::vector<double> negated(std::vector<double> scores) {
  for (double& score : scores) score = 0 - score;
  return scores;
}

// The best siege of one ranking, in both directions.
Suspicion besiege(const Ranking& ranking, const Runs& runs, std::size_t pair, std::span<const CurvePoint> points) {
  const std::vector<double> first = scores_of(runs.first, ranking);
  const std::vector<double> second = scores_of(runs.second, ranking);
  const Siege high = lay(Above(first), Above(second), points);
  const Siege low = lay(Above(negated(second)), Above(negated(first)), points);
  const bool swapped = low.beyond > high.beyond;
  const Siege& best = swapped ? low : high;
  return {{pair, swapped, set_above(swapped ? detail::opposite(ranking) : ranking, best.threshold), best.epsilon},
          best.beyond};
}

Suspicion cut(const Target& target, const Ranking& ranking, const Runs& runs, std::size_t pair, const Effort& effort) {
  const Cut best = best_cut(scores_of(runs.first, ranking), scores_of(runs.second, ranking), target.promise, effort);
  return {{pair, best.swapped, set_above(ranking, best.threshold), best.epsilon}, best.margin};
}

// What the same mechanism promises with noise so many times as narrow, where the curve has a parameter for it.
std::optional<accounting::Curve> weaker(const accounting::Curve& curve, double times) {
  const Rational factor = Rational::from_double(times);
  if (const auto* one = std::get_if<accounting::ApproximateDp>(&curve)) {
    return accounting::ApproximateDp{one->epsilon * factor, one->delta};
  }
  if (const auto* one = std::get_if<accounting::ConcentratedDp>(&curve)) {
    return accounting::ConcentratedDp{one->rho * factor * factor, one->delta};
  }
  if (const auto* one = std::get_if<accounting::GaussianDp>(&curve)) {
    return accounting::GaussianDp{one->squared_mu * factor * factor};
  }
  return std::nullopt;
}

void keep_better(std::optional<Suspicion>& best, Suspicion other) {
  if (!best || other.margin > best->margin) best = std::move(other);
}

}  // namespace

std::vector<CurvePoint> siege_points(const Promise& promise) {
  std::vector<CurvePoint> points;
  const std::vector<double>& epsilons = promise.epsilons();
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    points.push_back({epsilons[i], promise.deltas()[i]});
    for (int part = 1; part < 5 && i + 1 < epsilons.size(); ++part) {
      const double between = epsilons[i] + (epsilons[i + 1] - epsilons[i]) * part / 5;
      points.push_back({between, promise.delta(between)});
    }
  }
  return points;
}

double severity(const Promise& promise, double first, double second) {
  if (!(first > second)) return 1;
  if (const std::optional<double> pure = promise.pure_epsilon()) {
    return std::clamp(std::log(first / second) / *pure, 1.0, kMostSevere);
  }
  const double last = second > 0 ? std::log(first / second) : 50;  // the frontier meets delta = 0 here
  const auto allowed = [&](double times) {
    const std::optional<accounting::Curve> weak = weaker(promise.curve(), times);
    for (int i = 0; i <= 32; ++i) {
      const double epsilon = last * i / 32;
      const double delta = weak ? accounting::delta_up(*weak, epsilon) : promise.delta(epsilon / times);
      if (first - std::exp(epsilon) * second > delta) return false;
    }
    return true;
  };
  if (!allowed(kMostSevere)) return kMostSevere;
  double low = 1;
  double high = kMostSevere;
  if (allowed(low)) return 1;
  while (high / low > 1.01) {
    const double middle = std::sqrt(low * high);
    (allowed(middle) ? high : low) = middle;
  }
  return low;
}

Report delta_siege(const Target& target, const Effort& effort) {
  const std::vector<CurvePoint> points = siege_points(target.promise);
  // Rankings of one pair, and other runs to choose sets on.
  const auto rank = [&](std::size_t pair, std::int64_t runs, const auto& use) {
    const Runs training = detail::draw_runs(target, pair, runs / 2, effort);
    const Runs other = detail::draw_runs(target, pair, runs - runs / 2, effort);
    if (!training.any() || !other.any()) return;
    for (const Ranking& ranking : detail::rank_by_logistic(training, target.shape, effort.seed)) use(ranking, other);
  };
  const detail::Search quick = [&](std::size_t pair, std::int64_t runs) {
    std::vector<Suspicion> found;
    rank(pair, runs, [&](const Ranking& ranking, const Runs& other) {
      found.push_back(cut(target, ranking, other, pair, effort));
    });
    return found;
  };
  std::optional<Suspicion> by_band;
  std::optional<Suspicion> by_cut;
  for (const std::size_t pair : detail::promising_pairs_of(target, effort, quick)) {
    rank(pair, effort.search, [&](const Ranking& ranking, const Runs& other) {
      keep_better(by_band, besiege(ranking, other, pair, points));
      keep_better(by_cut, cut(target, ranking, other, pair, effort));
    });
  }
  std::vector<Bet> bets;
  const bool rare = by_cut && by_cut->margin > 0 && by_band->margin <= 0;  // the band sees nothing, the cut does
  if (by_band && !rare) bets.push_back(by_band->bet);
  if (by_cut) bets.push_back(by_cut->bet);
  Report report = settle(target, "delta-siege", bets, effort);
  if (const auto note = detail::quick_pairs(target)) report.notes.push_back(*note);
  if (report.verdict == Verdict::violated) {
    const double times = severity(target.promise, report.witness->least_first, report.witness->most_second);
    report.notes.push_back(fmt::format("severity {:.3g}: about how many times too narrow the noise is", times));
  }
  return report;
}

}  // namespace dither::audit
