#include "accounting/filter.h"

#include <fmt/format.h>

#include "accounting/detail/match.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Match;

std::vector<LossAmount> left(const std::vector<LossAmount>& limits, const std::vector<LossAmount>& spent) {
  std::vector<LossAmount> rest;
  for (std::size_t i = 0; i < limits.size(); ++i) rest.push_back(without(limits[i], spent[i]));
  return rest;
}

// The largest epsilon whose square, rounded up, is at most `squares`.
LossAmount root_down(SquareAmount squares) {
  Int128 fits = 0;
  Int128 beyond = Int128{1} << 71;  // 2^71 steps are above 1300, the root of the range
  while (beyond - fits > 1) {
    const Int128 middle = fits + (beyond - fits) / 2;
    (square_up(LossAmount::of_steps(middle)) <= squares ? fits : beyond) = middle;
  }
  return LossAmount::of_steps(fits);
}

}  // namespace

FilterState::FilterState(FilterRule rule) : spent_(nothing_spent(rule)) {
  require_valid(rule);
  const auto* advanced = std::get_if<AdvancedRule>(&rule);
  const SquareAmount squares = advanced != nullptr ? most_squares(*advanced) : SquareAmount();
  fixed_ = std::make_shared<const Fixed>(Fixed{std::move(rule), squares});
}

FilterState::FilterState(FilterRule rule, Spent spent) : FilterState(std::move(rule)) {
  if (spent.losses.size() != spent_.losses.size() || !holds_with(spent)) {
    throw Error{Code::over_budget,
                fmt::format("the sums of a {} filter are not within its rule", rule_name(this->rule())),
                "a stored filter was changed; restore it or replay its charges"};
  }
  spent_ = std::move(spent);
}

bool FilterState::holds_with(const Spent& spent) const { return keeps(fixed_->rule, fixed_->most_squares, spent); }

bool can_afford(const FilterState& state, const Spent& more) { return state.holds_with(plus(state.spent_, more)); }

bool can_afford(const FilterState& state, const Charge& charge) {
  return can_afford(state, price(state.rule(), charge));
}

FilterState charged(const FilterState& state, const Spent& more) {
  Spent after = plus(state.spent_, more);
  if (!state.holds_with(after)) {
    throw Error{Code::over_budget,
                fmt::format("the charge {} does not fit into what is left of the {} filter, {}", canonical_json(more),
                            rule_name(state.rule()), canonical_json(remaining(state))),
                "ask for less; a filter never admits part of a charge"};
  }
  FilterState next = state;
  next.spent_ = std::move(after);
  return next;
}

FilterState charged(const FilterState& state, const Charge& charge) {
  return charged(state, price(state.rule(), charge));
}

Charge FilterState::left_after(const Spent& spent) const {
  return std::visit(Match{
                        [&](const PureRule& r) -> Charge { return PureCharge{without(r.epsilon, spent.losses[0])}; },
                        [&](const BasicRule& r) -> Charge {
                          return ApproximateCharge{without(r.epsilon, spent.losses[0]), without(r.delta, spent.delta)};
                        },
                        [&](const AdvancedRule& r) -> Charge {
                          return ApproximateCharge{root_down(without(fixed_->most_squares, spent.squares)),
                                                   without(r.delta, spent.delta)};
                        },
                        [&](const ZcdpRule& r) -> Charge {
                          return ZcdpCharge{without(r.rho, spent.losses[0]), without(r.delta, spent.delta)};
                        },
                        [&](const RenyiAllRule& r) -> Charge {
                          return RenyiCharge{left(r.limits, spent.losses), without(r.delta, spent.delta)};
                        },
                        [&](const RenyiAnyRule& r) -> Charge {
                          return RenyiCharge{left(r.limits, spent.losses), without(r.delta, spent.delta)};
                        },
                        [&](const GdpRule& r) -> Charge { return GdpCharge{without(r.mu_squared, spent.losses[0])}; },
                    },
                    rule());
}

Charge remaining(const FilterState& state) { return state.left_after(state.spent_); }

Charge remaining(const FilterRule& rule, const Spent& sums) {
  const FilterState empty(rule);
  return empty.left_after(plus(empty.spent_, sums));  // refuses sums of another rule
}

}  // namespace dither::accounting
