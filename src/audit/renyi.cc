#include "audit/renyi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "accounting/renyi_curves.h"
#include "audit/detail/binned_search.h"
#include "audit/detail/means.h"
#include "audit/detail/own_report.h"
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

// The divergence that is allowed at an order when the promise's parameter is so many times what it is.
double allowed_times(double times, const Promise& promise, double order) {
  if (const auto epsilon = promise.pure_epsilon()) return accounting::pure_renyi_up(order, times * *epsilon);
  const bool squared = std::holds_alternative<accounting::GaussianDp>(promise.curve());
  return allowed(promise, order).value_or(HUGE_VAL) * (squared ? times * times : times);
}

// About how likely the bound is to exceed what is allowed, of a mechanism `times` as leaky as one that just keeps the
// promise: the divergence of this h grows as the allowed one does, and the means spread about as its root. A normal
// approximation, for people, as detail::power_against is for events.
double power_against(double times, const Promise& promise, const Mean& first, const Mean& second, double order,
                     double alarm) {
  const double factor = order / (order - 1);
  const double seen = factor * std::log(first.mean) - std::log(second.mean);
  const double promised = *allowed(promise, order);
  if (!(seen > 0) || !(promised > 0)) return 0;
  const double growth = allowed_times(times, promise, order) / promised;
  const auto spread = [&](Mean mean) {
    mean.variance *= growth;
    return mean;
  };
  const Bounds bounds{detail::mean_at_least(spread(first), alarm / 2), detail::mean_at_most(spread(second), alarm / 2)};
  if (!(bounds.least > 0)) return 0;
  const double slack = seen - factor * std::log(bounds.least) + std::log(bounds.most);
  const auto relative = [&](const Mean& mean) {
    return growth * mean.variance / (mean.mean * mean.mean * static_cast<double>(mean.runs));
  };
  const double deviation = std::sqrt(std::max(1e-12, factor * factor * relative(first) + relative(second)));
  const double power = 0.5 * std::erfc(-(growth * seen - slack - promised) / deviation / std::sqrt(2.0));
  return std::isfinite(power) ? power : 0;
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
    const Mean first = mean(fresh.likelier, h, form.order - 1), second = mean(fresh.other, h, form.order);
    report.power_1_5 = power_against(1.5, target.promise, first, second, form.order, effort.false_alarm);
    report.power_2 =
        std::max(report.power_1_5, power_against(2, target.promise, first, second, form.order, effort.false_alarm));
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
    const double far = std::log(4 / effort.false_alarm), runs = static_cast<double>(report.runs);
    const double slack = (1 + std::exp(report.promised)) * (std::sqrt(far / 2 / runs) + 7 * far / 3 / runs);
    const detail::SeenBoth seen{mean(fresh.likelier, h, form.order - 1).mean,
                                mean(fresh.other, h, form.order - 1).mean};
    report.power_1_5 = detail::power_against(1.5, seen, report.promised, report.delta, slack, report.runs);
    report.power_2 = detail::power_against(2, seen, report.promised, report.delta, slack, report.runs);
    witness.event = fmt::format("the mean of e^({} h), h a log ratio by {}", form.order - 1, found->bins.summary());
    report.notes.emplace_back("an (epsilon, delta) bounds no divergence: the function itself was tested");
  }
  witness.epsilon = report.promised;
  witness.delta = report.delta;
  const double far = std::log(4 / effort.false_alarm);
  const double most = std::max(0.0, std::log(static_cast<double>(report.runs) / (far * 7 / 3)));
  report.ceiling = target.promise.pure_epsilon() ? pure_epsilon_of(most, form.order) : most;
  report.witness = std::move(witness);
  return std::move(own).finish();
}

}  // namespace dither::audit
