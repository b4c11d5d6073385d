// dither query: a statement answered, with its error and its price.
#include "sql/query.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/asking.h"
#include "cli/input.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/repl.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "cli/wanted.h"
#include "engine/parquet_file.h"
#include "ledger/ledger.h"

namespace dither::cli {

namespace {

using session::Answer;

const std::array kOptions = {
    Option{"file", "SCRIPT",
           "answer the statements of a file; all are priced first, and charged together or not at all"},
    Option{"format", "F", "table, csv, json, parquet or svg: bars with their intervals (table)"},
    Option{"out", "FILE", "write there instead of standard output; the file appears when it is complete"},
    Option{"project", "PATH", "project file; otherwise the nearest dither.yaml here or above"},
    Option{"json", "", "the same as --format json"},
    Option{"help", "", "this text"},
};

std::vector<Option> all_options() { return joined({wanted_options(), asking_options(), kOptions}); }

std::string help() {
  return R"(Answer a statement: charge its price, read the data, add noise once, show values with 95% intervals.
Reads data, spends budget. A question that was answered before is answered from the ledger, and costs nothing.
Usage:  dither query (--epsilon E [--delta D] | --rho R [--delta D] | --error WANTED [--delta D] [--expect N])
                     [--as ANALYST] [--again] [--format F] [--out FILE] [--project PATH] ... "SQL"
        dither query ... --file SCRIPT                         several statements, each at this price
        dither query [...]                                     without a statement: ask one after the other; \help helps
)" + options_help(all_options()) +
         R"(Example:  dither query --epsilon 0.5 "SELECT city, COUNT(*) FROM visits GROUP BY city"
          dither query --epsilon 0.5 --format svg --out visits.svg "SELECT city, COUNT(*) FROM visits GROUP BY city"
Ctrl-C cancels. What was opened by then stays charged.
Exit:     0 done   1 a statement that was read from a pipe failed   2 mistake in request or file
          3 refused by policy or budget   4 failed or cancelled
)";
}

enum class Form { table, csv, json, parquet, svg };
constexpr std::array kForms = {"table", "csv", "json", "parquet", "svg"};  // in the order of Form

Form read_form(const Given& given) {
  if (given.contains("json") && given.contains("format")) {
    throw Error{Code::bad_argument, "--format and --json are both given", "give one"};
  }
  const std::string name = given.contains("json") ? "json" : given.contains("format") ? given.at("format") : "table";
  const auto found = std::find(kForms.begin(), kForms.end(), name);
  if (found != kForms.end()) return static_cast<Form>(found - kForms.begin());
  throw Error{Code::bad_argument, fmt::format("--format is \"{}\", which is no format", echo(name)),
              "write table, csv, json, parquet or svg"};
}

// The statement, or the script; nothing where there is neither.
struct Question {
  std::string text;
  bool script = false;
};
std::optional<Question> read_question(const Given& given) {
  if (given.contains("SQL") && given.contains("file")) {
    throw Error{Code::bad_argument, "a statement and --file are both given", "give one"};
  }
  if (given.contains("file")) return Question{without_mark(read_bytes(given.at("file"), "--file")), true};
  if (!given.contains("SQL")) return {};
  const std::string& text = given.at("SQL");
  return Question{text == "-" ? without_mark(read_bytes("-", "the statement")) : text, false};
}

// Refuses what could not be written, before anything is spent.
void require_one_table(const Question& question, Form form) {
  if (!question.script || form == Form::table || form == Form::json) return;
  const std::size_t count = sql::statements(question.text).size();
  if (count <= 1) return;
  throw Error{
      Code::bad_argument,
      fmt::format("--file has {} statements, but {} holds one table", count, kForms[static_cast<std::size_t>(form)]),
      "write --format json or table, or ask for each in a file of its own"};
}

void refuse_terminal(const Output& output, Form form) {
  if (form != Form::parquet || !output.is_terminal()) return;
  throw Error{Code::bad_argument, "--format parquet would fill the terminal with bytes",
              "name a file with --out, or send it into a pipe"};
}

// A file that would be lost, or read as data later: the project's own, its ledger's, the key, the script, or a source; also one that
// is not there yet.
void refuse_own_files(const std::string& out, const std::string& script, const plan::Project& project) {
  namespace fs = std::filesystem;
  if (out.empty()) return;
  const fs::path folder = fs::path(project.path).parent_path();
  std::vector<std::string> own = {project.path, project.anchor, ledger::default_key_path(), script};
  for (const char* ending : {"", "-wal", "-shm", ".new"}) own.push_back(project.ledger + ending);
  own.push_back(ledger::head_file_of(project.ledger));
  own.push_back(ledger::answers_folder_of(project.ledger) + "/*");
  for (const plan::TableDeclaration& table : project.tables) own.push_back((folder / table.source.path).string());
  std::error_code error;
  const std::string place = fs::weakly_canonical(fs::absolute(followed(out)), error).string();
  for (const std::string& file : own) {
    if (file.empty()) continue;
    const std::string there = fs::weakly_canonical(fs::absolute(file), error).string();
    const bool same =
        there == place || fnmatch(there.c_str(), place.c_str(), 0) == 0 || fs::equivalent(out, file, error);
    if (!same) continue;
    throw Error{Code::bad_argument, fmt::format("--out is {}, which belongs to the project", echo(out)),
                "name another file: this one would be lost"};
  }
}

std::string tables_of(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers) text += rows_text(answer) + "\n";
  return text + price_text(answers);
}

std::string json_of(const std::vector<Answer>& answers, bool script) {
  if (!script) return show::json_pretty(answer_json(answers.front())) + "\n";
  show::Json all = show::Json::array();
  for (const Answer& answer : answers) all.push_back(answer_json(answer));
  return show::json_pretty({{"answers", all}}) + "\n";
}

// What is drawn, and that it can be: known before anything is spent.
std::optional<ChartShape> shape_for(Form form, const plan::Project& project, const Question& question,
                                    const sql::Wanted& wanted) {
  if (form != Form::svg) return {};
  return chart_shape(sql::privatize(project, sql::bind(project, question.text), wanted));
}

std::string written(const std::vector<Answer>& answers, Form form, bool script,
                    const std::optional<ChartShape>& shape) {
  switch (form) {
    case Form::json:
      return json_of(answers, script);
    case Form::csv:
      return answer_csv(answers.front());
    case Form::parquet: {
      const FlatAnswer all = flat(answers.front());
      return engine::parquet_bytes(all.names, all.types, all.rows);
    }
    case Form::svg:
      return answer_svg(answers.front(), *shape);
    default:
      return tables_of(answers);
  }
}

void refuse_for_repl(const Given& given) {
  for (const char* name : {"format", "out"}) {
    if (!given.contains(name)) continue;
    throw Error{Code::bad_argument, fmt::format("--{} is given without a statement", name),
                "write the statement in quotes: dither query --epsilon 0.5 \"SELECT COUNT(*) FROM visits\""};
  }
}

}  // namespace

void query(const Words& words) {
  const Given given = read_options("query", all_options(), words, "SQL");
  if (given.contains("help")) return write_answer("", help());
  const Form form = read_form(given);
  Asking asking = read_asking(given);
  const std::optional<Question> question = read_question(given);
  if (!question) {
    refuse_for_repl(given);
    return repl(given);
  }
  require_one_table(*question, form);
  auto session = session::Session::open(project_path(given));
  session.use_limits(asking.limits);
  const std::string out = given.contains("out") ? given.at("out") : "";
  refuse_own_files(out, given.contains("file") ? given.at("file") : "", session.project());
  const std::optional<ChartShape> shape = shape_for(form, session.project(), *question, asking.wanted);
  const CancelledBySignals signals;  // longer than the output, so that no signal leaves an unfinished file
  asking.ask.watch.token = signals.token();
  Output output(out, signals.token());
  refuse_terminal(output, form);
  asking.for_program = form == Form::json;
  const std::vector<Answer> answers = answered(session, question->text, question->script, asking);
  output.write(written(answers, form, question->script, shape));
  output.finish();
  if (form == Form::json || output.is_standard()) return;
  write_answer(fmt::format("wrote {}\n\n{}", printable(out), price_text(answers)), signals.token());
}

}  // namespace dither::cli
