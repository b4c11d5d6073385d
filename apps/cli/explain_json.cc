// What a statement would cost, for programs.
#include <nlohmann/json.hpp>

#include "cli/budget_output.h"
#include "cli/explanation.h"
#include "ledger/outlook.h"

namespace dither::cli {

namespace {

using session::PricedPlan;
using show::Json;

Json real_or_null(const std::optional<double>& value) { return value ? show::json_real(*value) : Json(); }

// The typed epsilon in the digits it was typed in, where a double shows them.
Json epsilon_json(const Explanation& explanation, const PriceAt& point) {
  if (!point.as_typed) return show::json_real(point.epsilon);
  const Rational& typed = *explanation.plan.price.epsilon;
  const double down = typed.to_double_down();
  return Rational::parse(show::json_line(show::json_real(down))) >= typed ? show::json_real(down)
                                                                          : show::json_real(point.epsilon);
}

Json curve_json(const Explanation& explanation) {
  Json array = Json::array();
  for (const PriceAt& point : explanation.curve) {
    array.push_back({{"delta", show::json_rational(point.delta)}, {"epsilon", epsilon_json(explanation, point)}});
  }
  return array;
}

Json steps_json(const PricedPlan& plan) {
  Json array = Json::array();
  for (const session::StabilityStep& step : plan.chain) {
    array.push_back({{"step", step.step}, {"metric", step.metric}, {"distance", step.distance}, {"why", step.why}});
  }
  return array;
}

// Distances and scale in the unit of the answer.
Json part_json(const Explanation& explanation, const session::Part& part) {
  const PartWords words = in_words(explanation, part);
  const calculus::CellsDistance& moves = part.distance;
  return {{"measure", plan::measure_kind_name(explanation.plan.exact.measures[part.measure].kind)},
          {"number", words.number},
          {"noise", session::noise_name(part.noise)},
          {"scale", show::json_rational(part.scale * part.unit)},
          {"step", show::json_rational(part.unit)},
          {"cells", show::json_rational(moves.cells)},
          {"l1", show::json_rational(moves.l1 * part.unit)},
          {"l2_squared", show::json_rational(moves.l2_squared * part.unit * part.unit)},
          {"price", show::json_rational(part.price)},
          {"share", show::json_real(words.share)},
          {"standard_error", show::json_real(part.standard_error)}};
}

Json keys_json(const PricedPlan& plan) {
  if (plan.exact.keys == 0) return {{"kind", "none"}};
  if (!plan.keys) return {{"kind", "public"}, {"count", plan.exact.public_keys->size()}};
  return {{"kind", "private"},
          {"rule", plan.keys->rule},
          {"price", show::json_rational(plan.keys->price)},
          {"delta", show::json_rational(plan.keys->delta)},
          {"shown_from", show::json_real(plan.keys->shown_from)}};
}

Json columns_json(const PricedPlan& plan) {
  Json array = Json::array();
  for (std::size_t i = 0; i < plan.errors.size(); ++i) {
    const session::PredictedError& error = plan.errors[i];
    array.push_back({{"column", error.column},
                     {"standard_error", real_or_null(error.standard_error)},
                     {"within95", real_or_null(error.within95)},
                     {"cut_by", i < plan.cut_by.size() ? Json(plan.cut_by[i]) : Json::array()},
                     {"note", error.note}});
  }
  return array;
}

Json budgets_json(const session::Quote& quote) {
  Json array = Json::array();
  for (const session::BudgetState& payer : quote.payers) {
    array.push_back({{"budget", payer.path},
                     {"rule", accounting::rule_name(payer.rule)},
                     {"limit", amounts_json(ledger::shown_limits(payer.rule))},
                     {"spent", amounts_json(ledger::shown(payer.rule, payer.spent))},
                     {"left", amounts_json(ledger::shown_left(payer.rule, payer.spent))},
                     {"in_ledger", payer.in_ledger},
                     {"closed", payer.closed}});
  }
  return array;
}

}  // namespace

Json explanation_json(const Explanation& explanation) {
  const PricedPlan& plan = explanation.plan;
  const session::Quote& quote = explanation.quote;
  Json json = {{"statement", explanation.statement},
               {"plan_hash", explanation.plan_hash},
               {"tables", plan.tables},
               {"answer", plan.names},
               {"unit", plan.unit.name},
               {"weaker_than_declared_unit", plan.weaker},
               {"neighbours", accounting::neighbours_name(explanation.project.neighbours)}};
  Json price = Json::object();
  if (plan.price.epsilon) price["epsilon"] = show::json_rational(*plan.price.epsilon);
  if (plan.price.rho) price["rho"] = show::json_rational(*plan.price.rho);
  price["delta"] = show::json_rational(plan.price.delta);
  json["price"] = price;
  json["curve"] = curve_json(explanation);
  json["steps"] = steps_json(plan);
  json["parts"] = Json::array();
  for (const session::Part& part : plan.parts) json["parts"].push_back(part_json(explanation, part));
  json["keys"] = keys_json(plan);
  json["columns"] = columns_json(plan);
  json["cost"] = amounts_json(ledger::shown(quote.payers.back().rule, quote.cost));
  json["fits"] = quote.fits();
  json["how_many"] = quote.how_many;
  json["budgets"] = budgets_json(quote);
  json["notes"] = explanation.plan.notes;
  return json;
}

}  // namespace dither::cli
