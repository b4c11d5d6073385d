#include "accounting/charge.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

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

// A number of equal amounts; beyond the range the end of it, which is over every budget.
template <int places>
Amount<places> times(Amount<places> amount, std::uint64_t count) {
  Int128 steps = 0;
  const bool beyond = __builtin_mul_overflow(amount.steps(), static_cast<Int128>(count), &steps);
  return Amount<places>::of_steps(beyond ? std::numeric_limits<Int128>::max() : steps);
}

// Equal charges of a rule that sums them.
struct Times {
  std::uint64_t count;

  Charge operator()(const PureCharge& one) const { return PureCharge{times(one.epsilon, count)}; }
  Charge operator()(const ApproximateCharge& one) const {
    return ApproximateCharge{times(one.epsilon, count), times(one.delta, count)};
  }
  Charge operator()(const ZcdpCharge& one) const { return ZcdpCharge{times(one.rho, count), times(one.delta, count)}; }
  Charge operator()(const RenyiCharge& one) const {
    RenyiCharge all{{}, times(one.delta, count)};
    for (const LossAmount divergence : one.divergences) all.divergences.push_back(times(divergence, count));
    return all;
  }
  Charge operator()(const GdpCharge& one) const { return GdpCharge{times(one.mu_squared, count)}; }
};

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

FilterState charged(const FilterState& state, const Event& event, Neighbours neighbours) {
  if (event.times == 0) return state;
  const Charge one = charge_for(state.rule(), cost(event, neighbours));
  if (!std::holds_alternative<AdvancedRule>(state.rule())) return charged(state, std::visit(Times{event.times}, one));
  constexpr std::uint64_t kMostAtOnce = 1'000'000;  // squares of epsilon add, release by release
  if (event.times > kMostAtOnce) {
    throw Error{Code::bad_count, fmt::format("{} releases at once under the advanced rule", event.times),
                "charge at most 1000000 at once"};
  }
  FilterState after = state;
  for (std::uint64_t i = 0; i < event.times; ++i) after = charged(after, one);
  return after;
}

bool can_afford(const FilterState& state, const Event& event, Neighbours neighbours) {
  try {
    charged(state, event, neighbours);
  } catch (const Error& error) {
    if (error.code() != Code::over_budget) throw;
    return false;
  }
  return true;
}

}  // namespace dither::accounting
