// A project opened: its declarations, and the budgets of its ledger as they stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accounting/filter_rule.h"
#include "accounting/spent.h"
#include "ledger/budget.h"
#include "ledger/signing_key.h"
#include "plan/project.h"
#include "session/priced_plan.h"

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

// Opens a project file and looks at its ledger. Reads no data, creates nothing.
//
// The data set is named by the budget at the top; a budget lies at its path below it. A ledger may hold more than the file
// declares, and less: what it lacks is created at the first use.
//
// Refuses    what read_project refuses; a ledger whose data set, unit, relation, version or limits differ from the declared
//            ones (budget-differs, with the command that puts it right); a ledger that is gone though its head is still noted
//            beside it or in the anchor (ledger-behind); what opening a ledger refuses.
// Cost       without a ledger that of reading the file; with one 1 to 2 ms more.
class Session {
 public:
  // `path`: the project file; "" for the nearest dither.yaml.
  static Session open(const std::string& path);

  const plan::Project& project() const { return project_; }
  bool has_ledger() const { return ledger_.has_value(); }

  // The budget of an analyst, or the data set's own when `analyst` is empty, and those above it.
  // An analyst is named as in the file, or by the path of a budget of this data set: "main/alice", also one that is in the
  // ledger alone.
  // Refuses    other names (unknown-budget).
  std::vector<BudgetState> budgets(const std::string& analyst) const;

  // Charges nothing. A statement that costs nothing fits without end.
  // Refuses    as budgets(); a price that the rule of the data set cannot add up (no-theorem).
  Quote quote(const PricedPlan& plan, const std::string& analyst) const;

  // The first use: makes the ledger when there is none, and in it the data set and the budgets that are declared and missing.
  // All of it is tried in memory first, so that what is refused leaves no file. Of several processes that do so at once one
  // makes each, and all find the same. `by` is who does it; as the reason stands the project file.
  // Refuses    what the ledger refuses; budget-differs when somebody else made it otherwise meanwhile.
  void create_ledger(const ledger::SigningKey& key, const std::string& by);

 private:
  // What the ledger held when it was read.
  struct Held {
    std::vector<ledger::Dataset> datasets;
    std::vector<ledger::Budget> budgets;  // as the next charge finds them
    ledger::Time now = 0;
  };
  explicit Session(plan::Project project) : project_(std::move(project)) {}
  void look_at_ledger();
  std::string path_of(const std::string& analyst) const;
  // From the one at `path` upward; in the ledger, or as declared.
  std::vector<ledger::Budget> line_of(const std::string& path) const;

  plan::Project project_;
  std::optional<Held> ledger_;
};

}  // namespace dither::session
