// dither explain: what a statement would cost and how exact it would be.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/explanation.h"
#include "cli/input.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/verbs.h"
#include "cli/wanted.h"
#include "session/session.h"
#include "sql/privatize.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"as", "ANALYST", "whose budget would pay, by name or by path (the data set's own)"},
    Option{"project", "PATH", "project file; otherwise the nearest dither.yaml here or above"},
    Option{"format", "F", "text, or svg for a drawing of the steps (text)"},
    Option{"json", "", "the same answer for programs"},
    Option{"help", "", "this text"},
};

std::string help() {
  return R"(Show what a statement would cost and how exact it would be. Reads no data, spends nothing.
Usage:  dither explain (--epsilon E [--delta D] | --rho R [--delta D] | --error WANTED [--delta D] [--expect N])
                       [--as ANALYST] [--project PATH] [--format F] [--json] "SQL"
        dither explain ... -                                   the statement is read from standard input
)" + options_help(wanted_options()) +
         options_help(kOptions) +
         R"(Example:  dither explain --epsilon 0.5 "SELECT city, COUNT(*) FROM visits GROUP BY city"
Exit:     0 done, also when it would not fit   2 mistake in request or file   3 refused by policy or budget   4 failed
)";
}

enum class Form { text, svg, json };

Form read_form(const Given& given) {
  const std::string format = given.contains("format") ? given.at("format") : "text";
  if (format != "text" && format != "svg") {
    throw Error{Code::bad_argument, fmt::format("--format is \"{}\", which is neither text nor svg", echo(format)),
                "write --format svg, or leave it out"};
  }
  if (!given.contains("json")) return format == "svg" ? Form::svg : Form::text;
  if (given.contains("format")) throw Error{Code::bad_argument, "--format and --json are both given", "give one"};
  return Form::json;
}

std::string read_statement(const Given& given) {
  const auto found = given.find("SQL");
  if (found == given.end()) {
    throw Error{Code::bad_argument, "no statement is given",
                "write it in quotes: dither explain --epsilon 0.5 \"SELECT COUNT(*) FROM visits\""};
  }
  return found->second == "-" ? without_mark(read_bytes("-", "the statement")) : found->second;
}

std::string answer(const Explanation& explanation, Form form) {
  switch (form) {
    case Form::svg:
      return explanation_svg(explanation);
    case Form::json:
      return show::json_pretty(explanation_json(explanation)) + "\n";
    default:
      return explanation_text(explanation);
  }
}

}  // namespace

void explain(const Words& words) {
  const Given given = read_options("explain", joined({wanted_options(), kOptions}), words, "SQL");
  if (given.contains("help")) return write_answer("", help());
  const Form form = read_form(given);
  const sql::Wanted wanted = read_wanted(given);
  const std::string text = read_statement(given);
  const auto session = session::Session::open(project_path(given));
  const sql::Statement statement = sql::bind(session.project(), text);
  session::PricedPlan plan = sql::privatize(session.project(), statement, wanted);
  write_answer("", answer(explained(session, text, std::move(plan), given.contains("as") ? given.at("as") : ""), form));
}

}  // namespace dither::cli
