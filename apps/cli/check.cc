// dither check: whether the project file says what it should, and what it will do to the data.
#include <array>
#include <nlohmann/json.hpp>

#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/source_report.h"
#include "cli/verbs.h"
#include "plan/advice.h"
#include "session/no_dumps.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"no-sources", "", "check the file alone: open no source, read no data"},
};

std::vector<Option> all_options() { return joined({kOptions, project_options()}); }

std::string help() {
  return R"(Check the project file and show what was understood; then compare it with its sources, and count rows that will be
clamped, nulled or dropped. Reads data, but no ledger; spends nothing. What it counts is exact, so INTERNAL.
Usage:  dither check [--no-sources] [--project PATH] [--json]
)" + options_help(all_options()) +
         R"(Example:  dither check --no-sources --project examples/clinic/dither.yaml
Exit:     0 all is fine, perhaps with warnings   1 a source is missing or differs from the file
          2 something in the file is wrong: where, why, and what to write   4 failed
)";
}

}  // namespace

void check(const Words& words) {
  const Given given = read_options("check", all_options(), words);
  if (given.contains("help")) return write_answer("", help());
  const plan::Project project = plan::read_project(project_path(given));
  const auto budgets = declared_budgets(project);
  show::Json json = project_json(project);
  json["tables"] = show::Json::array();
  for (const plan::TableDeclaration& table : project.tables) json["tables"].push_back(table_json(project, table));
  json["budgets"] = budgets_json(budgets);
  json["warnings"] = plan::warnings(project);
  std::string text = project_text(project) + "\n" + tables_text(project) + "\n" + budgets_text(budgets);
  SourceReport report;
  if (!given.contains("no-sources")) {
    session::forbid_dumps();
    report = source_report(project);
    text += "\n" + source_report_text(project, report);
    json["sources"] = source_report_json(report);
  }
  warn(given, plan::warnings(project));
  answer(given, text, show::json_pretty(json));
  if (!report.findings.empty()) throw FoundSomething{};
}

}  // namespace dither::cli
