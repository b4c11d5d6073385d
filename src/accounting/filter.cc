#include "accounting/filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "accounting/detail/match.h"
#include "base/big_interval.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Match;

// The largest S with sqrt(2 S ln(1/slack)) + S/2 <= epsilon: (sqrt(2 L + 2 epsilon) - sqrt(2 L))^2, cut to the grid.
// L is transcendental, so S is on no grid and more digits always decide.
SquareAmount most_squares(const AdvancedRule& rule) {
  const Rational steps_per_one = Rational(1) / SquareAmount::of_steps(1).value();
  Int128 steps = 0;
  for (long bits = 256; bits <= 4096; bits *= 2) {
    const BigInterval twice_log = BigInterval(Rational(-2), bits) * log(BigInterval(rule.slack.value(), bits));
    const BigInterval root = sqrt(twice_log + BigInterval(2 * rule.epsilon.value(), bits)) - sqrt(twice_log);
    const BigInterval most = root * root * BigInterval(steps_per_one, bits);
    steps = std::max(Int128{0}, most.low_rational().floor());
    if (Int128 decided = 0; most.floor_is_decided(&decided)) break;
  }
  return SquareAmount::of_steps(steps);
}

std::size_t losses_of(const FilterRule& rule) {
  if (const auto* all = std::get_if<RenyiAllRule>(&rule)) return all->orders.size();
  if (const auto* any = std::get_if<RenyiAnyRule>(&rule)) return any->orders.size();
  return std::holds_alternative<AdvancedRule>(rule) ? 0 : 1;
}

// What a charge adds to the sums of a rule.
Spent priced(const FilterRule& rule, const Charge& charge) {
  if (measure_name(rule) != measure_name(charge)) {
    throw Error{Code::no_theorem,
                fmt::format("a charge in {} meets a {} filter, which adds up {}", measure_name(charge), rule_name(rule),
                            measure_name(rule)),
                "convert the charge by a proven conversion first, or create the filter with another rule"};
  }
  Spent price = std::visit(Match{
                               [](const PureCharge& c) {
                                 return Spent{{c.epsilon}, {}, {}};
                               },
                               [&](const ApproximateCharge& c) {
                                 if (!std::holds_alternative<AdvancedRule>(rule))
                                   return Spent{{c.epsilon}, {}, c.delta};
                                 return Spent{{}, square_up(c.epsilon), c.delta};
                               },
                               [](const ZcdpCharge& c) {
                                 return Spent{{c.rho}, {}, c.delta};
                               },
                               [](const RenyiCharge& c) {
                                 return Spent{c.divergences, {}, c.delta};
                               },
                               [](const GdpCharge& c) {
                                 return Spent{{c.mu_squared}, {}, {}};
                               },
                           },
                           charge);
  if (price.losses.size() != losses_of(rule)) {
    throw Error{
        Code::bad_count,
        fmt::format("a charge has {} divergences, but the filter has {} orders", price.losses.size(), losses_of(rule)),
        "give one divergence for each order of the filter, in their order"};
  }
  return price;
}

Spent sum(const Spent& spent, Spent price) {
  for (std::size_t i = 0; i < price.losses.size(); ++i) {
    price.losses[i] = add_saturating(spent.losses[i], price.losses[i]);
  }
  price.squares = add_saturating(spent.squares, price.squares);
  price.delta = add_saturating(spent.delta, price.delta);
  return price;
}

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

FilterState::FilterState(FilterRule rule) : spent_{std::vector<LossAmount>(losses_of(rule)), {}, {}} {
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

bool FilterState::holds_with(const Spent& spent) const {
  const auto within = [&](const std::vector<LossAmount>& limits, std::size_t i) {
    return spent.losses[i] <= limits[i];
  };
  return std::visit(
      Match{
          [&](const PureRule& r) { return spent.losses[0] <= r.epsilon; },
          [&](const BasicRule& r) { return spent.losses[0] <= r.epsilon && spent.delta <= r.delta; },
          [&](const AdvancedRule& r) { return spent.squares <= fixed_->most_squares && spent.delta <= r.delta; },
          [&](const ZcdpRule& r) { return spent.losses[0] <= r.rho && spent.delta <= r.delta; },
          [&](const RenyiAllRule& r) {
            bool all = spent.delta <= r.delta;
            for (std::size_t i = 0; all && i < r.limits.size(); ++i) all = within(r.limits, i);
            return all;
          },
          [&](const RenyiAnyRule& r) {
            bool any = false;
            for (std::size_t i = 0; !any && i < r.limits.size(); ++i) any = within(r.limits, i);
            return any && spent.delta <= r.delta;
          },
          [&](const GdpRule& r) { return spent.losses[0] <= r.mu_squared; },
      },
      fixed_->rule);
}

bool can_afford(const FilterState& state, const Charge& charge) {
  return state.holds_with(sum(state.spent_, priced(state.rule(), charge)));
}

FilterState charged(const FilterState& state, const Charge& charge) {
  Spent after = sum(state.spent_, priced(state.rule(), charge));
  if (!state.holds_with(after)) {
    throw Error{Code::over_budget,
                fmt::format("the charge {} does not fit into what is left of the {} filter, {}", canonical_json(charge),
                            rule_name(state.rule()), canonical_json(remaining(state))),
                "ask for less; a filter never admits part of a charge"};
  }
  FilterState next = state;
  next.spent_ = std::move(after);
  return next;
}

Charge remaining(const FilterState& state) {
  const Spent& spent = state.spent_;
  return std::visit(Match{
                        [&](const PureRule& r) -> Charge { return PureCharge{without(r.epsilon, spent.losses[0])}; },
                        [&](const BasicRule& r) -> Charge {
                          return ApproximateCharge{without(r.epsilon, spent.losses[0]), without(r.delta, spent.delta)};
                        },
                        [&](const AdvancedRule& r) -> Charge {
                          return ApproximateCharge{root_down(without(state.fixed_->most_squares, spent.squares)),
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
                    state.rule());
}

}  // namespace dither::accounting
