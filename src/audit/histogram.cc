// The whole histogram at once, in both directions (T-49).
#include "audit/histogram.h"

#include <algorithm>
#include <cmath>

#include "audit/detail/binned_search.h"
#include "audit/detail/means.h"
#include "audit/detail/own_report.h"
#include "audit/detail/power.h"
#include "audit/tester.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {

namespace {

using detail::BinCounts;
using detail::Hope;

constexpr std::size_t kMostBins = 32;
constexpr double kRounding = 1e-12;  // of the sums of shares, and far more than it

double excess(const BinCounts& likelier, const BinCounts& other, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < likelier.hits.size(); ++i) {
    sum += std::max(0.0, likelier.share(i) - std::exp(epsilon) * other.share(i));
  }
  return sum;
}

// What fresh runs are expected to show beyond the tolerance: the training sum less its own bias.
Hope hope(const BinCounts& likelier, const BinCounts& other, const Promise& promise, const Effort& effort) {
  Hope best{-HUGE_VAL, promise.epsilons().front()};
  const auto cells = static_cast<double>(likelier.hits.size());
  for (const double epsilon : promise.epsilons()) {
    const double spread = 1 + std::exp(2 * epsilon);
    const double bias = 0.5 * std::sqrt(cells * spread / static_cast<double>(likelier.runs));
    const double tolerance =
        histogram_tolerance(static_cast<std::int64_t>(likelier.hits.size()), std::max<std::int64_t>(1, effort.certify),
                            epsilon, effort.false_alarm / 4);
    const double worth = excess(likelier, other, epsilon) - bias - tolerance - promise.delta(epsilon);
    if (worth > best.worth) best = {worth, epsilon};
  }
  return best;
}

struct Direction {
  const BinCounts& likelier;
  const BinCounts& other;
  bool refutes(double epsilon, double delta, double alarm) const {
    const std::int64_t runs = std::min(likelier.runs, other.runs);
    const double tolerance = histogram_tolerance(static_cast<std::int64_t>(likelier.hits.size()), runs, epsilon, alarm);
    return excess(likelier, other, epsilon) > delta + tolerance + kRounding;
  }
  // The last of some epsilons, fixed in advance, up to which all are refuted. A true epsilon below it would have been
  // refuted itself, or the next one above: probability at most `alarm`.
  double lower_bound(double promised, double delta, double alarm) const {
    const double step = std::max(0.01, promised / 20);
    double refuted = 0;
    for (int i = 0; i < 400 && refutes(step * i, delta, alarm); ++i) refuted = step * i;
    return refuted;
  }
};

// What the event refutes by itself, with so many hits among so many runs of each side: a quarter of the alarm for each
// direction.
struct EventBounds {
  double least, most;

  EventBounds(std::int64_t likelier, std::int64_t other, std::int64_t runs, double alarm)
      : least(stats::probability_lower_bound(likelier, runs, alarm / 8)),
        most(stats::probability_upper_bound(other, runs, alarm / 8)) {}
  double refuted(double delta) const { return detail::refuted_epsilon(least, most, delta); }
};

}  // namespace

double histogram_tolerance(std::int64_t cells, std::int64_t runs, double epsilon, double false_alarm) {
  const double spread = (1 + std::exp(2 * epsilon)) / static_cast<double>(runs);
  const double tolerance =
      0.5 * std::sqrt(static_cast<double>(cells) * spread) + std::sqrt(spread * std::log(1 / false_alarm) / 2);
  return tolerance * (1 + 1e-12);  // more than the rounding above
}

Report histogram(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "histogram", effort);
  const auto judge = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, target.promise, effort); };
  const auto found = detail::search_bins(target, effort, {.most = kMostBins}, judge, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));

  const double epsilon = found->hope.parameter;
  const double delta = target.promise.delta(epsilon);
  const std::int64_t wanted = std::max<std::int64_t>(1, effort.certify);
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  const BinCounts likelier = detail::count(side.likelier, target.shape, found->bins, wanted, effort);
  const BinCounts other = detail::count(side.other, target.shape, found->bins, wanted, effort);
  if (likelier.runs != other.runs || likelier.runs == 0) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }

  const double alarm = effort.false_alarm / 4;  // for each direction; half is left for the witnesses of both
  const Direction there{likelier, other}, back{other, likelier};
  const bool is_back = !there.refutes(epsilon, delta, alarm) && back.refutes(epsilon, delta, alarm);
  const Direction& best = is_back ? back : there;
  Report& report = own.report;
  const bool as_a_whole = best.refutes(epsilon, delta, alarm);
  report.promised = epsilon;
  report.delta = delta;
  report.runs = likelier.runs;
  report.lower_bound = best.lower_bound(epsilon, delta, alarm);
  if (as_a_whole) report.lower_bound = std::max(report.lower_bound, epsilon);
  const auto cells = static_cast<std::int64_t>(found->bins.size());
  double ceiling = 0;
  while (ceiling < 40 && histogram_tolerance(cells, report.runs, ceiling, alarm) < 1 - delta) ceiling += 0.05;
  report.ceiling = std::max(ceiling, EventBounds(report.runs, 0, report.runs, effort.false_alarm).refuted(delta));
  const double slack = histogram_tolerance(cells, report.runs, epsilon, alarm);
  // Chosen on training runs, so that its bounds hold on these.
  const BinCounts& seen_likelier = is_back ? found->other : found->likelier;
  const BinCounts& seen_other = is_back ? found->likelier : found->other;
  const std::vector<bool> chosen = detail::telling(seen_likelier, seen_other, epsilon);
  Witness witness{.first = is_back ? side.other_name : side.likelier_name,
                  .second = is_back ? side.likelier_name : side.other_name,
                  .event = detail::describe(found->bins, chosen),
                  .runs_first = report.runs,
                  .runs_second = report.runs,
                  .hits_first = best.likelier.hits_of(chosen),
                  .hits_second = best.other.hits_of(chosen),
                  .epsilon = epsilon,
                  .delta = delta};
  const EventBounds event(witness.hits_first, witness.hits_second, report.runs, effort.false_alarm);
  witness.least_first = event.least;
  witness.most_second = event.most;
  const double by_event = event.refuted(delta);
  report.lower_bound = std::max(report.lower_bound, by_event);
  report.verdict = as_a_whole || by_event > epsilon ? Verdict::violated : Verdict::none_found;
  // By the event that such a leak would have shown.
  const auto power_against = [&](double times) {
    const std::vector<bool> shown = detail::telling(seen_likelier, seen_other, epsilon / times);
    const std::int64_t hits_first = best.likelier.hits_of(shown);
    const detail::SeenShares seen{detail::smoothed_share(hits_first, report.runs),
                                  detail::smoothed_share(best.other.hits_of(shown), report.runs), report.runs};
    const auto refutes = [&](std::int64_t hits) {
      const double rate = static_cast<double>(hits) / static_cast<double>(report.runs);
      return seen.likelier - std::exp(epsilon) * rate > delta + slack ||
             EventBounds(hits_first, hits, report.runs, effort.false_alarm).refuted(delta) > epsilon;
    };
    return detail::power_of_event(times, seen, delta, refutes);
  };
  report.power_1_5 = power_against(1.5);
  report.power_2 = std::max(report.power_1_5, power_against(2));
  report.notes.emplace_back(by_event > epsilon ? "the event is where the histograms differ, and is proof by itself"
                                               : "the event is where the histograms differ; the proof is their "
                                                 "difference as a whole");
  report.witness = std::move(witness);
  return std::move(own).finish();
}

}  // namespace dither::audit
