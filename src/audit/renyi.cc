#include "audit/renyi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "accounting/renyi_curves.h"
#include "audit/detail/binned_search.h"
#include "audit/detail/means.h"
#include "audit/detail/own_report.h"
#include "audit/detail/power.h"
#include "audit/tester.h"
#include "base/directed.h"

namespace dither::audit {

namespace {

using detail::BinCounts;
using detail::Finding;
using detail::Hope;
using detail::Mean;

constexpr double kOrders[] = {1.25, 1.5, 2, 3, 5, 8, 16};
constexpr double kCuts[] = {0.5, 1, 2, 3, 5, 8};

// An order and the number at which h is cut off.
struct Form {
  double order, cut;
};
std::vector<Form> forms(std::span<const double> orders) {
  std::vector<Form> all;
  for (const double order : orders) {
    for (const double cut : kCuts) all.push_back({order, cut});
  }
  return all;
}

// How often each bin was seen among so many runs.
struct Law {
  std::vector<double> shares;
  std::int64_t runs = 0;
};
Law law_of(const BinCounts& counts) {
  Law law{{}, counts.runs};
  for (std::size_t i = 0; i < counts.hits.size(); ++i) law.shares.push_back(counts.share(i));
  return law;
}
struct Laws {
  Law likelier, other;
};

// h - B of every bin, in [-2 B, 0]: log ratios of shares that no empty bin makes infinite.
std::vector<double> levels(const Laws& seen, double cut) {
  const auto filled = [](const Law& law, std::size_t bin) {
    return law.shares[bin] + 0.5 / static_cast<double>(law.runs);
  };
  std::vector<double> all;
  for (std::size_t i = 0; i < seen.likelier.shares.size(); ++i)
    all.push_back(std::clamp(std::log(filled(seen.likelier, i) / filled(seen.other, i)), -cut, cut) - cut);
  return all;
}

// The mean of e^(rate * level) over the runs of a law.
Mean mean(const Law& law, const std::vector<double>& levels, double rate) {
  Mean result{law.runs};
  for (std::size_t i = 0; i < levels.size(); ++i) result.mean += law.shares[i] * std::exp(rate * levels[i]);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double apart = std::exp(rate * levels[i]) - result.mean;
    result.variance += law.shares[i] * apart * apart;
  }
  if (law.runs > 1) result.variance *= static_cast<double>(law.runs) / static_cast<double>(law.runs - 1);
  return result;
}

// What both means are at least and at most. Dividing h's exponentials by the largest leaves the divergence as it is.
struct Bounds {
  double least = 0, most = 1;

  double divergence(double order) const {
    if (!(least > 0)) return 0;
    const double first = mul_down(div_up(order, sub_down(order, 1)), log_down(least));  // the logarithm is negative
    return std::max(0.0, sub_down(first, log_up(most)));
  }
};
// `power` of the other side's mean: the order in the variational formula, order - 1 for the same function on both sides.
Bounds bounds(const Laws& seen, const std::vector<double>& levels, const Form& form, double power, double alarm) {
  return {detail::mean_at_least(mean(seen.likelier, levels, form.order - 1), alarm / 2),
          detail::mean_at_most(mean(seen.other, levels, power), alarm / 2)};
}

// The divergence that the promise allows at an order; nothing where an (epsilon, delta) allows any.
std::optional<double> allowed(const Promise& promise, double order) {
  const accounting::Curve& curve = promise.curve();
  if (const auto epsilon = promise.pure_epsilon()) return accounting::pure_renyi_up(order, *epsilon);
  if (const auto* one = std::get_if<accounting::ConcentratedDp>(&curve); one != nullptr && one->delta == 0) {
    return mul_up(one->rho.to_double_up(), order);
  }
  if (const auto* one = std::get_if<accounting::GaussianDp>(&curve)) {
    return accounting::gaussian_renyi_up(order, sqrt_up(one->squared_mu.to_double_up()));
  }
  if (const auto* table = std::get_if<accounting::RenyiTable>(&curve); table != nullptr && table->delta == 0) {
    for (const accounting::OrderBound& bound : table->bounds) {
      if (bound.order >= order) return bound.epsilon;
    }
  }
  return std::nullopt;
}

// By how much a test is expected to exceed the promise, by the bounds of the variational formula or of the same function
// on both sides.
using Margin = std::function<double(const Bounds& variational, const Bounds& same, double order)>;

// The form that says most of these runs.
Hope hope(const Laws& seen, const std::vector<Form>& all, double alarm, const Margin& margin) {
  Hope best{-HUGE_VAL, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<double> h = levels(seen, all[i].cut);
    const Bounds variational = bounds(seen, h, all[i], all[i].order, alarm);
    const Bounds same = bounds(seen, h, all[i], all[i].order - 1, alarm);
    const double worth = margin(variational, same, all[i].order);
    if (worth > best.worth) best = {worth, static_cast<double>(i)};
  }
  return best;
}

// Laws `times` as leaky: log ratios of all bins grow, around the geometric mean of both sides. Of randomised response and
// of normal laws that is the same with another epsilon, or another distance.
Laws leakier(const Laws& seen, const Promise& promise, double times) {
  const accounting::Curve& curve = promise.curve();
  const bool divergence = std::holds_alternative<accounting::ConcentratedDp>(curve) ||
                          std::holds_alternative<accounting::RenyiTable>(curve);
  const double growth = divergence ? std::sqrt(times) : times;  // rho and divergences are squares of log ratios
  Laws result = seen;
  double all_p = 0, all_q = 0;
  for (std::size_t i = 0; i < seen.likelier.shares.size(); ++i) {
    double& p = result.likelier.shares[i];
    double& q = result.other.shares[i];
    p += 0.5 / static_cast<double>(seen.likelier.runs);
    q += 0.5 / static_cast<double>(seen.other.runs);
    const double middle = std::sqrt(p * q), apart = std::pow(p / q, growth / 2);
    all_p += p = middle * apart;
    all_q += q = middle / apart;
  }
  for (double& p : result.likelier.shares) p /= all_p;
  for (double& q : result.other.shares) q /= all_q;
  return result;
}

// The epsilon of pure promises that a divergence refutes.
double pure_epsilon_of(double divergence, double order) {
  double low = 0, high = 64;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (accounting::pure_renyi_up(order, middle) < divergence ? low : high) = middle;
  }
  return low;
}

Laws draw_fresh(const Target& target, const Finding& found, const Effort& effort) {
  const detail::Sides side = detail::sides(target, found.pair, found.swapped);
  const std::int64_t runs = std::max<std::int64_t>(2, effort.certify);
  return {law_of(detail::count(side.likelier, target.shape, found.bins, runs, effort)),
          law_of(detail::count(side.other, target.shape, found.bins, runs, effort))};
}

// What is searched for and tested: divergences, where the promise bounds them, else means of one function.
struct Question {
  const Promise& promise;
  double alarm;
  std::vector<Form> all = forms(kOrders);
  bool bounded = allowed(promise, 2).has_value();

  Hope search(const Laws& seen) const {
    return hope(seen, all, alarm, [this](const Bounds& variational, const Bounds& same, double order) {
      if (bounded) return variational.divergence(order) - allowed(promise, order).value_or(HUGE_VAL);
      double best = -HUGE_VAL;
      for (const double epsilon : promise.epsilons())
        best = std::max(best, detail::refuted_epsilon(same.least, same.most, promise.delta(epsilon)) - epsilon);
      return best;
    });
  }
  const Form& form(const Hope& found) const { return all[static_cast<std::size_t>(found.parameter)]; }
  double power(const Form& one) const { return bounded ? one.order : one.order - 1; }

  // About how likely it is to refute laws `times` as leaky, from which as much was seen in training and afresh. Normal
  // approximations, for people.
  double power_against(double times, const Laws& training, const Laws& fresh) const {
    const Laws searched = leakier(training, promise, times), tested = leakier(fresh, promise, times);
    const Form one = form(search(searched));
    const std::vector<double> h = levels(searched, one.cut);
    const Mean first = mean(tested.likelier, h, one.order - 1), second = mean(tested.other, h, power(one));
    if (bounded) {
      const Bounds found = bounds(tested, h, one, power(one), alarm);
      const auto relative = [](const Mean& mean) {
        return mean.variance / (mean.mean * mean.mean * static_cast<double>(mean.runs));
      };
      const double factor = one.order / (one.order - 1);
      const double deviation = std::sqrt(factor * factor * relative(first) + relative(second));
      const double margin = found.divergence(one.order) - allowed(promise, one.order).value_or(HUGE_VAL);
      return found.least > 0 ? detail::chance_above(margin, deviation) : 0;
    }
    double best = 0;
    for (const double epsilon : promise.epsilons())
      best = std::max(best, detail::power_of_means(1, {first, second}, epsilon, promise.delta(epsilon), alarm));
    return best;
  }
};

}  // namespace

RenyiBound renyi_at_least(const Target& target, std::size_t pair, double order, const Effort& effort) {
  Target one{target.name, target.promise, target.shape, {target.pairs.at(pair)}};
  const std::vector<Form> all = forms({&order, 1});
  const auto judge = [&](const BinCounts& a, const BinCounts& b) {
    return hope({law_of(a), law_of(b)}, all, effort.false_alarm,
                [](const Bounds& found, const Bounds&, double at) { return found.divergence(at); });
  };
  std::vector<std::string> notes;
  const auto found = detail::search_bins(one, effort, {.both_ways = false}, judge, notes);
  if (!found) return {order, 0, 0};
  const Form form = all[static_cast<std::size_t>(found->hope.parameter)];
  const std::vector<double> h = levels({law_of(found->likelier), law_of(found->other)}, form.cut);
  const Laws fresh = draw_fresh(one, *found, effort);
  if (fresh.likelier.runs < 2 || fresh.other.runs < 2) return {order, 0, 0};
  const Bounds plain{mean(fresh.likelier, h, order - 1).mean, mean(fresh.other, h, order).mean};
  return {order, bounds(fresh, h, form, order, effort.false_alarm).divergence(order), plain.divergence(order)};
}

// Where the promise bounds a divergence, that is refuted; where it does not, as (epsilon, delta) with delta > 0, the
// function e^((order - 1) h) itself is: its means keep E g <= e^epsilon E' g + delta (detail/means.h). Both means' bounds
// hold at once except with probability effort.false_alarm, and everything else was fixed on other runs.
Report renyi(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "renyi", effort);
  const Question question{target.promise, effort.false_alarm};
  const auto judge = [&](const BinCounts& a, const BinCounts& b) { return question.search({law_of(a), law_of(b)}); };
  const auto found = detail::search_bins(target, effort, {}, judge, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));
  const Laws fresh = draw_fresh(target, *found, effort);
  if (fresh.likelier.runs < 2 || fresh.other.runs < 2) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }

  const Form form = question.form(found->hope);
  const Laws training{law_of(found->likelier), law_of(found->other)};
  const std::vector<double> h = levels(training, form.cut);
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  Report& report = own.report;
  report.runs = std::min(fresh.likelier.runs, fresh.other.runs);
  const Bounds proven = bounds(fresh, h, form, question.power(form), effort.false_alarm);
  Witness witness{.first = side.likelier_name,
                  .second = side.other_name,
                  .event = "",
                  .evidence = Evidence::means,
                  .runs_first = fresh.likelier.runs,
                  .runs_second = fresh.other.runs,
                  .least_first = proven.least,
                  .most_second = proven.most};
  if (question.bounded) {
    const double divergence = proven.divergence(form.order);
    const double promised = *allowed(target.promise, form.order);
    report.verdict = divergence > promised ? Verdict::violated : Verdict::none_found;
    report.delta = 0;
    if (const auto epsilon = target.promise.pure_epsilon()) {
      report.promised = *epsilon;
      report.lower_bound = pure_epsilon_of(divergence, form.order);
    } else {
      report.promised = promised;
      report.lower_bound = divergence;
      report.order = form.order;
    }
    witness.event = fmt::format("the divergence of order {}, by {}", form.order, found->bins.summary());
  } else {
    double best = -HUGE_VAL;
    for (const double epsilon : target.promise.epsilons()) {
      const double delta = target.promise.delta(epsilon);
      const double refuted = detail::refuted_epsilon(proven.least, proven.most, delta);
      if (refuted - epsilon <= best) continue;
      best = refuted - epsilon;
      report.promised = epsilon;
      report.delta = delta;
      report.lower_bound = refuted;
    }
    report.verdict = report.lower_bound > report.promised ? Verdict::violated : Verdict::none_found;
    witness.event = fmt::format("the mean of e^({} h), h a log ratio by {}", form.order - 1, found->bins.summary());
    report.notes.emplace_back("an (epsilon, delta) bounds no divergence: the function itself was tested");
  }
  report.power_1_5 = question.power_against(1.5, training, fresh);
  report.power_2 = std::max(report.power_1_5, question.power_against(2, training, fresh));
  witness.epsilon = report.order ? std::nan("") : report.promised;
  witness.delta = report.delta;
  const double far = std::log(4 / effort.false_alarm);
  const double most = std::max(0.0, std::log(static_cast<double>(report.runs) / (far * 7 / 3)));
  report.ceiling = target.promise.pure_epsilon() ? pure_epsilon_of(most, form.order) : most;
  report.witness = std::move(witness);
  return std::move(own).finish();
}

}  // namespace dither::audit
