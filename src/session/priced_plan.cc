#include "session/priced_plan.h"

#include <fmt/format.h>

#include <variant>

#include "base/error.h"

namespace dither::session {

namespace {

using accounting::FilterRule;

bool adds_epsilons(const FilterRule& rule) {
  return std::holds_alternative<accounting::PureRule>(rule) || std::holds_alternative<accounting::BasicRule>(rule) ||
         std::holds_alternative<accounting::AdvancedRule>(rule);
}

// What the events cost one by one, or the refusal of the first that the rule has no price for.
std::variant<accounting::Spent, Error> one_by_one(const std::vector<accounting::Event>& events, const FilterRule& rule,
                                                  accounting::Neighbours neighbours) {
  try {
    return ledger::cost_of({events, {}}, rule, neighbours);
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
    return error;
  }
}

// What the measurements of a release lose, exactly; nothing where one of them is not described by an epsilon and a
// delta.
std::optional<std::vector<accounting::ApproximateDp>> losses_of(const PricedPlan& plan) {
  std::vector<calculus::Loss> losses;
  if (plan.keys && !plan.keys->part) losses.push_back(plan.keys->measurement.loss(plan.keys->units.map(plan.steps)));
  for (const Part& part : plan.parts) {
    if (part.measurement) losses.push_back(part.measurement->loss(part.exact.map(plan.steps)));
  }
  std::vector<accounting::ApproximateDp> all;
  for (const calculus::Loss& loss : losses) {
    const auto* cost = std::get_if<accounting::ApproximateDp>(&loss);
    if (cost == nullptr) return {};
    all.push_back(*cost);
  }
  return all;
}

bool within(const std::vector<accounting::ApproximateDp>& losses, const StatementPrice& typed) {
  Rational epsilon, delta;
  for (const accounting::ApproximateDp& loss : losses) {
    epsilon += loss.epsilon;
    delta += loss.delta;
  }
  return !losses.empty() && epsilon <= *typed.epsilon && delta <= typed.delta;
}

// Of a rule that adds up epsilons or their squares.
bool more_than(const accounting::Spent& cost, const StatementPrice& typed) {
  const auto epsilon = accounting::LossAmount::up(*typed.epsilon);
  const bool dearer =
      cost.losses.empty() ? cost.squares > accounting::square_up(epsilon) : cost.losses.front() > epsilon;
  return dearer || cost.delta > accounting::DeltaAmount::up(typed.delta);
}

// Squares of parts are less than the square of the whole, so under advanced the parts stay apart.
ledger::Price by_losses(const std::vector<accounting::ApproximateDp>& losses, const FilterRule& rule,
                        const StatementPrice& typed) {
  ledger::Price price;
  const auto add = [&](const Rational& epsilon, const Rational& delta) {
    price.events.push_back({{}, accounting::BlackBox{epsilon, delta}, 1});
  };
  if (!std::holds_alternative<accounting::AdvancedRule>(rule)) {
    add(*typed.epsilon, typed.delta);
    return price;
  }
  for (const accounting::ApproximateDp& loss : losses) add(loss.epsilon, loss.delta);
  return price;
}

}  // namespace

std::string_view noise_name(Noise noise) {
  switch (noise) {
    case Noise::none:
      return "none";
    case Noise::discrete_laplace:
      return "discrete-laplace";
    case Noise::real_gaussian:
      return "real-gaussian";
    case Noise::discrete_gaussian:
      return "discrete-gaussian";
  }
  return "";
}

Charged charged(const PricedPlan& plan, const FilterRule& rule, accounting::Neighbours neighbours) {
  const StatementPrice& typed = plan.price;
  const auto at = [&](ledger::Price price) -> Charged {
    accounting::Spent cost = ledger::cost_of(price, rule, neighbours);
    return {std::move(price), std::move(cost)};
  };
  const auto outcome = one_by_one(plan.events, rule, neighbours);
  if (const auto* cost = std::get_if<accounting::Spent>(&outcome)) {
    if (!adds_epsilons(rule) || !typed.epsilon || !more_than(*cost, typed)) return {{plan.events, {}}, *cost};
    // Each event is rounded up by itself, and thirds come to a little more than the whole; so do the deltas of keys.
    const auto losses = losses_of(plan);
    if (losses && within(*losses, typed)) return at(by_losses(*losses, rule, typed));
    return {{plan.events, {}}, *cost};
  }
  if (!adds_epsilons(rule)) throw std::get<Error>(outcome);
  if (!typed.epsilon) {
    throw Error{
        Code::no_theorem,
        fmt::format("the statement is priced by rho, but its budget adds up epsilons (rule {})", rule_name(rule)),
        "price it with --epsilon E --delta D, or declare the budget with `rho:`"};
  }
  if (std::holds_alternative<accounting::PureRule>(rule)) {
    throw Error{Code::no_theorem,
                fmt::format("the statement has delta {}, but its budget is pure: it has none", typed.delta.str()),
                "leave --delta out, or declare the budget with a delta above 0"};
  }
  return at({{{{}, accounting::BlackBox{*typed.epsilon, typed.delta}, 1}}, {}});
}

}  // namespace dither::session
