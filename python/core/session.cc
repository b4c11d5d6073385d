// dither._core.Session: what dither/session.py is written on. Options come as text, as the command has them; reports
// leave as JSON with the fields of --json, and as the command's text.
#include "session.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "answer.h"
#include "base/error.h"
#include "cli/asking.h"
#include "cli/budget_output.h"
#include "cli/explanation.h"
#include "cli/project_output.h"
#include "cli/release_output.h"
#include "cli/wanted.h"
#include "interruptible.h"
#include "ledger/outlook.h"
#include "parts.h"
#include "show/progress_bar.h"
#include "sql/query.h"
#include "tables.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

using Report = std::pair<std::string, std::string>;  // JSON, text
using Options = cli::Given;

engine::Limits limits_of(const Options& options) { return cli::read_asking(options).limits; }

void open(PythonSession* made, const std::string& path, const Options& options) {
  new (made) PythonSession(plan::read_project(path.empty() ? plan::find_project(".") : path), {}, limits_of(options));
}

void declare(PythonSession* made, const std::string& text, const std::string& name,
             const std::map<std::string, Table>& tables, const Options& options) {
  engine::MemoryTables all;
  for (const auto& [table, held] : tables) all.emplace(table, held.table);
  new (made) PythonSession(plan::parse_project(text, name), std::move(all), limits_of(options));
}

Report explain(PythonSession& session, const std::string& statement, const Options& options) {
  PythonSession::Call call(session);
  const auto& held = call.session();
  return interruptible([&](const CancelToken&) -> Report {
    const std::shared_lock asking(session.asking());
    const plan::Project& project = held->project();
    session::PricedPlan plan = sql::privatize(project, sql::bind(project, statement), cli::read_wanted(options));
    const auto analyst = options.find("as");
    const cli::Explanation explanation =
        cli::explained(*held, statement, std::move(plan), analyst == options.end() ? "" : analyst->second);
    return {show::json_line(cli::explanation_json(explanation)), cli::explanation_text(explanation)};
  });
}

// The answers of a statement, or of a script.
nb::list ask(PythonSession& session, const std::string& text, bool script, const Options& options,
             const std::string& title, bool draws) {
  PythonSession::Call call(session);
  const auto& held = call.session();
  cli::Asking asking = cli::read_asking(options);
  asking.ask.title = title;
  const auto answers = interruptible([&](const CancelToken& token) -> std::vector<session::Answer> {
    const std::shared_lock together(session.asking());
    show::ProgressBar bar("reading", show::terminal_of_stderr(!draws), stderr);
    Progress progress([&](const ProgressReport& report) { bar.show(report); }, token);
    asking.ask.watch = {token, draws ? &progress : nullptr};
    if (script) return sql::script(*held, text, asking.wanted, asking.ask);
    return {sql::query(*held, text, asking.wanted, asking.ask)};
  });
  nb::list objects;
  for (const session::Answer& answer : answers) objects.append(answer_object(answer, session.accounted()));
  return objects;
}

std::string budgets(PythonSession& session) {
  PythonSession::Call call(session);
  const auto& held = call.session();
  const Unlocked unlocked;
  const std::shared_lock asking(session.asking());
  const std::vector<session::BudgetState> states = cli::current_budgets(*held);
  show::Json json = cli::budgets_json(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    json[i]["bar"] = cli::share_bar(ledger::share_spent(states[i].rule, states[i].spent));
  }
  return show::json_line(json);
}

std::string releases_of(ledger::Ledger& ledger) {
  const cli::Rules rules = cli::rules_of(ledger);
  show::Json list = show::Json::array();
  for (const ledger::Release& release : cli::events_below(ledger, "").releases) {
    list.push_back(cli::release_json(release, rules));
  }
  return show::json_line(list);
}

std::string history(PythonSession& session) {
  PythonSession::Call call(session);
  const auto& held = call.session();
  return interruptible([&](const CancelToken&) -> std::string {
    std::shared_lock asking(session.asking(), std::defer_lock);
    std::unique_lock alone(session.asking(), std::defer_lock);
    session.keeps_ledger() ? asking.lock() : alone.lock();
    const auto ledger = held->ledger_to_read();
    return ledger ? releases_of(*ledger) : "[]";
  });
}

Report describe(PythonSession& session, const std::string& table) {
  PythonSession::Call call(session);
  const auto& held = call.session();
  const Unlocked unlocked;
  const std::shared_lock asking(session.asking());
  return cli::described(*held, table);
}

void begin(PythonSession& session) {
  const Unlocked unlocked;
  session.begin();
}

void close(PythonSession& session) {
  const Unlocked unlocked;
  session.close();
}

}  // namespace

void add_session(nb::module_& core) {
  nb::set_leak_warnings(false);  // a session that is open when the interpreter ends is nobody's mistake
  nb::class_<PythonSession>(core, "Session", nb::is_weak_referenceable(),
                            "A session: options as text in, JSON and text out.")
      .def("__init__", open, nb::arg("path"), nb::arg("options"))
      .def("__init__", declare, nb::arg("text"), nb::arg("name"), nb::arg("tables"), nb::arg("options"))
      .def("explain", explain, nb::arg("statement"), nb::arg("options"))
      .def("ask", ask, nb::arg("text"), nb::arg("script"), nb::arg("options"), nb::arg("title"), nb::arg("draws"))
      .def("budgets", budgets)
      .def("history", history)
      .def("describe", describe, nb::arg("table"))
      .def("begin", begin)
      .def("close", close)
      .def("rest", &PythonSession::rest)
      .def_prop_ro("accounted", &PythonSession::accounted);
  core.def("end_calls", end_calls, "To be called once, when the interpreter begins to end.");
}

}  // namespace dither::python
