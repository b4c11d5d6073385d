// dither check: whether the project file says what it should.
#include <nlohmann/json.hpp>

#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/verbs.h"
#include "plan/advice.h"

namespace dither::cli {

namespace {

std::string help() {
  return R"(Check the project file and show what was understood. Reads no data and no ledger, spends nothing.
Usage:  dither check [--project PATH] [--json]
)" + options_help(project_options()) +
         R"(Example:  dither check --project examples/clinic/dither.yaml
Exit:     0 the file is fine, perhaps with warnings   2 something in it is wrong: where, why, and what to write   4 failed
)";
}

}  // namespace

void check(const Words& words) {
  const Given given = read_options("check", project_options(), words);
  if (given.contains("help")) return write_answer("", help());
  const plan::Project project = plan::read_project(project_path(given));
  const auto budgets = declared_budgets(project);
  show::Json json = project_json(project);
  json["tables"] = show::Json::array();
  for (const plan::TableDeclaration& table : project.tables) json["tables"].push_back(table_json(project, table));
  json["budgets"] = budgets_json(budgets);
  json["warnings"] = plan::warnings(project);
  warn(given, plan::warnings(project));
  answer(given, project_text(project) + "\n" + tables_text(project) + "\n" + budgets_text(budgets),
         show::json_pretty(json));
}

}  // namespace dither::cli
