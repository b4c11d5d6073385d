// Several analysts under one budget.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "calculus/queryable.h"

namespace dither::calculus {

// People with limits of their own under a budget that is common to all. The limits may sum to more than the budget: then it
// refuses first. Whoever has a limit may let others spend of it (W-22, W-24).
//
// Refuses    a name that is taken (duplicate-key) or unknown (unknown-key), and what Queryable::limited refuses.
class Agents {
 public:
  explicit Agents(const Queryable& budget) : budget_(budget) {}

  // A limit under the common budget, or under that of `from`.
  Queryable add(const std::string& name, const accounting::FilterRule& rule);
  Queryable delegate(const std::string& from, const std::string& name, const accounting::FilterRule& rule);

  // The view of this agent; what it asks is charged to it and to all above.
  const Queryable& of(const std::string& name) const;

  // Neither the agent nor whom it let spend is answered any more (frozen). What was charged stays charged.
  void revoke(const std::string& name) const;

 private:
  Queryable budget_;
  std::map<std::string, Queryable, std::less<>> agents_;
};

// A budget as the log alone tells of it.
struct Account {
  std::string holder;  // "" for the common budget, "anna/bob" for whom anna let spend
  std::string parent;  // the holder above; the common one is its own
  accounting::Spent spent;
  bool closed = false;
};

// The tree of budgets, rebuilt from the log of its requests: every holder once, parents before children (W-24).
std::vector<Account> accounts(std::span<const AuditRecord> log);

}  // namespace dither::calculus
