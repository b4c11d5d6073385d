#include "calculus/detail/spending.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/directed.h"
#include "base/error.h"

namespace dither::calculus::detail {

using namespace accounting;  // NOLINT: this file is written in the words of accounting

namespace {

const LossAmount kNoLimit = LossAmount::down(Rational::parse("1e17"));         // the largest that a rule may have
const LossAmount kNoAdvancedLimit = LossAmount::down(Rational::parse("1e5"));  // likewise
const DeltaAmount kNoDelta = DeltaAmount::of_steps(DeltaAmount::down(1).steps() - 1);

struct Unlimited {
  FilterRule operator()(const PureRule&) const { return PureRule{kNoLimit}; }
  FilterRule operator()(const BasicRule&) const { return BasicRule{kNoLimit, kNoDelta}; }
  FilterRule operator()(const AdvancedRule& rule) const { return AdvancedRule{kNoAdvancedLimit, rule.slack, kNoDelta}; }
  FilterRule operator()(const ZcdpRule&) const { return ZcdpRule{kNoLimit, kNoDelta}; }
  FilterRule operator()(const RenyiAllRule& rule) const {
    return RenyiAllRule{rule.orders, std::vector<LossAmount>(rule.orders.size(), kNoLimit), kNoDelta};
  }
  FilterRule operator()(const RenyiAnyRule& rule) const {
    return RenyiAnyRule{rule.orders, std::vector<LossAmount>(rule.orders.size(), kNoLimit), kNoDelta};
  }
  FilterRule operator()(const GdpRule&) const { return GdpRule{kNoLimit}; }
};

FilterRule without_limits(const FilterRule& rule) {
  require_valid(rule);
  return std::visit(Unlimited{}, rule);
}

template <class Combine>
Spent each(Spent a, const Spent& b, Combine&& combine) {
  for (std::size_t i = 0; i < a.losses.size(); ++i) a.losses[i] = combine(a.losses[i], b.losses[i]);
  a.squares = combine(a.squares, b.squares);
  a.delta = combine(a.delta, b.delta);
  return a;
}

}  // namespace

Meter::Meter(const FilterRule& rule) : unlimited_(without_limits(rule)) {}

Spent Meter::price(const std::vector<Event>& events, Neighbours neighbours) const {
  FilterState state = unlimited_;
  for (const Event& event : events) state = charged(state, event, neighbours);
  return state.spent();
}

bool Meter::measures(const FilterRule& rule) const {
  if (rule.index() != unlimited_.rule().index()) return false;
  if (const auto* all = std::get_if<RenyiAllRule>(&rule)) {
    return all->orders == std::get<RenyiAllRule>(unlimited_.rule()).orders;
  }
  if (const auto* any = std::get_if<RenyiAnyRule>(&rule)) {
    return any->orders == std::get<RenyiAnyRule>(unlimited_.rule()).orders;
  }
  return true;
}

Spent sum(Spent a, const Spent& b) {
  return each(std::move(a), b, [](auto x, auto y) { return add_saturating(x, y); });
}
Spent larger(Spent a, const Spent& b) {
  return each(std::move(a), b, [](auto x, auto y) { return std::max(x, y); });
}
Spent difference(Spent all, const Spent& part) {
  return each(std::move(all), part, [](auto x, auto y) { return without(x, y); });
}

Spent worst_share(std::span<const std::vector<Spent>> cells, std::uint64_t steps, const Spent& nothing) {
  std::vector<Spent> worst(steps + 1, nothing);
  for (const std::vector<Spent>& cell : cells) {
    for (std::uint64_t total = steps; total > 0;
         --total) {  // downwards: the smaller totals are still without this cell
      for (std::uint64_t own = 1; own <= total; ++own) {
        worst[total] = larger(worst[total], sum(worst[total - own], cell[own - 1]));
      }
    }
  }
  return worst[steps];
}

FilterState with(const FilterState& state, const Spent& more) {
  try {
    return FilterState(state.rule(), sum(state.spent(), more));
  } catch (const Error& error) {
    if (error.code() != Code::over_budget) throw;
    throw Error{Code::over_budget,
                fmt::format("{} more would break the {} rule, of which {} is spent", spelled(more),
                            rule_name(state.rule()), spelled(state.spent())),
                "ask something cheaper, or stop here"};
  }
}

namespace {

struct Promise {
  Event operator()(const PureRule& rule) const { return {{}, BlackBox{rule.epsilon.value(), 0}}; }
  Event operator()(const BasicRule& rule) const { return {{}, BlackBox{rule.epsilon.value(), rule.delta.value()}}; }
  Event operator()(const AdvancedRule& rule) const {
    return {{}, BlackBox{rule.epsilon.value(), rule.slack.value() + rule.delta.value()}};
  }
  Event operator()(const ZcdpRule& rule) const { return {{}, Zcdp{rule.rho.value(), rule.delta.value()}}; }
  Event operator()(const RenyiAllRule& rule) const {
    Renyi event{rule.orders, {}, rule.delta.value()};
    for (const LossAmount limit : rule.limits) event.epsilons.push_back(limit.value());
    return {{}, event};
  }
  Event operator()(const RenyiAnyRule&) const {
    throw Error{Code::no_theorem, "a renyi-any budget promises no Renyi curve that its parent could charge",
                "open with renyi-all, or with basic and the epsilon and delta it should promise"};
  }
  Event operator()(const GdpRule& rule) const {
    return {{}, Gdp{Rational::from_double(sqrt_up(rule.mu_squared.value().to_double_up()))}};
  }
};

}  // namespace

Event promise(const FilterRule& rule) {
  require_valid(rule);
  return std::visit(Promise{}, rule);
}

std::string spelled(const Spent& spent) {
  std::vector<std::string> numbers;
  for (const LossAmount loss : spent.losses) numbers.push_back(loss.str());
  if (spent.losses.empty()) numbers.push_back("squares " + spent.squares.str());
  if (spent.delta != DeltaAmount()) numbers.push_back("delta " + spent.delta.str());
  return fmt::format("{}", fmt::join(numbers, ", "));
}

}  // namespace dither::calculus::detail
