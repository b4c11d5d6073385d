// Rules with more or less to spend.
#include <fmt/format.h>

#include "accounting/detail/match.h"
#include "accounting/filter_rule.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

template <typename Rule>
constexpr bool has_orders = requires(const Rule& rule) {
  rule.orders;
};

// Changes every limit of a rule by the limit of another of the same kind.
template <typename Change>
void change(PureRule& rule, const PureRule& by, Change change_one) {
  change_one(rule.epsilon, by.epsilon);
}
template <typename Change>
void change(BasicRule& rule, const BasicRule& by, Change change_one) {
  change_one(rule.epsilon, by.epsilon), change_one(rule.delta, by.delta);
}
template <typename Change>
void change(AdvancedRule& rule, const AdvancedRule& by, Change change_one) {
  change_one(rule.epsilon, by.epsilon), change_one(rule.delta, by.delta);
}
template <typename Change>
void change(ZcdpRule& rule, const ZcdpRule& by, Change change_one) {
  change_one(rule.rho, by.rho), change_one(rule.delta, by.delta);
}
template <typename Rule, typename Change>
requires has_orders<Rule>
void change(Rule& rule, const Rule& by, Change change_one) {
  for (std::size_t i = 0; i < rule.limits.size(); ++i) change_one(rule.limits[i], by.limits[i]);
  change_one(rule.delta, by.delta);
}
template <typename Change>
void change(GdpRule& rule, const GdpRule& by, Change change_one) {
  change_one(rule.mu_squared, by.mu_squared);
}

bool same_slack(const FilterRule& a, const FilterRule& b) {
  const auto* one = std::get_if<AdvancedRule>(&a);
  const auto* other = std::get_if<AdvancedRule>(&b);
  return one == nullptr || other == nullptr || one->slack == other->slack;
}

template <typename Change>
FilterRule changed(FilterRule rule, const FilterRule& by, Change change_one) {
  require_valid(rule);
  require_valid(by);
  if (!same_measure(rule, by) || !same_slack(rule, by)) {
    throw Error{Code::no_theorem,
                fmt::format("limits of a {} rule do not add to those of a {} rule with these orders and this slack",
                            rule_name(by), rule_name(rule)),
                "state the amount in the measure of the budget, with its orders and its slack"};
  }
  std::visit([&](auto& own) { change(own, std::get<std::decay_t<decltype(own)>>(by), change_one); }, rule);
  require_valid(rule);
  return rule;
}

}  // namespace

bool same_measure(const FilterRule& a, const FilterRule& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& rule) {
        using Rule = std::decay_t<decltype(rule)>;
        if constexpr (has_orders<Rule>) {
          return rule.orders == std::get<Rule>(b).orders;
        } else {
          return true;
        }
      },
      a);
}

FilterRule plus_limits(const FilterRule& rule, const FilterRule& more) {
  return changed(rule, more, [](auto& limit, auto by) { limit = add_saturating(limit, by); });
}

FilterRule minus_limits(const FilterRule& rule, const FilterRule& part) {
  return changed(rule, part, [](auto& limit, auto by) {
    if (by > limit) {
      throw Error{Code::out_of_range, fmt::format("{} is taken off a limit of {}", by.str(), limit.str()),
                  "take off at most what the rule allows"};
    }
    limit = without(limit, by);
  });
}

}  // namespace dither::accounting
