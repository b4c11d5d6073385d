// dither budget statement: one page for an ethics board.
#include <array>

#include "base/error.h"
#include "cli/budget_verbs.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/statement.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"delta", "D", "at which the promise is stated; needed for zCDP, Renyi and Gaussian DP budgets"},
    Option{"markdown", "", "as Markdown"},
    Option{"out", "FILE", "where it goes (standard output)"},
};

std::string help() {
  return R"(Write one page for an ethics board: whom a budget protects, what it promises, what was spent and what is left, the
attacker's best odds, and every release, refusal and decision. Reads no data, spends nothing.
Usage:  dither budget statement --ledger FILE [BUDGET] [--delta D] [--markdown | --json] [--out FILE]
Without BUDGET it is about the data set, when there is one alone.
)" + options_help(kOptions) +
         options_help(ledger_options()) +
         R"(Example:  dither budget statement --ledger visits.ledger visits --markdown --out statement.md
Exit:     0 done   2 mistake in the request   3 refused: a copy, or a ledger that was rolled back   4 failed
)";
}

// The budget that is named, or the data set when there is only one.
std::string path_of(ledger::Ledger& ledger, const Given& given) {
  if (given.contains("BUDGET")) return given.at("BUDGET");
  const auto datasets = ledger.datasets();
  if (datasets.size() == 1) return datasets.front().name;
  return operand(given, "BUDGET");
}

}  // namespace

void budget_statement(const Words& words) {
  const Given given = read_options("budget statement", joined({kOptions, ledger_options()}), words, "BUDGET");
  if (given.contains("help")) return write_answer("", help());
  if (given.contains("json") && given.contains("markdown")) {
    throw Error{Code::bad_argument, "--json and --markdown are both given", "give one of them"};
  }
  const std::string out = out_path(given);
  ledger::Ledger ledger = open_to_read(given);
  const Statement statement = statement_of(ledger, path_of(ledger, given), given);
  const std::string text = given.contains("json")       ? statement_json(statement)
                           : given.contains("markdown") ? page_markdown(statement_page(statement))
                                                        : page_text(statement_page(statement));
  write_answer(out, text);
}

}  // namespace dither::cli
