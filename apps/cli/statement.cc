#include "cli/statement.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/numbers.h"
#include "cli/releases.h"
#include "show/json.h"

namespace dither::cli {

namespace {

using accounting::FilterRule;
using ledger::AttackOdds;
using ledger::time_text;

// The delta that the rule itself names; the other rules promise a curve, and one must say where to read it.
Rational promise_delta(const Given& given, const FilterRule& rule) {
  if (given.contains("delta")) return loss_number("delta", given.at("delta"));
  if (std::holds_alternative<accounting::PureRule>(rule)) return 0;
  if (const auto* basic = std::get_if<accounting::BasicRule>(&rule)) return basic->delta.value();
  if (const auto* advanced = std::get_if<accounting::AdvancedRule>(&rule)) {
    return advanced->slack.value() + advanced->delta.value();
  }
  throw Error{Code::bad_argument,
              fmt::format("--delta is not given, and a {} budget promises a curve", rule_name(rule)),
              "write e.g. --delta 1e-6"};
}

std::uint64_t periods_a_year(ledger::Period period) {
  switch (period) {
    case ledger::Period::day:
      return 366;
    case ledger::Period::month:
      return 12;
    case ledger::Period::quarter:
      return 4;
    default:
      return 1;
  }
}

Accumulation accumulation_of(const BudgetView& view) {
  const ledger::Budget& budget = view.budget;
  Accumulation result;
  result.so_far = ledger::accumulated(budget.terms.rule, budget.periods);
  const auto& expires = budget.terms.expires;
  const std::uint64_t until = expires ? ledger::periods_between(budget.terms.renews, view.now, *expires)
                                      : periods_a_year(budget.terms.renews) + 1;
  result.to_come = until == 0 ? 0 : until - 1;  // without the one that is going on
  result.at_most = ledger::accumulated(budget.terms.rule, budget.periods + result.to_come);
  return result;
}

Statement read_statement(ledger::Ledger& ledger, const std::string& path, const Given& given) {
  Statement result;
  result.head = ledger.head();
  result.ledger_id = ledger.id();
  result.view = view_of(ledger, path);
  result.tree = views_of(ledger, path);
  result.events = events_below(ledger, path);
  result.rules = rules_of(ledger);
  const FilterRule& rule = result.view.budget.terms.rule;
  result.delta = promise_delta(given, rule);
  result.odds = ledger::attack_odds(rule, result.delta);
  if (result.view.budget.terms.renews == ledger::Period::none) return result;
  result.accumulation = accumulation_of(result.view);
  if (const auto& total = result.accumulation->so_far) result.odds_so_far = ledger::attack_odds(*total, result.delta);
  return result;
}

show::Json odds_json(const AttackOdds& odds, const Rational& delta) {
  show::Json json = {
      {"promised_epsilon", std::isinf(odds.epsilon) ? show::Json("infinity") : show::json_real(odds.epsilon)},
      {"delta", digits_up(delta, 17)},
      {"accuracy", show::json_real(odds.accuracy)},
      {"hits_at_one_percent_false_alarms", show::json_real(odds.hits)}};
  if (odds.posterior) json["posterior_of_one_percent"] = show::json_real(*odds.posterior);
  return json;
}

show::Json limits_json(const std::optional<FilterRule>& rule) {
  return rule ? amounts_json(ledger::shown_limits(*rule)) : show::Json();
}

}  // namespace

Statement statement_of(ledger::Ledger& ledger, const std::string& path, const Given& given) {
  for (int tries = 0; tries < 100; ++tries) {
    Statement result = read_statement(ledger, path, given);
    if (ledger.head() == result.head) return result;  // nobody wrote while it was read
  }
  throw Error{Code::ledger_busy, "the ledger changes faster than a statement can be written",
              "try again, or write it from a backup"};
}

std::string statement_json(const Statement& statement) {
  const FilterRule& rule = statement.view.budget.terms.rule;
  show::Json json = budget_json(statement.view);
  json["as_of"] = time_text(statement.view.now);
  json["protects"] = neighbours_in_words(statement.view.dataset);
  json["theorem"] = rule_theorem(rule);
  json["attack"] = odds_json(statement.odds, statement.delta);
  if (statement.accumulation) {
    json["accumulation"] = {{"periods", statement.view.budget.periods},
                            {"so_far_at_most", limits_json(statement.accumulation->so_far)},
                            {"periods_to_come", statement.accumulation->to_come},
                            {"then_at_most", limits_json(statement.accumulation->at_most)}};
    if (statement.odds_so_far) json["attack_so_far"] = odds_json(*statement.odds_so_far, statement.delta);
  }
  for (const char* name : {"budgets", "releases", "refusals", "decisions"}) json[name] = show::Json::array();
  for (const BudgetView& view : statement.tree) json["budgets"].push_back(budget_json(view));
  for (const auto& release : statement.events.releases)
    json["releases"].push_back(release_json(release, statement.rules));
  for (const auto& refusal : statement.events.refusals) json["refusals"].push_back(refusal_json(refusal));
  for (const auto& decision : statement.events.decisions) json["decisions"].push_back(decision_json(decision));
  json["head"] = show::Json::parse(ledger::head_text(statement.head));
  return show::json_pretty(json) + "\n";
}

}  // namespace dither::cli
