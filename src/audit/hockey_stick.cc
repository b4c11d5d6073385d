// One input is drawn by a biased coin and a classifier guesses which: how often it is right bounds delta (T-47).
#include <algorithm>
#include <cmath>

#include "audit/detail/binned_search.h"
#include "audit/detail/own_report.h"
#include "audit/detail/power.h"
#include "audit/lower_bound.h"
#include "audit/tester.h"
#include "base/directed.h"
#include "random/binomial.h"
#include "random/source.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {

namespace {

using detail::BinCounts;
using detail::Hope;

// Where the accuracy of fresh runs is expected to be furthest above what the promise allows. Training errors count twice:
// the bins were chosen on the same runs.
Hope hope(const BinCounts& likelier, const BinCounts& other, const Promise& promise, const Effort& effort) {
  Hope best{-HUGE_VAL, promise.epsilons().front()};
  for (const double epsilon : promise.epsilons()) {
    const double grown = std::exp(epsilon);
    const std::vector<bool> chosen = detail::telling(likelier, other, epsilon);
    const double p = static_cast<double>(likelier.hits_of(chosen)) / static_cast<double>(likelier.runs);
    const double q = static_cast<double>(other.hits_of(chosen)) / static_cast<double>(other.runs);
    const double error = std::sqrt((p + grown * grown * q) / static_cast<double>(likelier.runs));
    const double gain = (p - grown * q - promise.delta(epsilon) - 2 * error) / (1 + grown);
    const double spread =
        grown / ((1 + grown) * (1 + grown)) / static_cast<double>(std::max<std::int64_t>(1, effort.certify));
    const double worth = gain - std::sqrt(2 * spread * std::log(2 / effort.false_alarm));
    if (worth > best.worth) best = {worth, epsilon};
  }
  return best;
}

}  // namespace

// The coin shows the likelier input with probability p <= 1 / (1 + e^epsilon). A classifier that says "likelier" on S is
// right with probability p P(S) + (1 - p)(1 - P'(S)), and since p e^epsilon <= 1 - p, a mechanism with the promise has
// p P(S) <= (1 - p) P'(S) + p delta: it is right with probability at most 1 - p + p delta. Rounds are independent, so that
// how often it is right is binomial, and Clopper-Pearson's lower bound exceeds the truth with probability at most half the
// alarm. The other half goes to the bound on epsilon, which is that of T-34. Both hold at once except with the whole
// alarm, so that either refutes.
Report hockey_stick(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "hockey-stick", effort);
  const auto judge = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, target.promise, effort); };
  const auto found = detail::search_bins(target, effort, {}, judge, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));

  const double epsilon = found->hope.parameter;
  const double delta = target.promise.delta(epsilon);
  const double coin = div_down(1, add_up(1, exp_up(epsilon)));
  const std::vector<bool> chosen = detail::telling(found->likelier, found->other, epsilon);  // the classifier
  const std::int64_t rounds = std::max<std::int64_t>(1, effort.certify);
  const random::Binomial heads(static_cast<std::uint64_t>(rounds), Rational::from_double(coin));
  const std::int64_t wanted = heads.draw(random::Source::this_thread());
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  const BinCounts likelier = detail::count(side.likelier, target.shape, found->bins, wanted, effort);
  const BinCounts other = detail::count(side.other, target.shape, found->bins, rounds - wanted, effort);
  if (likelier.runs < wanted || other.runs < rounds - wanted) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }
  if (wanted == 0 || wanted == rounds) {
    return std::move(own).nothing_tested(
        "the coin always showed the same side, too few runs for it: nothing was tested");
  }

  const std::int64_t said = likelier.hits_of(chosen), wrong = other.hits_of(chosen);
  const double accuracy = stats::probability_lower_bound(said + other.runs - wrong, rounds, effort.false_alarm / 2);
  const double allowed = add_up(sub_up(1, coin), mul_up(coin, delta));
  Report& report = own.report;
  const ErrorCounts errors{wrong, other.runs, likelier.runs - said, likelier.runs};
  report.promised = epsilon;
  report.delta = delta;
  report.runs = std::min(likelier.runs, other.runs);
  report.ceiling =
      std::max(0.0, std::log((1 - delta) * static_cast<double>(rounds) / std::log(2 / effort.false_alarm)));
  report.lower_bound = epsilon_lower_bound(errors, delta, effort.false_alarm / 2);
  // A mechanism with (x, delta), x >= epsilon, is guessed with probability at most (e^x + delta) / (1 + e^x).
  if (accuracy > allowed) {
    const double refuted = log_down(div_down(sub_down(accuracy, delta), sub_up(1, accuracy)));
    report.lower_bound = std::max(report.lower_bound, refuted);
  }
  report.verdict = accuracy > allowed || report.lower_bound > epsilon ? Verdict::violated : Verdict::none_found;
  // By a classifier that such a leak would have taught.
  const auto power_against = [&](double times) {
    const std::vector<bool> taught = detail::telling(found->likelier, found->other, epsilon / times);
    const std::int64_t right = likelier.hits_of(taught);
    const auto refutes = [&](std::int64_t mistakes) {
      const ErrorCounts counts{mistakes, other.runs, likelier.runs - right, likelier.runs};
      return stats::probability_lower_bound(right + other.runs - mistakes, rounds, effort.false_alarm / 2) > allowed ||
             epsilon_lower_bound(counts, delta, effort.false_alarm / 2) > epsilon;
    };
    return detail::power_of_event(times,
                                  {detail::smoothed_share(right, likelier.runs),
                                   detail::smoothed_share(other.hits_of(taught), other.runs), other.runs},
                                  delta, refutes);
  };
  report.power_1_5 = power_against(1.5);
  report.power_2 = std::max(report.power_1_5, power_against(2));
  report.witness = Witness{.first = side.likelier_name,
                           .second = side.other_name,
                           .event = detail::describe(found->bins, chosen),
                           .runs_first = likelier.runs,
                           .runs_second = other.runs,
                           .hits_first = said,
                           .hits_second = wrong,
                           .least_first = stats::probability_lower_bound(said, likelier.runs, effort.false_alarm / 4),
                           .most_second = stats::probability_upper_bound(wrong, other.runs, effort.false_alarm / 4),
                           .epsilon = epsilon,
                           .delta = delta};
  return std::move(own).finish();
}

}  // namespace dither::audit
