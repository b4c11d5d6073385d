// Statements one after the other, and commands between them.
#include "cli/repl.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/asking.h"
#include "cli/completion.h"
#include "cli/explanation.h"
#include "cli/failure.h"
#include "cli/input.h"
#include "cli/line_editor.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "cli/wanted.h"

namespace dither::cli {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string without_semicolon(std::string text) {
  text = trimmed(text);
  while (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  return text;
}

// Whether the last statement has its semicolon: then whatever comes behind is another one.
bool is_complete(const std::string& text) {
  try {
    return sql::statements(text + "\nx").size() > sql::statements(text).size();
  } catch (const Error& error) {
    // An open quote or comment goes on in the next line; whatever else the scanner cannot read ends with its semicolon.
    const bool open = std::string_view(error.what()).find("unterminated") != std::string_view::npos;
    return !open && trimmed(text).ends_with(';');
  }
}

class Repl {
 public:
  explicit Repl(const Given& given)
      : path_(project_path(given)),
        given_(given),
        asking_(read_asking(given)),
        json_(given.contains("json")),
        session_(session::Session::open(path_)),
        words_(known_words(session_.project())) {
    session_.use_limits(asking_.limits);
    for (const Command& command : kCommands) commands_.emplace_back(command.name);
  }

  void run() {
    LineEditor lines(history_file(),
                     [this](const std::string& before) { return completions(words_, commands_, before); });
    if (lines.edits()) {
      fmt::print("Dither " DITHER_VERSION ", project {}. Statements end with a semicolon; \\help lists commands.\n",
                 printable(path_));
      std::fflush(stdout);
    }
    at_keyboard_ = lines.edits();
    std::string line;
    for (bool first = true; !done_; first = false) {
      const LineEditor::Read read = lines.read(pending_.empty() ? prompt() : "    -> ", line);
      if (read == LineEditor::Read::end) break;
      if (read == LineEditor::Read::interrupted) {
        pending_.clear();
        waiting_ = nullptr;
        continue;
      }
      take(first ? without_mark(line) : line);
    }
    if (!at_keyboard_) finish();  // a pipe may leave the last semicolon out; at a keyboard nobody has said so
    if (!at_keyboard_ && failed_) throw FoundSomething{};
  }

 private:
  struct Command {
    const char* name;
    const char* takes;
    const char* does;
    void (Repl::*run)(const std::string& rest);
    bool takes_statement = false;  // which ends with its semicolon, perhaps some lines later
  };
  static const std::array<Command, 13> kCommands;

  // The analyst, and the price: there is no default, and one sees what the next statement will cost.
  std::string prompt() const {
    std::string text = asking_.ask.analyst.empty() ? "dither" : printable(asking_.ask.analyst);
    if (!has_price(asking_.wanted)) text += " no epsilon";
    for (const char* name : {"epsilon", "rho", "error", "delta"}) {
      if (given_.contains(name)) text += fmt::format(" {}={}", name, printable(given_.at(name)));
    }
    return text + "> ";
  }

  void take(const std::string& line) {
    if (trimmed(line).starts_with('\\')) return begin_command(trimmed(line));
    if (pending_.empty() && trimmed(line).empty()) return;
    pending_ += line + "\n";
    if (is_complete(pending_)) finish();
  }

  void begin_command(const std::string& line) {
    const std::size_t end = line.find_first_of(kBlanks);
    const std::string name = without_semicolon(line.substr(0, end));
    guarded([&] { drop_pending(name); });
    guarded([&] {
      const Command& command = find(name);
      const std::string rest = end == std::string::npos ? "" : trimmed(line.substr(end));
      if (!command.takes_statement || rest.empty()) return (this->*command.run)(without_semicolon(rest));
      waiting_ = &command;
      pending_ = rest + "\n";
    });
    if (!pending_.empty() && is_complete(pending_)) finish();
  }

  // In the middle of a statement no line begins with a backslash, and whoever types \q there wants to leave; a script
  // has lost its semicolon.
  void drop_pending(const std::string& name) {
    waiting_ = nullptr;
    if (std::exchange(pending_, "").empty() || at_keyboard_) return;
    throw Error{Code::bad_argument,
                fmt::format("the statement before {} has no semicolon; it was not asked", echo(name)),
                "end every statement with a semicolon"};
  }

  // What was typed is whole: a statement or several, or a command with its own.
  void finish() {
    const std::string text = std::exchange(pending_, "");
    const Command* command = std::exchange(waiting_, nullptr);
    if (text.empty()) return;
    if (command == nullptr) return ask_all(text);
    guarded([&] { (this->*command->run)(without_semicolon(text)); });
  }

  void ask_all(const std::string& text) {
    guarded([&] {
      for (const sql::ScriptStatement& statement : sql::statements(text)) {
        guarded([&] { ask(statement.text, false); });
      }
    });
  }

  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      failed_ = true;
      print_error(error);
    } catch (const Cancelled&) {
      failed_ = true;
      std::fputs("cancelled\n", stderr);
    }
  }

  const Command& find(const std::string& name) const {
    for (const Command& one : kCommands) {
      if (name == one.name) return one;
    }
    throw Error{Code::bad_argument, fmt::format("there is no command {}", echo(name)),
                fmt::format("did you mean {}? \\help lists them", nearest(name, commands_))};
  }

  // A statement may state its own price, as BigQuery's do.
  void require_price(const std::string& text) const {
    if (has_price(asking_.wanted) || sql::bind(session_.project(), text).options.epsilon) return;
    throw Error{Code::bad_argument, "no price is set, and there is no default",
                "write \\epsilon 0.5, \\rho 0.01 or \\error 200 first; \\explain shows what it buys"};
  }

  void ask(const std::string& text, bool again) {
    last_ = text;
    require_price(text);
    Asking asking = asking_;
    asking.ask.again = asking.ask.again || again;
    asking.for_program = json_;
    const CancelledBySignals signals;
    asking.ask.watch.token = signals.token();
    const std::vector<session::Answer> answers = answered(session_, text, false, asking);
    write_answer(json_ ? show::json_line(answer_json(answers.front())) + "\n"
                       : rows_text(answers.front()) + "\n" + price_text(answers),
                 signals.token());
  }

  // Takes the new prices once they can be read.
  void change(Given given) {
    asking_.wanted = read_wanted(given);
    given_ = std::move(given);
  }
  void set_price(const std::string& name, const std::string& value) {
    Given given = given_;
    for (const char* other : {"epsilon", "rho", "error"}) given.erase(other);
    if (value != "off" && !value.empty()) given[name] = value;
    change(std::move(given));
  }

  void epsilon(const std::string& rest) { set_price("epsilon", rest); }
  void rho(const std::string& rest) { set_price("rho", rest); }
  void error(const std::string& rest) { set_price("error", rest); }
  void delta(const std::string& rest) {
    Given given = given_;
    given.erase("delta");
    if (rest != "off" && !rest.empty()) given["delta"] = rest;
    change(std::move(given));
  }
  void as(const std::string& rest) {
    session::Session::open(path_).budgets(rest);  // refuses names that there are not
    asking_.ask.analyst = rest;
  }
  void describe(const std::string& rest) {
    const plan::Project& project = session_.project();
    write_answer("", rest.empty() ? tables_text(project) : table_text(project, project.table(rest)));
  }
  void explain(const std::string& rest) {
    if (rest.empty() && last_.empty())
      throw Error{Code::bad_argument, "no statement to explain", "write it behind \\explain"};
    const std::string text = rest.empty() ? last_ : rest;
    require_price(text);
    const auto now = session::Session::open(path_);
    session::PricedPlan plan = sql::privatize(now.project(), sql::bind(now.project(), text), asking_.wanted);
    write_answer("", explanation_text(explained(now, text, std::move(plan), asking_.ask.analyst)));
  }
  void again(const std::string& rest) {
    if (rest.empty() && last_.empty())
      throw Error{Code::bad_argument, "nothing was asked yet", "write a statement behind \\again"};
    ask(rest.empty() ? last_ : rest, true);
  }
  void budgets(const std::string& /*rest*/) {
    write_answer("", budgets_text(current_budgets(session::Session::open(path_))));
  }
  void json(const std::string& /*rest*/) {
    json_ = !json_;
    fmt::print(stderr, "answers are {} now\n", json_ ? "JSON, a line each" : "tables");
  }
  void help(const std::string& /*rest*/) {
    std::string text = "A statement ends with a semicolon, and may span lines. It is charged when it is asked.\n";
    for (const Command& command : kCommands) {
      text += fmt::format("  {:<22}{}\n", fmt::format("{} {}", command.name, command.takes), command.does);
    }
    write_answer("", text);
  }
  void quit(const std::string& /*rest*/) { done_ = true; }

  std::string path_;
  Given given_;  // the prices as typed
  Asking asking_;
  bool json_;
  session::Session session_;
  std::vector<std::string> words_, commands_;
  std::string pending_;               // lines of a statement that has not ended
  const Command* waiting_ = nullptr;  // for it; nothing: it is asked
  std::string last_;                  // statement
  bool at_keyboard_ = false, failed_ = false, done_ = false;
};

const std::array<Repl::Command, 13> Repl::kCommands = {{
    {"\\d", "[TABLE]", "tables, or the columns of one", &Repl::describe},
    {"\\epsilon", "E", "what each statement costs from now on; off for none", &Repl::epsilon},
    {"\\rho", "R", "the same in zero-concentrated privacy", &Repl::rho},
    {"\\error", "WANTED", "the epsilon that buys this error: 200, or 5%", &Repl::error},
    {"\\delta", "D", "a delta for what needs one; off for none", &Repl::delta},
    {"\\explain", "[SQL;]", "what it would cost and how exact it would be, without asking", &Repl::explain, true},
    {"\\again", "[SQL;]", "a fresh draw, paid for; without SQL of the last statement", &Repl::again, true},
    {"\\as", "[ANALYST]", "whose budget pays; without a name the data set's own", &Repl::as},
    {"\\budget", "", "what is spent and left", &Repl::budgets},
    {"\\json", "", "answers as JSON, a line each, or as tables again", &Repl::json},
    {"\\help", "", "this text", &Repl::help},
    {"\\quit", "", "end; so does the end of the input", &Repl::quit},
    {"\\q", "", "end", &Repl::quit},
}};

}  // namespace

void repl(const Given& given) { Repl(given).run(); }

}  // namespace dither::cli
