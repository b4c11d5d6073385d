// Bins of equal width, each compared in both directions (T-48, W-62).
#include "audit/stochastic.h"

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

constexpr std::size_t kMostBins = 200;

// What one bin proves: bounds that hold jointly, and the epsilon at delta that they refute.
struct Proof {
  std::size_t bin = 0;
  bool swapped = false;
  double least = 0, most = 1;
  double lower_bound = 0;
};

// For each of both ends of every bin, in both directions.
double alarm_of_end(std::size_t bins, double alarm) { return alarm / static_cast<double>(4 * bins); }

Proof prove(const BinCounts& likelier, const BinCounts& other, std::size_t bin, double delta, double alarm) {
  Proof proof{.bin = bin};
  proof.least = stats::probability_lower_bound(likelier.hits[bin], likelier.runs, alarm);
  proof.most = stats::probability_upper_bound(other.hits[bin], other.runs, alarm);
  proof.lower_bound = detail::refuted_epsilon(proof.least, proof.most, delta);
  return proof;
}

// About what Clopper and Pearson will say of the best bin, from training shares.
Hope hope(const BinCounts& likelier, const BinCounts& other, const Promise& promise, const Effort& effort) {
  Hope best{-HUGE_VAL, promise.epsilons().front()};
  const double bins = static_cast<double>(likelier.hits.size());
  const double far = 2 * std::log(4 * bins / effort.false_alarm);
  const double spread =
      1 / static_cast<double>(std::max<std::int64_t>(1, effort.certify)) + 1 / static_cast<double>(likelier.runs);
  for (std::size_t i = 0; i < likelier.hits.size(); ++i) {
    const double p = likelier.share(i), q = other.share(i);
    const double least = p - std::sqrt(far * p * spread);
    const double most = q + std::sqrt(far * q * spread) + far * spread / 2;
    for (const double epsilon : promise.epsilons()) {
      const double delta = promise.delta(epsilon);
      const double worth = least > delta ? std::log((least - delta) / most) - epsilon : -HUGE_VAL;
      if (worth > best.worth) best = {worth, epsilon};
    }
  }
  return best;
}

Proof best_proof(const BinCounts& first, const BinCounts& second, double delta, double alarm) {
  const double each = alarm_of_end(first.hits.size(), alarm);
  Proof best;
  for (std::size_t i = 0; i < first.hits.size(); ++i) {
    const bool swapped = second.share(i) > first.share(i);
    Proof proof = swapped ? prove(second, first, i, delta, each) : prove(first, second, i, delta, each);
    proof.swapped = swapped;
    if (i == 0 || proof.lower_bound > best.lower_bound) best = proof;
  }
  return best;
}

}  // namespace

// Every bin has an exact lower bound on one side's probability and an exact upper bound on the other's, in both
// directions. All of them hold at once except with probability effort.false_alarm (union bound over bins, directions and
// sides); where they do, no bin of a mechanism that keeps its promise refutes it. The rule that it replaces, "at most 5% of
// the comparisons fail", has no alarm that anybody could state.
Report stochastic(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "stochastic", effort);
  const auto judge = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, target.promise, effort); };
  const detail::BinChoice choice{.most = kMostBins, .rule = detail::BinRule::freedman_diaconis};
  const auto found = detail::search_bins(target, effort, choice, judge, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));

  const double epsilon = found->hope.parameter;
  const double delta = target.promise.delta(epsilon);
  const std::int64_t wanted = std::max<std::int64_t>(1, effort.certify);
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  const BinCounts likelier = detail::count(side.likelier, target.shape, found->bins, wanted, effort);
  const BinCounts other = detail::count(side.other, target.shape, found->bins, wanted, effort);
  if (likelier.runs == 0 || other.runs == 0) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }

  const Proof proof = best_proof(likelier, other, delta, effort.false_alarm);
  const BinCounts& first = proof.swapped ? other : likelier;
  const BinCounts& second = proof.swapped ? likelier : other;
  Report& report = own.report;
  report.verdict = proof.lower_bound > epsilon ? Verdict::violated : Verdict::none_found;
  report.promised = epsilon;
  report.delta = delta;
  report.lower_bound = proof.lower_bound;
  report.runs = std::min(first.runs, second.runs);
  const double each = alarm_of_end(found->bins.size(), effort.false_alarm);
  const auto refuted = [&](std::int64_t hits_first, std::int64_t hits_second, double at_delta) {
    return detail::refuted_epsilon(stats::probability_lower_bound(hits_first, first.runs, each),
                                   stats::probability_upper_bound(hits_second, second.runs, each), at_delta);
  };
  report.ceiling = refuted(first.runs, 0, delta);
  const std::int64_t hits = first.hits[proof.bin];
  const detail::SeenShares seen{detail::smoothed_share(hits, first.runs),
                                detail::smoothed_share(second.hits[proof.bin], second.runs), second.runs};
  const auto power_against = [&](double times) {
    return detail::best_of_points(target.promise, [&](double at, double at_delta) {
      const auto refutes = [&](std::int64_t hits_second) { return refuted(hits, hits_second, at_delta) > at; };
      return detail::power_of_event(times, seen, at_delta, refutes);
    });
  };
  report.power_1_5 = power_against(1.5);
  report.power_2 = std::max(report.power_1_5, power_against(2));
  report.witness = Witness{.first = proof.swapped ? side.other_name : side.likelier_name,
                           .second = proof.swapped ? side.likelier_name : side.other_name,
                           .event = found->bins.name(proof.bin),
                           .runs_first = first.runs,
                           .runs_second = second.runs,
                           .hits_first = first.hits[proof.bin],
                           .hits_second = second.hits[proof.bin],
                           .least_first = proof.least,
                           .most_second = proof.most,
                           .epsilon = epsilon,
                           .delta = delta};
  return std::move(own).finish();
}

}  // namespace dither::audit
