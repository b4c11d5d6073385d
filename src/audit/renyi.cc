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

// h - B of every bin, in [-2 B, 0]: log ratios of shares that no empty bin makes infinite.
std::vector<double> levels(const BinCounts& likelier, const BinCounts& other, double cut) {
  std::vector<double> all;
  for (std::size_t i = 0; i < likelier.hits.size(); ++i) {
    const double p = (static_cast<double>(likelier.hits[i]) + 0.5) / static_cast<double>(likelier.runs);
    const double q = (static_cast<double>(other.hits[i]) + 0.5) / static_cast<double>(other.runs);
    all.push_back(std::clamp(std::log(p / q), -cut, cut) - cut);
  }
  return all;
}

// The mean of e^(rate * level) over the runs that were counted.
Mean mean(const BinCounts& counts, const std::vector<double>& levels, double rate) {
  Mean result{counts.runs};
  for (std::size_t i = 0; i < levels.size(); ++i) result.mean += counts.share(i) * std::exp(rate * levels[i]);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double apart = std::exp(rate * levels[i]) - result.mean;
    result.variance += counts.share(i) * apart * apart;
  }
  if (counts.runs > 1) result.variance *= static_cast<double>(counts.runs) / static_cast<double>(counts.runs - 1);
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
Bounds bounds(const BinCounts& likelier, const BinCounts& other, const std::vector<double>& levels, const Form& form,
              double power, double alarm) {
  return {detail::mean_at_least(mean(likelier, levels, form.order - 1), alarm / 2),
          detail::mean_at_most(mean(other, levels, power), alarm / 2)};
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

// Counts as if there had been as many runs as the test will have, where those are fewer.
Hope hope(const BinCounts& likelier, const BinCounts& other, const std::vector<Form>& all, const Effort& effort,
          const std::function<double(const Bounds& divergence, const Bounds& same, double order)>& margin) {
  Hope best{-HUGE_VAL, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<double> h = levels(likelier, other, all[i].cut);
    const Bounds variational = bounds(likelier, other, h, all[i], all[i].order, effort.false_alarm);
    const Bounds same = bounds(likelier, other, h, all[i], all[i].order - 1, effort.false_alarm);
    const double worth = margin(variational, same, all[i].order);
    if (worth > best.worth) best = {worth, static_cast<double>(i)};
  }
  return best;
}

// Counts as expected of so many runs of a law `times` as leaky: log ratios of all bins grow, around the geometric mean of
// both sides. Of randomised response and of normal laws that is the same with another epsilon, or another distance.
struct Both {
  BinCounts likelier, other;
};
Both leakier(const BinCounts& likelier, const BinCounts& other, const Promise& promise, double times) {
  const accounting::Curve& curve = promise.curve();
  const bool divergence = std::holds_alternative<accounting::ConcentratedDp>(curve) ||
                          std::holds_alternative<accounting::RenyiTable>(curve);
  const double growth = divergence ? std::sqrt(times) : times;  // rho and divergences are squares of log ratios
  std::vector<double> p, q;
  double all_p = 0, all_q = 0;
  for (std::size_t i = 0; i < likelier.hits.size(); ++i) {
    const double seen_p = detail::share(likelier.hits[i], likelier.runs),
                 seen_q = detail::share(other.hits[i], other.runs);
    const double middle = std::sqrt(seen_p * seen_q), apart = std::pow(seen_p / seen_q, growth / 2);
    all_p += p.emplace_back(middle * apart);
    all_q += q.emplace_back(middle / apart);
  }
  Both result{likelier, other};
  for (std::size_t i = 0; i < p.size(); ++i) {
    result.likelier.hits[i] = std::llround(p[i] / all_p * static_cast<double>(likelier.runs));
    result.other.hits[i] = std::llround(q[i] / all_q * static_cast<double>(other.runs));
  }
  return result;
}

// About how likely the test is to refute when these are the expected counts: of the form that then shows most, which a
// search would find. Normal approximations, for people.
double chance_to_refute(const Both& expected, const Promise& promise, double alarm) {
  double best = 0;
  for (const Form& form : forms(kOrders)) {
    const std::vector<double> h = levels(expected.likelier, expected.other, form.cut);
    const Mean first = mean(expected.likelier, h, form.order - 1), second = mean(expected.other, h, form.order);
    if (const auto promised = allowed(promise, form.order)) {
      const Bounds found{detail::mean_at_least(first, alarm / 2), detail::mean_at_most(second, alarm / 2)};
      const auto relative = [](const Mean& one) {
        return one.variance / (one.mean * one.mean * static_cast<double>(one.runs));
      };
      const double factor = form.order / (form.order - 1);
      const double deviation = std::sqrt(factor * factor * relative(first) + relative(second));
      if (found.least > 0)
        best = std::max(best, detail::chance_above(found.divergence(form.order) - *promised, deviation));
      continue;
    }
    for (const double epsilon : promise.epsilons()) {
      const detail::SeenMeans means{first, mean(expected.other, h, form.order - 1)};
      best = std::max(best, detail::power_of_means(1, means, epsilon, promise.delta(epsilon), alarm));
    }
  }
  return best;
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

// Fresh runs of both sides.
struct Fresh {
  BinCounts likelier, other;
};
Fresh draw_fresh(const Target& target, const Finding& found, const Effort& effort) {
  const detail::Sides side = detail::sides(target, found.pair, found.swapped);
  const std::int64_t runs = std::max<std::int64_t>(2, effort.certify);
  return {detail::count(side.likelier, target.shape, found.bins, runs, effort),
          detail::count(side.other, target.shape, found.bins, runs, effort)};
}

}  // namespace

RenyiBound renyi_at_least(const Target& target, std::size_t pair, double order, const Effort& effort) {
  Target one{target.name, target.promise, target.shape, {target.pairs.at(pair)}};
  const std::vector<Form> all = forms({&order, 1});
  const auto judge = [&](const BinCounts& a, const BinCounts& b) {
    return hope(a, b, all, effort, [](const Bounds& found, const Bounds&, double at) { return found.divergence(at); });
  };
  std::vector<std::string> notes;
  const auto found = detail::search_bins(one, effort, {.both_ways = false}, judge, notes);
  if (!found) return {order, 0, 0};
  const Form form = all[static_cast<std::size_t>(found->hope.parameter)];
  const std::vector<double> h = levels(found->likelier, found->other, form.cut);
  const Fresh fresh = draw_fresh(one, *found, effort);
  if (fresh.likelier.runs < 2 || fresh.other.runs < 2) return {order, 0, 0};
  const Bounds plain{mean(fresh.likelier, h, order - 1).mean, mean(fresh.other, h, order).mean};
  return {order, bounds(fresh.likelier, fresh.other, h, form, order, effort.false_alarm).divergence(order),
          plain.divergence(order)};
}

// Where the promise bounds a divergence, that is refuted; where it does not, as (epsilon, delta) with delta > 0, the
// function e^((order - 1) h) itself is: its means keep E g <= e^epsilon E' g + delta (detail/means.h). Both means' bounds
// hold at once except with probability effort.false_alarm, and everything else was fixed on other runs.
Report renyi(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "renyi", effort);
  const std::vector<Form> all = forms(kOrders);
  const bool bounded = allowed(target.promise, 2).has_value();
  const auto margin = [&](const Bounds& variational, const Bounds& same, double order) {
    if (bounded) return variational.divergence(order) - allowed(target.promise, order).value_or(HUGE_VAL);
    double best = -HUGE_VAL;
    for (const double epsilon : target.promise.epsilons()) {
      best = std::max(best, detail::refuted_epsilon(same.least, same.most, target.promise.delta(epsilon)) - epsilon);
    }
    return best;
  };
  const auto judge = [&](const BinCounts& a, const BinCounts& b) { return hope(a, b, all, effort, margin); };
  const auto found = detail::search_bins(target, effort, {}, judge, own.report.notes);
  if (!found) return std::move(own).nothing_tested(detail::why_nothing(target));
  const Fresh fresh = draw_fresh(target, *found, effort);
  if (fresh.likelier.runs < 2 || fresh.other.runs < 2) {
    return std::move(own).nothing_tested("time was over: nothing was tested");
  }

  const Form form = all[static_cast<std::size_t>(found->hope.parameter)];
  const std::vector<double> h = levels(found->likelier, found->other, form.cut);
  const detail::Sides side = detail::sides(target, found->pair, found->swapped);
  Report& report = own.report;
  report.runs = std::min(fresh.likelier.runs, fresh.other.runs);
  const double power = bounded ? form.order : form.order - 1;
  const Bounds proven = bounds(fresh.likelier, fresh.other, h, form, power, effort.false_alarm);
  Witness witness{.first = side.likelier_name,
                  .second = side.other_name,
                  .event = "",
                  .evidence = Evidence::means,
                  .runs_first = fresh.likelier.runs,
                  .runs_second = fresh.other.runs,
                  .least_first = proven.least,
                  .most_second = proven.most};
  if (bounded) {
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
      report.notes.push_back(fmt::format("promised and lower bound are Renyi divergences of order {}", form.order));
    }
    witness.event = fmt::format("by {}: the divergence of order {} is at least {:.6g}, and {:.6g} is allowed",
                                found->bins.summary(), form.order, divergence, promised);
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
  const auto power_against = [&](double times) {
    return chance_to_refute(leakier(fresh.likelier, fresh.other, target.promise, times), target.promise,
                            effort.false_alarm);
  };
  report.power_1_5 = power_against(1.5);
  report.power_2 = std::max(report.power_1_5, power_against(2));
  witness.epsilon = report.promised;
  witness.delta = report.delta;
  const double far = std::log(4 / effort.false_alarm);
  const double most = std::max(0.0, std::log(static_cast<double>(report.runs) / (far * 7 / 3)));
  report.ceiling = target.promise.pure_epsilon() ? pure_epsilon_of(most, form.order) : most;
  report.witness = std::move(witness);
  return std::move(own).finish();
}

}  // namespace dither::audit
