#include "cli/project_output.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/guarantee_output.h"
#include "plan/advice.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using plan::Project;
using session::BudgetState;
using show::Align;
using show::Json;

const std::array kOptions = {
    Option{"project", "PATH", "project file; otherwise the nearest dither.yaml here or above"},
    Option{"json", "", "the same answer for programs"},
    Option{"help", "", "this text"},
};

ledger::Dataset dataset_of(const Project& project) {
  ledger::Dataset dataset;
  dataset.unit = project.unit;
  dataset.neighbours = project.neighbours;
  return dataset;
}

}  // namespace

std::span<const Option> project_options() { return kOptions; }

std::string project_path(const Given& given) {
  if (!given.contains("project")) return plan::find_project(".");
  if (!given.at("project").empty()) return given.at("project");
  throw Error{Code::bad_argument, "--project is empty", "name a file, or leave it out for the nearest dither.yaml"};
}

std::string project_text(const Project& project) {
  return facts_text({{"project", printable(project.path)},
                     {"data", fmt::format("version {}", printable(project.data_version))},
                     {"protects", fmt::format("{}: {} ({})", printable(project.unit.name),
                                              printable(neighbours_in_words(dataset_of(project))),
                                              neighbours_name(project.neighbours))},
                     {"ledger", printable(project.ledger)}});
}

Json project_json(const Project& project) {
  Json json = {{"project", project.path},
               {"data_version", project.data_version},
               {"unit", project.unit.name},
               {"neighbours", neighbours_name(project.neighbours)},
               {"ledger", project.ledger}};
  if (!project.anchor.empty()) json["anchor"] = project.anchor;
  if (project.deadline) json["deadline"] = show::json_rational(*project.deadline);
  return json;
}

std::pair<std::string, std::string> described(const session::Session& session, const std::string& table) {
  const Project& project = session.project();
  const auto budgets = current_budgets(session);
  Json json = project_json(project);
  json["tables"] = Json::array();
  for (const plan::TableDeclaration& one : project.tables) {
    if (table.empty() || one.name == table) json["tables"].push_back(table_json(project, one));
  }
  json["budgets"] = budgets_json(budgets);
  const std::string text = table.empty() ? tables_text(project) : table_text(project, project.table(table));
  return {show::json_pretty(json), text + "\n" + budgets_text(budgets)};
}

std::vector<BudgetState> declared_budgets(const Project& project) {
  std::vector<BudgetState> states;
  for (const plan::BudgetDeclaration& budget : project.budgets) {
    states.push_back(
        {project.budget_path(budget.name), budget.rule, accounting::nothing_spent(budget.rule), false, ""});
  }
  return states;
}

std::vector<BudgetState> current_budgets(const session::Session& session) {
  std::vector<BudgetState> states;
  for (const plan::BudgetDeclaration& budget : session.project().budgets) {
    states.push_back(session.budgets(budget.name).front());
  }
  return states;
}

std::string budgets_text(const std::vector<BudgetState>& budgets) {
  std::vector<std::vector<std::string>> rows;
  for (const BudgetState& budget : budgets) {
    const std::string standing = !budget.in_ledger ? "not used yet" : budget.closed.empty() ? "open" : budget.closed;
    rows.push_back({budget.path, std::string(rule_name(budget.rule)), limit_text(budget.rule),
                    spent_text(budget.rule, budget.spent), left_text(budget.rule, budget.spent), standing});
  }
  return show::text_table({{"budget", Align::left},
                           {"rule", Align::left},
                           {"limit", Align::left},
                           {"spent", Align::left},
                           {"left", Align::left},
                           {"standing", Align::left}},
                          rows);
}

Json budgets_json(const std::vector<BudgetState>& budgets) {
  Json all = Json::array();
  for (const BudgetState& budget : budgets) {
    Json json = {{"budget", budget.path},
                 {"rule", rule_name(budget.rule)},
                 {"limit", amounts_json(ledger::shown_limits(budget.rule))},
                 {"spent", amounts_json(ledger::shown(budget.rule, budget.spent))},
                 {"left", amounts_json(ledger::shown_left(budget.rule, budget.spent))},
                 {"in_ledger", budget.in_ledger}};
    if (!budget.closed.empty()) json["closed"] = budget.closed;
    all.push_back(json);
  }
  return all;
}

}  // namespace dither::cli
