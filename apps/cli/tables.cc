// dither tables: what can be asked, of whom, and what is left to spend.
#include <nlohmann/json.hpp>

#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/verbs.h"

namespace dither::cli {

namespace {

std::string help() {
  return R"(Show the tables of a project, or one with its columns, what is missing, and the budget left.
Reads no data, spends nothing.
Usage:  dither tables [NAME] [--project PATH] [--json]
)" + options_help(project_options()) +
         R"(Example:  dither tables visits
Exit:     0 done   2 mistake in request or file   3 refused: a ledger that differs or was rolled back   4 failed
)";
}

}  // namespace

void tables(const Words& words) {
  const Given given = read_options("tables", project_options(), words, "NAME");
  if (given.contains("help")) return write_answer("", help());
  const session::Session session = session::Session::open(project_path(given));
  const plan::Project& project = session.project();
  const auto budgets = current_budgets(session);
  show::Json json = project_json(project);
  std::string text;
  if (given.contains("NAME")) {
    const plan::TableDeclaration& table = project.table(given.at("NAME"));
    text = table_text(project, table);
    json["tables"] = {table_json(project, table)};
  } else {
    text = tables_text(project);
    json["tables"] = show::Json::array();
    for (const plan::TableDeclaration& table : project.tables) json["tables"].push_back(table_json(project, table));
  }
  json["budgets"] = budgets_json(budgets);
  answer(given, text + "\n" + budgets_text(budgets), show::json_pretty(json));
}

}  // namespace dither::cli
