// Bins of equal width, each compared in both directions (T-48, W-62).
#include "audit/stochastic.h"

#include <algorithm>
#include <cmath>

#include "audit/detail/binned_search.h"
#include "audit/detail/own_report.h"
#include "audit/tester.h"
#include "base/directed.h"
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

Proof prove(const BinCounts& likelier, const BinCounts& other, std::size_t bin, double delta, double alarm) {
  Proof proof{.bin = bin};
  proof.least = stats::probability_lower_bound(likelier.hits[bin], likelier.runs, alarm / 2);
  proof.most = stats::probability_upper_bound(other.hits[bin], other.runs, alarm / 2);
  if (proof.least > delta)
    proof.lower_bound = std::max(0.0, log_down(div_down(sub_down(proof.least, delta), proof.most)));
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
  const double each = alarm / static_cast<double>(2 * first.hits.size());  // of every bin, in both directions
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
  const double far = std::log(4 * static_cast<double>(found->bins.size()) / effort.false_alarm);
  const double runs = static_cast<double>(report.runs);
  report.ceiling = std::max(0.0, std::log((1 - delta) * runs / far));
  const double seen = first.share(proof.bin);
  const double slack = std::sqrt(2 * far * seen / runs) * (1 + std::exp(epsilon / 2)) + std::exp(epsilon) * far / runs;
  report.power_1_5 = detail::power_against(1.5, {seen, second.share(proof.bin)}, epsilon, delta, slack, report.runs);
  report.power_2 = detail::power_against(2, {seen, second.share(proof.bin)}, epsilon, delta, slack, report.runs);
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
