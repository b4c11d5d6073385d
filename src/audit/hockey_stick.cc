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

// What so many rounds, all of them hits of the likelier input, would show.
double ceiling_of(double delta, double rounds, double alarm) {
  return std::max(0.0, std::log((1 - delta) * rounds / std::log(2 / alarm)));
}

// Where fresh runs are expected to lie the most deviations above what the promise allows, among the points that so many
// can refute. Training errors count twice: the bins were chosen on the same runs.
Hope hope(const BinCounts& likelier, const BinCounts& other, const Promise& promise, const Effort& effort) {
  Hope best{-HUGE_VAL, promise.epsilons().front()};
  const auto fresh = static_cast<double>(std::max<std::int64_t>(1, effort.certify));
  for (std::size_t i = 0; i < promise.epsilons().size(); ++i) {
    const double epsilon = promise.epsilons()[i], delta = promise.deltas()[i];
    if (ceiling_of(delta, fresh, effort.false_alarm) <= epsilon) continue;
    const double grown = std::exp(epsilon);
    const std::vector<bool> chosen = detail::telling(likelier, other, epsilon);
    const double p = detail::smoothed_share(likelier.hits_of(chosen), likelier.runs);
    const double q = detail::smoothed_share(other.hits_of(chosen), other.runs);
    const double spread = std::sqrt(p + grown * grown * q);
    const double error = spread / std::sqrt(static_cast<double>(likelier.runs));
    const double worth = (p - grown * q - delta - 2 * error) / (spread / std::sqrt(fresh));
    if (worth > best.worth) best = {worth, epsilon};
  }
  return best;
}

// What a classifier fixed in training said in fresh rounds: the coin, with this probability of the likelier input,
// chose the input of each. Half of the alarm is for how often it is right, half for the bound on epsilon by its errors.
struct Rounds {
  const detail::Finding& found;
  double epsilon, delta, coin, alarm;
  BinCounts likelier, other;

  double accuracy_allowed() const { return add_up(sub_up(1, coin), mul_up(coin, delta)); }
  // With `right` rounds of the likelier input and all but `wrong` of the other judged rightly.
  double accuracy(std::int64_t right, std::int64_t wrong) const {
    return stats::probability_lower_bound(right + other.runs - wrong, likelier.runs + other.runs, alarm / 2);
  }
  double epsilon_by_errors(std::int64_t right, std::int64_t wrong, double at) const {
    return epsilon_lower_bound({wrong, other.runs, likelier.runs - right, likelier.runs}, at, alarm / 2);
  }
  double ceiling() const { return ceiling_of(delta, static_cast<double>(likelier.runs + other.runs), alarm); }
  // By a classifier that such a leak would have taught.
  double power_against(double times, const Promise& promise) const {
    return detail::best_of_points(promise, [&](double at, double at_delta) {
      const std::vector<bool> taught = detail::telling(found.likelier, found.other, at / times);
      const std::int64_t right = likelier.hits_of(taught);
      const detail::SeenShares seen{detail::smoothed_share(right, likelier.runs),
                                    detail::smoothed_share(other.hits_of(taught), other.runs), other.runs};
      return detail::power_of_event(times, seen, at_delta, [&](std::int64_t wrong) {
        return (at == epsilon && accuracy(right, wrong) > accuracy_allowed()) ||
               epsilon_by_errors(right, wrong, at_delta) > at;
      });
    });
  }
};

// The verdict by either bound.
void judge(const Rounds& rounds, const Promise& promise, const detail::Sides& side, Report& report) {
  const std::vector<bool> chosen = detail::telling(rounds.found.likelier, rounds.found.other, rounds.epsilon);
  const std::int64_t right = rounds.likelier.hits_of(chosen), wrong = rounds.other.hits_of(chosen);
  const double accuracy = rounds.accuracy(right, wrong);
  report.promised = rounds.epsilon;
  report.delta = rounds.delta;
  report.runs = std::min(rounds.likelier.runs, rounds.other.runs);
  report.lower_bound = rounds.epsilon_by_errors(right, wrong, rounds.delta);
  // A mechanism with (x, delta), x >= epsilon, is guessed with probability at most (e^x + delta) / (1 + e^x).
  if (accuracy > rounds.accuracy_allowed()) {
    const double refuted = log_down(div_down(sub_down(accuracy, rounds.delta), sub_up(1, accuracy)));
    report.lower_bound = std::max(report.lower_bound, refuted);
  }
  const bool violated = accuracy > rounds.accuracy_allowed() || report.lower_bound > rounds.epsilon;
  report.verdict = violated ? Verdict::violated : Verdict::none_found;
  report.ceiling = rounds.ceiling();
  report.power_1_5 = rounds.power_against(1.5, promise);
  report.power_2 = std::max(report.power_1_5, rounds.power_against(2, promise));
  report.witness = Witness{.first = side.likelier_name,
                           .second = side.other_name,
                           .event = detail::describe(rounds.found.bins, chosen),
                           .runs_first = rounds.likelier.runs,
                           .runs_second = rounds.other.runs,
                           .hits_first = right,
                           .hits_second = wrong,
                           .least_first = stats::probability_lower_bound(right, rounds.likelier.runs, rounds.alarm / 4),
                           .most_second = stats::probability_upper_bound(wrong, rounds.other.runs, rounds.alarm / 4),
                           .epsilon = rounds.epsilon,
                           .delta = rounds.delta};
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
  const auto worth = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, target.promise, effort); };
  const auto found = detail::search_bins(target, effort, {}, worth, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));
  const double epsilon = found->hope.parameter;
  const double coin = div_down(1, add_up(1, exp_up(epsilon)));
  const std::int64_t all = std::max<std::int64_t>(1, effort.certify);
  const random::Binomial heads(static_cast<std::uint64_t>(all), Rational::from_double(coin));
  const std::int64_t wanted = heads.draw(random::Source::this_thread());
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  const Rounds rounds{*found,
                      epsilon,
                      target.promise.delta(epsilon),
                      coin,
                      effort.false_alarm,
                      detail::count(side.likelier, target.shape, found->bins, wanted, effort),
                      detail::count(side.other, target.shape, found->bins, all - wanted, effort)};
  if (rounds.likelier.runs < wanted || rounds.other.runs < all - wanted) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }
  if (wanted == 0 || wanted == all) {
    return std::move(own).nothing_tested(
        "the coin always showed the same side, too few runs for it: nothing was tested");
  }
  judge(rounds, target.promise, side, own.report);
  return std::move(own).finish();
}

}  // namespace dither::audit
