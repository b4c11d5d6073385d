// dither tables: what can be asked, of whom, and what is left to spend.
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
  const auto [json, text] = cli::described(session, given.contains("NAME") ? given.at("NAME") : "");
  answer(given, text, json);
}

}  // namespace dither::cli
