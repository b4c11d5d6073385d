#include "accounting/charge.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/error.h"

namespace dither::accounting {
namespace {

[[noreturn]] void refuse(const FilterRule& rule, std::string_view missing) {
  throw Error{Code::no_theorem, fmt::format("the {} filter cannot charge this release: {}", rule_name(rule), missing),
              "use a release with a guarantee in this measure, or create the filter with another rule"};
}

const ApproximateDp& approximate(const FilterRule& rule, const Cost& cost) {
  if (!cost.approximate) refuse(rule, "no epsilon and delta are known for it");
  return *cost.approximate;
}

RenyiCharge renyi(const FilterRule& rule, const std::vector<Rational>& orders, const Cost& cost) {
  if (!cost.renyi) refuse(rule, "no Renyi curve is known for it");
  RenyiCharge charge{{}, DeltaAmount::up(Rational::from_double(cost.renyi->delta))};
  for (const Rational& order : orders) {
    const double divergence = cost.renyi->epsilon(order.to_double_up());  // grows with the order
    if (!std::isfinite(divergence))
      refuse(rule, fmt::format("its Renyi divergence at order {} is not known", order.str()));
    charge.divergences.push_back(LossAmount::up(Rational::from_double(divergence)));
  }
  return charge;
}

// What is known without the law of the loss: the epsilon of discrete Laplace noise. Finding that law takes milliseconds
// where the noise is wide, and rules that add epsilons do not look at it.
std::optional<Rational> plain_epsilon(const FilterRule& rule, const Event& event) {
  const auto* noise = std::get_if<DiscreteLaplace>(&event.mechanism.kind);
  const bool adds_epsilons = std::holds_alternative<PureRule>(rule) || std::holds_alternative<BasicRule>(rule) ||
                             std::holds_alternative<AdvancedRule>(rule);
  if (noise == nullptr || !adds_epsilons || event.sample) return {};
  require_valid(event.mechanism);
  return noise->sensitivity / noise->scale;
}

}  // namespace

Charge charge_for(const FilterRule& rule, const Cost& cost) {
  if (cost.overflow > 0) refuse(rule, "its batches may be cut, which filters do not account for");
  if (std::holds_alternative<PureRule>(rule)) {
    const ApproximateDp& known = approximate(rule, cost);
    if (known.delta.sign() != 0) refuse(rule, "it has a delta");
    return PureCharge{LossAmount::up(known.epsilon)};
  }
  if (std::holds_alternative<BasicRule>(rule) || std::holds_alternative<AdvancedRule>(rule)) {
    const ApproximateDp& known = approximate(rule, cost);
    return ApproximateCharge{LossAmount::up(known.epsilon), DeltaAmount::up(known.delta)};
  }
  if (std::holds_alternative<ZcdpRule>(rule)) {
    if (!cost.concentrated) refuse(rule, "no rho is known for it");
    return ZcdpCharge{LossAmount::up(cost.concentrated->rho), DeltaAmount::up(cost.concentrated->delta)};
  }
  if (const auto* all = std::get_if<RenyiAllRule>(&rule)) return renyi(rule, all->orders, cost);
  if (const auto* any = std::get_if<RenyiAnyRule>(&rule)) return renyi(rule, any->orders, cost);
  if (!cost.squared_mu) refuse(rule, "it is not known to be Gaussian");
  return GdpCharge{LossAmount::up(*cost.squared_mu)};
}

Spent price(const FilterRule& rule, const Event& event, Neighbours neighbours) {
  if (const auto epsilon = plain_epsilon(rule, event)) {
    Cost known;
    known.approximate = ApproximateDp{*epsilon, 0};
    return times(price(rule, charge_for(rule, known)), event.times);
  }
  return times(price(rule, charge_for(rule, cost(event, neighbours))), event.times);
}

bool can_afford(const FilterState& state, const Event& event, Neighbours neighbours) {
  return can_afford(state, price(state.rule(), event, neighbours));
}

FilterState charged(const FilterState& state, const Event& event, Neighbours neighbours) {
  return charged(state, price(state.rule(), event, neighbours));
}

}  // namespace dither::accounting
