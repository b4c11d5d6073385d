#include "cli/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "accounting/accountant.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/numbers.h"

namespace dither::cli {

namespace {

using session::Noise;
using session::Part;
using session::PricedPlan;

constexpr double kWidth = 1e-3;  // how narrow the epsilons of the curve are found

// The statement's own delta, and a few that people compare by.
std::vector<Rational> deltas_of(const session::StatementPrice& price) {
  std::vector<Rational> deltas = {price.delta, Rational(1, 1'000'000'000), Rational(1, 1'000'000), Rational(1, 1000)};
  std::sort(deltas.begin(), deltas.end());
  deltas.erase(std::unique(deltas.begin(), deltas.end()), deltas.end());
  return deltas;
}

// What is proven of Laplace noise by its epsilon alone. Its own curve is a little better, but noise that is millions of steps
// wide takes tens of milliseconds to describe exactly.
accounting::Event by_epsilon(accounting::Event event) {
  if (const auto* laplace = std::get_if<accounting::DiscreteLaplace>(&event.mechanism.kind)) {
    event.mechanism = accounting::BlackBox{laplace->sensitivity / laplace->scale, 0};
  }
  return event;
}

std::vector<PriceAt> curve_of(const plan::Project& project, const PricedPlan& plan) {
  std::vector<PriceAt> curve;
  if (plan.events.empty()) return curve;
  accounting::EventList list{project.neighbours, plan.unit, 1, {}};
  for (const accounting::Event& event : plan.events) list.events.push_back(by_epsilon(event));
  const accounting::Composition composition(std::move(list));
  for (const Rational& delta : deltas_of(plan.price)) {
    const double found = composition.epsilon_at(delta, kWidth).epsilon.upper;
    const bool typed = plan.price.epsilon && plan.price.delta <= delta &&
                       (std::isinf(found) || Rational::parse(digits_up(found, kDigits)) >= *plan.price.epsilon);
    curve.push_back({delta, typed ? plan.price.epsilon->to_double_up() : found, typed});
  }
  return curve;
}

// The columns of the answer that a part is used for.
std::vector<std::string> columns_of(const PricedPlan& plan, std::size_t part) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < plan.estimates.size(); ++i) {
    const session::Estimate& estimate = plan.estimates[i];
    if (estimate.count == part || estimate.sum == part || estimate.squares == part) {
      columns.push_back(plan.errors[i].column);
    }
  }
  return columns;
}

std::string noise_words(const Part& part) {
  const std::string scale = digits_up(part.scale * part.unit, 10);
  switch (part.noise) {
    case Noise::none:
      return "none: it is the same for all neighbours";
    case Noise::discrete_laplace:
      return "discrete Laplace, scale " + scale;
    case Noise::discrete_gaussian:
      return "discrete Gaussian, sigma " + scale;
    case Noise::real_gaussian:
      return "Gaussian, sigma " + scale;
  }
  return "";
}

// How far the number moves between neighbours, in the unit of the answer.
std::string moves(const Part& part) {
  const calculus::CellsDistance& distance = part.distance;
  const auto amount = [&](const Rational& steps) { return digits_up(steps * part.unit, 10); };
  if (distance.l1.sign() == 0) return "does not move";
  if (distance.cells <= Rational(1)) return fmt::format("moves by at most {}", amount(distance.l1));
  return fmt::format("moves in at most {} keys, by at most {} each and {} in all", distance.cells.str(),
                     amount(distance.largest), amount(distance.l1));
}

Rational total_price(const PricedPlan& plan) {
  Rational total = plan.keys ? plan.keys->price : Rational(0);
  for (const Part& part : plan.parts) total += part.price;
  return total;
}

}  // namespace

Explanation explained(const session::Session& session, std::string statement, PricedPlan plan,
                      const std::string& analyst) {
  Explanation explanation{session.project(), std::move(statement), std::move(plan), "", {}, {}};
  explanation.plan_hash = plan::plan_hash(explanation.project, explanation.plan.exact);
  explanation.quote = session.quote(explanation.plan, analyst);
  explanation.curve = curve_of(session.project(), explanation.plan);
  return explanation;
}

std::string Explanation::weaker() const {
  return plan.weaker ? fmt::format("weaker than one {}", printable(project.unit.name)) : "";
}

PartWords in_words(const Explanation& explanation, const Part& part) {
  const PricedPlan& plan = explanation.plan;
  const auto index = static_cast<std::size_t>(&part - plan.parts.data());
  const std::vector<std::string> columns = columns_of(plan, index);
  PartWords words;
  words.number = std::string(plan::measure_kind_name(plan.exact.measures[part.measure].kind));
  if (!columns.empty()) words.number += fmt::format(" for {}", fmt::join(columns, ", "));
  words.noise = noise_words(part);
  words.moves = moves(part);
  words.price = fmt::format("{} {}", plan.price.rho ? "rho" : "epsilon", digits_up(part.price, 10));
  const Rational total = total_price(plan);
  words.share = total.sign() == 0 ? 0 : (part.price / total).to_double_up();
  return words;
}

Facts price_facts(const session::StatementPrice& price) {
  Facts facts;
  if (price.epsilon) facts.push_back({"epsilon", digits_up(*price.epsilon, 17)});
  if (price.rho) facts.push_back({"rho", digits_up(*price.rho, 17)});
  facts.push_back({"delta", digits_up(price.delta, 17)});
  return facts;
}

std::string keys_in_words(const PricedPlan& plan) {
  if (plan.exact.keys == 0) return "none: one row";
  if (!plan.keys) {
    return fmt::format("public: {}, all of them are answered", plan.exact.public_keys->size());
  }
  return fmt::format("private: chosen by {}, delta {}; a key of {} units or more is likely to be shown",
                     plan.keys->rule, digits_up(plan.keys->delta, 3), digits_up(plan.keys->shown_from, 3));
}

}  // namespace dither::cli
