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

// What was chosen in training, on as many fresh runs of both inputs. A quarter of the alarm is for each direction as a
// whole, half for the witnesses of both.
struct Fresh {
  const detail::Finding& found;
  BinCounts likelier, other;
  double epsilon, delta, alarm;

  std::int64_t runs() const { return likelier.runs; }
  Direction direction(bool back) const { return back ? Direction{other, likelier} : Direction{likelier, other}; }
  bool refuted(bool back) const { return direction(back).refutes(epsilon, delta, alarm / 4); }
  double tolerance(double at) const {
    return histogram_tolerance(static_cast<std::int64_t>(found.bins.size()), runs(), at, alarm / 4);
  }
  // Where the histograms of training differ by more than so much.
  std::vector<bool> event(bool back, double at) const {
    return back ? detail::telling(found.other, found.likelier, at) : detail::telling(found.likelier, found.other, at);
  }
  double ceiling() const {
    double as_a_whole = 0;
    while (as_a_whole < 40 && tolerance(as_a_whole) < 1 - delta) as_a_whole += 0.05;
    return std::max(as_a_whole, EventBounds(runs(), 0, runs(), alarm).refuted(delta));
  }
  // By the event that such a leak would have shown.
  double power_against(double times, bool back, const Promise& promise) const {
    return detail::best_of_points(promise, [&](double at, double at_delta) {
      const std::vector<bool> shown = event(back, at / times);
      const std::int64_t hits_first = direction(back).likelier.hits_of(shown);
      const detail::SeenShares seen{detail::smoothed_share(hits_first, runs()),
                                    detail::smoothed_share(direction(back).other.hits_of(shown), runs()), runs()};
      return detail::power_of_event(times, seen, at_delta, [&, slack = tolerance(at)](std::int64_t hits) {
        const double rate = static_cast<double>(hits) / static_cast<double>(runs());
        return seen.likelier - std::exp(at) * rate > at_delta + slack ||
               EventBounds(hits_first, hits, runs(), alarm).refuted(at_delta) > at;
      });
    });
  }
};

// The event that training chose, so that its bounds hold on fresh runs.
Witness witness_of(const Fresh& fresh, bool back, const detail::Sides& side) {
  const std::vector<bool> chosen = fresh.event(back, fresh.epsilon);
  Witness witness{.first = back ? side.other_name : side.likelier_name,
                  .second = back ? side.likelier_name : side.other_name,
                  .event = detail::describe(fresh.found.bins, chosen),
                  .runs_first = fresh.runs(),
                  .runs_second = fresh.runs(),
                  .hits_first = fresh.direction(back).likelier.hits_of(chosen),
                  .hits_second = fresh.direction(back).other.hits_of(chosen),
                  .epsilon = fresh.epsilon,
                  .delta = fresh.delta};
  const EventBounds bounds(witness.hits_first, witness.hits_second, fresh.runs(), fresh.alarm);
  witness.least_first = bounds.least;
  witness.most_second = bounds.most;
  return witness;
}

// The verdict, by both histograms as a whole or by the event alone.
void judge(const Fresh& fresh, const Promise& promise, const detail::Sides& side, Report& report) {
  const bool back = !fresh.refuted(false) && fresh.refuted(true);
  const bool as_a_whole = fresh.refuted(back);
  Witness witness = witness_of(fresh, back, side);
  const double by_event = detail::refuted_epsilon(witness.least_first, witness.most_second, fresh.delta);
  report.promised = fresh.epsilon;
  report.delta = fresh.delta;
  report.runs = fresh.runs();
  report.lower_bound =
      std::max(fresh.direction(back).lower_bound(fresh.epsilon, fresh.delta, fresh.alarm / 4), by_event);
  if (as_a_whole) report.lower_bound = std::max(report.lower_bound, fresh.epsilon);
  report.verdict = as_a_whole || by_event > fresh.epsilon ? Verdict::violated : Verdict::none_found;
  report.ceiling = fresh.ceiling();
  report.power_1_5 = fresh.power_against(1.5, back, promise);
  report.power_2 = std::max(report.power_1_5, fresh.power_against(2, back, promise));
  if (report.verdict == Verdict::violated) {
    report.notes.emplace_back(
        by_event > fresh.epsilon
            ? "the event is where the histograms differ, and is proof by itself"
            : "the event is where the histograms differ; the proof is their difference as a whole");
  }
  report.witness = std::move(witness);
}

}  // namespace

double histogram_tolerance(std::int64_t cells, std::int64_t runs, double epsilon, double false_alarm) {
  const double spread = (1 + std::exp(2 * epsilon)) / static_cast<double>(runs);
  const double tolerance =
      0.5 * std::sqrt(static_cast<double>(cells) * spread) + std::sqrt(spread * std::log(1 / false_alarm) / 2);
  return tolerance * (1 + 1e-12);  // more than the rounding above
}

Report histogram(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "histogram", effort);
  const auto worth = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, target.promise, effort); };
  const auto found = detail::search_bins(target, effort, {.most = kMostBins}, worth, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));
  const double epsilon = found->hope.parameter;
  const std::int64_t wanted = std::max<std::int64_t>(1, effort.certify);
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  const Fresh fresh{*found,
                    detail::count(side.likelier, target.shape, found->bins, wanted, effort),
                    detail::count(side.other, target.shape, found->bins, wanted, effort),
                    epsilon,
                    target.promise.delta(epsilon),
                    effort.false_alarm};
  if (fresh.likelier.runs != fresh.other.runs || fresh.runs() == 0) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }
  judge(fresh, target.promise, side, own.report);
  return std::move(own).finish();
}

}  // namespace dither::audit
