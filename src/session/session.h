// A project opened: its declarations, and the budgets of its ledger as they stand.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accounting/filter_rule.h"
#include "accounting/spent.h"
#include "engine/engine.h"
#include "ledger/budget.h"
#include "ledger/signing_key.h"
#include "plan/project.h"
#include "session/priced_plan.h"

namespace dither::ledger {
class Ledger;
}
namespace dither::engine {
class ReleasedDatabase;
}

namespace dither::session {

// A budget as the next charge finds it: in the ledger or, before the first use, as the project file declares it.
struct BudgetState {
  std::string path;
  accounting::FilterRule rule;  // with its limits, grants included
  accounting::Spent spent;      // in this period
  bool in_ledger = false;
  std::string closed;  // why nothing can be charged to it now: "frozen", "expired" ...; "" when something can
};

// What a statement would be charged, and who would pay.
struct Quote {
  accounting::Spent cost;           // in the measure of the data set's rule
  std::vector<BudgetState> payers;  // from the one that asks upward
  std::uint64_t how_many = 0;       // so many such statements fit now, with all payers; ledger::kUnlimited is no end
  bool fits() const { return how_many > 0; }
};

struct Answer;  // session/answer.h

// Who asks, and how.
struct Ask {
  std::string analyst;    // names the budget; "": the data set's own
  std::string by;         // the person, for the record
  std::string title;      // for people: the statement
  bool again = false;     // a fresh draw, paid for, also where there is an answer or one was lost
  bool hardened = false;  // as the server does: no progress, and nothing leaves before `deadline:`
  engine::Watch watch = {};
  std::chrono::milliseconds patience = std::chrono::minutes(10);  // while somebody else answers the same question
};

// Opens a project file and looks at its ledger. Reads no data, creates nothing.
//
// The data set is named by the budget at the top; a budget lies at its path below it. A ledger may hold more than the
// file declares, and less: what it lacks is created at the first use.
//
// Refuses    what read_project refuses; a ledger whose data set, unit, relation, version or limits differ from the
//            declared ones (budget-differs, with the command that puts it right); a ledger that is gone though its head
//            is still noted beside it or in the anchor (ledger-behind); what opening a ledger refuses.
// Processes  a session belongs to the one that opened it: in a child everything below is refused (wrong-state), since
//            threads are gone there, and a copy of a ledger in memory would spend its budget once more.
// Cost       without a ledger that of reading the file; with one 1 to 2 ms more.
class Session {
 public:
  // `path`: the project file; "" for the nearest dither.yaml.
  static Session open(const std::string& path);
  // The same for a project that plan::parse_project read, and for tables that lie in memory. Its ledger may be
  // ":memory:": then it lives as long as the session, and nothing is written anywhere: no file, no key.
  // Where the ledger is a file, the first use of a data_version notes a keyed digest of the private ones among these
  // tables, by their declared columns. Another content under the same data_version is answered nothing, not even what is
  // stored, and freezes the data set.
  // Refuses    also a table that the project does not declare (unknown-table), or not as one in memory (bad-source).
  //            One that it declares and nobody gave is missed by what asks for it.
  static Session of(plan::Project project, engine::MemoryTables tables = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const plan::Project& project() const { return project_; }
  bool has_ledger() const;
  // What was released, refused and decided, as `dither history` reads it. Nothing before the first use.
  std::shared_ptr<ledger::Ledger> ledger_to_read() const;

  // The budget of an analyst, or the data set's own when `analyst` is empty, and those above it.
  // An analyst is named as in the file, or by the path of a budget of this data set: "main/alice", also one that is in
  // the ledger alone.
  // Refuses    other names (unknown-budget).
  std::vector<BudgetState> budgets(const std::string& analyst) const;

  // Charges nothing. A statement that costs nothing fits without end.
  // Refuses    as budgets(); a price that the rule of the data set cannot add up (no-theorem); rows that plan::require_row
  //            refuses.
  Quote quote(const PricedPlan& plan, const std::string& analyst) const;

  // The first use: makes the ledger when there is none, and in it the data set and the budgets that are declared and
  // missing. All of it is tried in memory first, so that what is refused leaves no file. Of several processes that do
  // so at once one makes each, and all find the same. `by` is who does it; as the reason stands the project file.
  // Refuses    what the ledger refuses; budget-differs when somebody else made it otherwise meanwhile.
  void create_ledger(const ledger::SigningKey& key, const std::string& by);

  // Rule 1, and the only code that runs it: reserve, open, run, draw once, store, commit; then answer. A question that
  // was answered before, with other ORDER BY, HAVING or LIMIT too, is answered from what was stored, bit for bit, at no
  // charge; files are not looked at then. While somebody else answers it, waits. A statement whose numbers do not
  // move between neighbours costs nothing and is recorded like any other: nothing is read without a record. One whose
  // answer is known beforehand (SUM(0), LIMIT 0) opens no source and leaves none. Makes the ledger at the first use,
  // with the key of use_key(). Safe to call from several threads.
  //
  // Deadline   of a hardened question, where the project declares one: an answer, a stored one, a refusal or a failure
  //            leaves when that time has passed since the call (so many times as there are plans). A child process reads
  //            the data, each plan in its share of the time; what is not done after nine tenths of it is killed
  //            (run-failed), and its end is not waited for. The ledger is written when a run is opened and when its time
  //            is over, and never in between. Calls fork: an engine given to use_engine() must work in a child.
  // Refuses    what the ledger refuses (over-budget ..., with --again as the way out of answer-lost), and what the
  //            engine's prepare() names: nothing is charged. ledger-busy after the patience. From the first read on:
  //            run-failed, or cancelled; the charge stays.
  // Spec       D-62, W-20, W-73, W-76.
  Answer answer(const PricedPlan& plan, const Ask& ask);
  // Several, reserved together: all or none. Answers in the order of the plans; equal questions are asked once. What
  // fails later gives back those that were not begun. How to wait, and whether hardened, says the first.
  std::vector<Answer> answer(std::span<const PricedPlan> plans, std::span<const Ask> asks);

  // Data elsewhere than in the embedded engine, which is opened at the first answer with these limits; for a hardened
  // question with a deadline again each time, in its process.
  void use_engine(std::shared_ptr<engine::Engine> engine);
  void use_limits(const engine::Limits& limits);
  // The key that signs the ledger; otherwise that of the installation, which is made with the first ledger.
  void use_key(const ledger::SigningKey& key);

 private:
  struct Work;      // what is kept between answers: session/detail/work.h
  class Answering;  // one call of answer()
  // What the ledger held when it was read.
  struct Held {
    std::vector<ledger::Dataset> datasets;
    std::vector<ledger::Budget> budgets;  // as the next charge finds them
    ledger::Time now = 0;
  };
  explicit Session(plan::Project project);
  void look_at_ledger();
  void require_own_process() const;
  bool has_dataset() const;  // in the ledger
  void make_ledger_in_memory(const ledger::Decision& decision);
  std::vector<std::string> private_tables(bool in_memory) const;  // those in memory by name, or all
  // Whether the ledger, a file, notes the content of private tables in memory.
  bool holds_source() const;
  // The fingerprint of these tables, or of all private ones where there are none.
  std::string source_now();
  // The same for a ledger that is made with this key; "" where it does not hold.
  std::string source_for(const ledger::SigningKey& key);
  static Held held_by(ledger::Ledger& ledger);
  // As it is now, where answers keep the ledger open; else as it was when it was looked at.
  std::optional<Held> held() const;
  std::vector<BudgetState> budgets(const std::string& analyst, const std::optional<Held>& held) const;
  std::string path_of(const std::string& analyst, const std::optional<Held>& held) const;
  // From the one at `path` upward; in the ledger, or as declared.
  std::vector<ledger::Budget> line_of(const std::string& path, const std::optional<Held>& held) const;
  std::shared_ptr<engine::Engine> engine();
  // The same for a child process: made there, since a child has no threads and no open databases.
  std::function<std::shared_ptr<engine::Engine>()> engine_maker();
  engine::ReleasedDatabase& released();
  // Open for charges; made at the first use.
  std::shared_ptr<ledger::Ledger> charging_ledger(const std::string& by);

  plan::Project project_;
  std::unique_ptr<Work> work_;
};

}  // namespace dither::session
