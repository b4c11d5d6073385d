// The ledger of a session: made at the first use, and opened for charges.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ledger/ledger.h"
#include "ledger/memory_store.h"
#include "session/detail/declared.h"
#include "session/detail/work.h"
#include "session/session.h"

namespace dither::session {

using ledger::Budget;
using ledger::Ledger;

namespace {

// What is refused of it is refused before a file is made.
Ledger made_in_memory(const plan::Project& project, const ledger::Decision& decision) {
  const auto key = ledger::SigningKey::make();
  auto store = std::make_unique<ledger::MemoryStore>();
  Ledger::begin(*store, key);
  Ledger ledger(std::move(store), key);
  detail::create_missing(ledger, project, "", decision);
  return ledger;
}

bool is_in_memory(const plan::Project& project) { return project.ledger == plan::kLedgerInMemory; }

// Secret, and the same again for this key: signatures are.
std::string fingerprint_key(const ledger::SigningKey& key) {
  return key.sign("dither: fingerprints of tables in memory");
}

bool has(const std::vector<Budget>& budgets, const std::string& path) {
  return std::any_of(budgets.begin(), budgets.end(), [&](const Budget& one) { return one.path == path; });
}

}  // namespace

std::vector<std::string> Session::private_tables(bool in_memory) const {
  std::vector<std::string> names;
  for (const plan::TableDeclaration& table : project_.tables) {
    const bool counts = !in_memory || table.source.kind == plan::SourceKind::memory;
    if (!table.is_public && counts) names.push_back(table.name);
  }
  if (in_memory) std::sort(names.begin(), names.end());
  return names;
}

bool Session::holds_source() const { return !is_in_memory(project_) && !private_tables(true).empty(); }

std::string Session::source_now() { return engine()->fingerprint(private_tables(holds_source())); }

bool Session::has_dataset() const {
  const std::optional<Held> now = held();
  return now && has(now->budgets, project_.budgets.front().name);
}

void Session::make_ledger_in_memory(const ledger::Decision& decision) {
  auto made = std::make_shared<Ledger>(made_in_memory(project_, decision));
  const std::lock_guard lock(work_->mutex);
  if (!work_->ledger) work_->ledger = std::move(made);
}

std::string Session::source_for(const ledger::SigningKey& key) {
  if (!holds_source()) return "";
  {
    const std::lock_guard lock(work_->mutex);
    work_->fingerprint_key = fingerprint_key(key);
  }
  return source_now();
}

void Session::create_ledger(const ledger::SigningKey& key, const std::string& by) {
  const ledger::Decision decision{
      by, fmt::format("first use: as {} declares it", std::filesystem::path(project_.path).filename().string()), ""};
  if (is_in_memory(project_)) return make_ledger_in_memory(decision);
  const std::string source = has_dataset() ? "" : source_for(key);
  if (!has_ledger()) {
    made_in_memory(project_, decision);  // what it refuses leaves no file
    try {
      Ledger::create(project_.ledger, key);
    } catch (const Error&) {
      // Another process was faster: then there is one to open.
      if (!std::filesystem::exists(project_.ledger)) throw;
    }
  }
  {
    Ledger ledger = Ledger::open(project_.ledger, key, has_ledger() ? project_.anchor : "");
    if (!has_ledger() && !project_.anchor.empty()) ledger.set_anchor(project_.anchor, decision);
    detail::create_missing(ledger, project_, source, decision);
  }
  look_at_ledger();
}

std::shared_ptr<Ledger> Session::charging_ledger(const std::string& by) {
  const std::lock_guard one_at_a_time(work_->opening);
  std::optional<ledger::SigningKey> given;
  std::optional<Held> held;
  {
    const std::lock_guard lock(work_->mutex);
    if (work_->ledger) return work_->ledger;
    given = work_->key;
    held = work_->held;
  }
  if (is_in_memory(project_)) {
    create_ledger(ledger::SigningKey::make(), by);
    const std::lock_guard lock(work_->mutex);
    return work_->ledger;
  }
  const ledger::SigningKey key = given  ? *given
                                 : held ? ledger::SigningKey::read(ledger::default_key_path())
                                        : ledger::SigningKey::read_or_make(ledger::default_key_path());
  const std::vector<Budget> declared = detail::declared_budgets(project_);
  const bool complete = held && std::all_of(declared.begin(), declared.end(),
                                            [&](const Budget& budget) { return has(held->budgets, budget.path); });
  if (!complete) create_ledger(key, by);
  auto ledger = std::make_shared<Ledger>(Ledger::open(project_.ledger, key, project_.anchor));
  const std::lock_guard lock(work_->mutex);
  work_->fingerprint_key = fingerprint_key(key);
  work_->ledger = ledger;
  return ledger;
}

}  // namespace dither::session
