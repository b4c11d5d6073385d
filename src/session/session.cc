#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "ledger/head_file.h"
#include "ledger/headroom.h"
#include "ledger/ledger.h"
#include "plan/row_cost.h"
#include "session/detail/declared.h"
#include "session/detail/work.h"

namespace dither::session {

using ledger::Budget;
using ledger::Ledger;

namespace {

// Why nothing can be charged to it at this time, or "".
std::string closed(const Budget& budget, ledger::Time now) {
  if (budget.standing != ledger::Standing::active) return std::string(standing_name(budget.standing));
  return budget.terms.expires && now >= *budget.terms.expires ? "expired" : "";
}

bool lacks_purpose(const ledger::Dataset& dataset, const std::vector<Budget>& line) {
  const auto is_purpose = [](const Budget& budget) { return budget.kind == ledger::BudgetKind::purpose; };
  return dataset.needs_purpose && std::none_of(line.begin(), line.end(), is_purpose);
}

const Budget* find(const std::vector<Budget>& budgets, const std::string& path) {
  const auto found = std::find_if(budgets.begin(), budgets.end(), [&](const Budget& one) { return one.path == path; });
  return found == budgets.end() ? nullptr : &*found;
}

// Whether a head file says that a ledger was in use. A head without records is left by an attempt that made none.
bool was_in_use(const std::string& head_file) {
  const std::optional<ledger::SignedHead> noted = ledger::read_head_file(head_file);
  return noted && noted->head.number > 0;
}

// Refuses a ledger that is gone: its head is still noted, beside it or elsewhere, so it was there.
void require_never_begun(const plan::Project& project) {
  for (const std::string& noted : {ledger::head_file_of(project.ledger), project.anchor}) {
    if (noted.empty() || !was_in_use(noted)) continue;
    if (std::filesystem::exists(project.ledger)) return;  // somebody made it just now; its file comes before its head
    throw Error{
        Code::ledger_behind,
        fmt::format("there is no ledger {}, but its head is noted in {}", echo(project.ledger), echo(noted)),
        "find the newest copy and take it up with `dither budget restore`: a new ledger would spend everything again"};
  }
}

// Refuses tables that are not declared as tables in memory.
void require_declared(const plan::Project& project, const engine::MemoryTables& tables) {
  for (const auto& [name, table] : tables) {
    if (project.table(name).source.kind == plan::SourceKind::memory) continue;
    throw Error{Code::bad_source,
                fmt::format("table \"{}\" is given in memory, but its declared source is a file", echo(name)),
                "write `source: {kind: memory}`, or do not give the table"};
  }
}

}  // namespace

Session::Session(plan::Project project) : project_(std::move(project)), work_(std::make_unique<Work>()) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() {
  // In a child the threads of its databases are gone, and would be waited for.
  if (work_ && work_->process != getpid()) (void)work_.release();
}

Session Session::open(const std::string& path) {
  Session session(plan::read_project(path.empty() ? plan::find_project(".") : path));
  session.look_at_ledger();
  return session;
}

Session Session::of(plan::Project project, engine::MemoryTables tables) {
  require_declared(project, tables);
  engine::require_types(project, tables);
  Session session(std::move(project));
  session.work_->tables = std::move(tables);
  if (session.project_.ledger != plan::kLedgerInMemory) session.look_at_ledger();
  return session;
}

void Session::require_own_process() const {
  if (work_->process == getpid()) return;
  throw Error{Code::wrong_state, "this session was opened by another process, which then forked",
              "open a session in each process, with a ledger in a file: they may share it"};
}

Session::Held Session::held_by(Ledger& ledger) {
  Held held{ledger.datasets(), {}, ledger.now()};
  for (const Budget& budget : ledger.budgets()) held.budgets.push_back(ledger::as_of(budget, held.now));
  return held;
}

void Session::look_at_ledger() {
  std::optional<Held> found;
  std::error_code error;
  if (std::filesystem::exists(project_.ledger, error)) {
    Ledger ledger = Ledger::open_to_read(project_.ledger, project_.anchor);
    found = held_by(ledger);
    detail::require_same_dataset(project_, found->datasets);
    for (const Budget& declared : detail::declared_budgets(project_)) {
      if (const Budget* same = find(found->budgets, declared.path)) {
        detail::require_same_limits(project_, declared, *same);
      }
    }
  } else {
    require_never_begun(project_);
  }
  const std::lock_guard lock(work_->mutex);
  work_->held = std::move(found);
}

bool Session::has_ledger() const {
  require_own_process();
  const std::lock_guard lock(work_->mutex);
  return work_->ledger || work_->held;
}

std::shared_ptr<Ledger> Session::ledger_to_read() const {
  if (!has_ledger()) return nullptr;
  {
    const std::lock_guard lock(work_->mutex);
    if (work_->ledger) return work_->ledger;
  }
  return std::make_shared<Ledger>(Ledger::open_to_read(project_.ledger, project_.anchor));
}

std::optional<Session::Held> Session::held() const {
  require_own_process();
  std::shared_ptr<Ledger> ledger;
  {
    const std::lock_guard lock(work_->mutex);
    if (!work_->ledger) return work_->held;
    ledger = work_->ledger;
  }
  return held_by(*ledger);
}

std::string Session::path_of(const std::string& analyst, const std::optional<Held>& held) const {
  const std::string& dataset = project_.budgets.front().name;
  if (analyst.empty()) return dataset;
  const bool declared = find(detail::declared_budgets(project_), analyst) != nullptr;
  const bool is_held = held && find(held->budgets, analyst) != nullptr && ledger::dataset_of(analyst) == dataset;
  return declared || is_held ? analyst : project_.budget_path(analyst);
}

std::vector<Budget> Session::line_of(const std::string& path, const std::optional<Held>& held) const {
  const std::vector<Budget> declared = detail::declared_budgets(project_);
  std::vector<Budget> line;
  for (const std::string& above : ledger::lineage(path)) {
    const Budget* found = held ? find(held->budgets, above) : nullptr;
    line.push_back(found != nullptr ? *found : *find(declared, above));  // one of the two names it
  }
  return line;
}

std::vector<BudgetState> Session::budgets(const std::string& analyst) const { return budgets(analyst, held()); }

std::vector<BudgetState> Session::budgets(const std::string& analyst, const std::optional<Held>& held) const {
  const std::vector<Budget> line = line_of(path_of(analyst, held), held);
  std::vector<BudgetState> states;
  for (const Budget& budget : line) {
    const bool is_held = held && find(held->budgets, budget.path) != nullptr;
    states.push_back({budget.path, budget.terms.rule, budget.spent, is_held, ""});
  }
  if (!states.back().in_ledger) return states;
  const std::string& name = states.back().path;
  const auto dataset = std::find_if(held->datasets.begin(), held->datasets.end(),
                                    [&](const ledger::Dataset& one) { return one.name == name; });
  for (std::size_t i = 0; i < line.size(); ++i) states[i].closed = closed(line[i], held->now);
  if (lacks_purpose(*dataset, line)) states.front().closed = "no purpose, which its data set asks for";
  return states;
}

Quote Session::quote(const PricedPlan& plan, const std::string& analyst) const {
  if (plan.exact.rows) require_row(plan.exact.rows, work_->memory());  // a plan may read nothing
  const std::optional<Held> now = held();
  Quote quote;
  quote.payers = budgets(analyst, now);
  const accounting::FilterRule& rule = quote.payers.back().rule;
  quote.cost = plan.events.empty() ? accounting::nothing_spent(rule) : charged(plan, rule, project_.neighbours).cost;
  const auto shut = [](const BudgetState& state) { return !state.closed.empty(); };
  if (std::any_of(quote.payers.begin(), quote.payers.end(), shut)) return quote;
  quote.how_many = ledger::how_many_fit(ledger::headrooms(line_of(quote.payers.front().path, now)), quote.cost);
  return quote;
}

std::shared_ptr<engine::Engine> Session::engine() {
  const std::lock_guard lock(work_->mutex);
  if (!work_->engine) {
    const auto key = [work = work_.get()] {  // which owns the engine
      const std::lock_guard held(work->mutex);
      return work->fingerprint_key;
    };
    work_->engine = engine::open_duckdb(project_, work_->limits, work_->tables, key);
  }
  return work_->engine;
}

std::function<std::shared_ptr<engine::Engine>()> Session::engine_maker() {
  const std::lock_guard lock(work_->mutex);
  if (work_->engine_given) return [engine = work_->engine] { return engine; };
  return [project = project_, limits = work_->limits, tables = work_->tables] {
    return engine::open_duckdb(project, limits, tables, {});
  };
}

engine::ReleasedDatabase& Session::released() {
  const std::lock_guard lock(work_->mutex);
  if (!work_->released) work_->released = std::make_unique<engine::ReleasedDatabase>();
  return *work_->released;
}

void Session::use_engine(std::shared_ptr<engine::Engine> engine) {
  const std::lock_guard lock(work_->mutex);
  work_->engine = std::move(engine);
  work_->engine_given = true;
}

void Session::use_limits(const engine::Limits& limits) {
  const std::lock_guard lock(work_->mutex);
  work_->limits = limits;
}

void Session::use_key(const ledger::SigningKey& key) {
  const std::lock_guard lock(work_->mutex);
  work_->key = key;
}

}  // namespace dither::session
