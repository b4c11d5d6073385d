#include "calculus/detail/spending.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/directed.h"
#include "base/error.h"

namespace dither::calculus::detail {

using namespace accounting;  // NOLINT: this file is written in the words of accounting

Meter::Meter(FilterRule rule) : rule_(std::move(rule)) { require_valid(rule_); }

Spent Meter::price(const std::vector<Event>& events, Neighbours neighbours) const {
  Spent sum = nothing();
  for (const Event& event : events) sum = plus(sum, accounting::price(rule_, event, neighbours));
  return sum;
}

Spent worst_share(std::span<const std::vector<Spent>> cells, std::uint64_t steps, const Spent& nothing) {
  std::vector<Spent> worst(steps + 1, nothing);
  for (const std::vector<Spent>& cell : cells) {
    for (std::uint64_t total = steps; total > 0;
         --total) {  // downwards: the smaller totals are still without this cell
      for (std::uint64_t own = 1; own <= total; ++own) {
        worst[total] = larger(worst[total], plus(worst[total - own], cell[own - 1]));
      }
    }
  }
  return worst[steps];
}

FilterState with(const FilterState& state, const Spent& more) {
  try {
    return FilterState(state.rule(), plus(state.spent(), more));
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
