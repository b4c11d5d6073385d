// Data sets and budgets: what a ledger is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/filter_rule.h"
#include "accounting/neighbours.h"
#include "accounting/spent.h"
#include "ledger/calendar.h"

namespace dither::ledger {

// Who decided something, and why. Neither may be blank (missing-reason); `evidence` may point to more.
struct Decision {
  std::string by;
  std::string why;
  std::string evidence;
  bool operator==(const Decision&) const = default;
};

enum class BudgetKind { dataset, project, analyst, purpose };
std::string_view budget_kind_name(BudgetKind kind);
BudgetKind budget_kind_from(std::string_view name);  // bad-argument for other words

enum class Standing { active, frozen, revoked };
std::string_view standing_name(Standing standing);

// What a budget is made with. The root of a tree is its data set's: "visits"; others lie below: "visits/study/anna".
struct BudgetTerms {
  accounting::FilterRule rule;                    // of the same measure as the data set's
  std::optional<accounting::FilterRule> reserve;  // the part of the limits that only corrections may draw (D-79)
  Period renews = Period::none;                   // a new period begins with nothing spent
  std::optional<Time> expires;
  std::optional<Time> review;       // a renewal after this time waits for a review (D-64)
  std::string purpose;              // in words, for a purpose
  std::vector<std::string> allows;  // statistics; empty: all
};

// One budget, as it stands.
struct Budget {
  std::string path;
  BudgetKind kind = BudgetKind::dataset;
  BudgetTerms terms;
  Standing standing = Standing::active;
  std::string standing_why;

  accounting::Spent spent;      // in this period
  accounting::Spent corrected;  // the part of it that corrections drew
  accounting::Spent lifetime;   // in all periods, about the units of this version
  std::string period;           // label of the current one, "" without renewal
  std::uint64_t periods = 1;    // begun so far
  std::uint64_t epoch = 1;      // counts versions that began afresh
  std::uint64_t charges = 0;    // releases that it paid for
};

// A version of the data, by the steward's label.
struct Version {
  std::string label;
  std::string source;  // fingerprint: path, size and time, or the id of a table; "" when there is none
  Time since = 0;
  bool fresh = false;                       // whether budgets began anew: no unit of earlier versions recurs
  std::optional<accounting::Spent> closed;  // what was spent on it in all, once a fresh one followed
  bool noted = false;                       // the fingerprint came later, with a charge: data may have changed before
};

struct Dataset {
  std::string name;
  accounting::PrivacyUnit unit;
  bool unit_has_period = false;  // the unit includes the period: "person and month"
  accounting::Neighbours neighbours = accounting::Neighbours::add_remove;
  bool needs_purpose = false;     // every charge must lie below a purpose (P-09)
  std::vector<Version> versions;  // the last one is current
  std::optional<std::string>
      changed_source;  // the last fingerprint that was seen and is not this version's: who asked was
                       // refused
  const Version& version() const { return versions.back(); }
};

// The path of the budget above; "" above a data set. The data set of a path is its first name.
std::string parent_path(std::string_view path);
std::string dataset_of(std::string_view path);
// The path itself and those above it, up to the data set's.
std::vector<std::string> lineage(std::string_view path);

// Refuses what cannot name a data set, budget or version: empty, over 100 bytes, with a slash, control characters, bytes
// that are not UTF-8, or blanks at its ends (bad-name).
void require_name(std::string_view what, std::string_view name);
void require_decision(const Decision& decision);
// A text of people that is kept as it is: UTF-8 without control characters other than line ends and tabs, at most
// 100 000 bytes (bad-name).
void require_text(std::string_view what, std::string_view text);

// Phrases of a purpose that say nothing ("improve services"), as they stand in it; for a warning.
std::vector<std::string> vague_phrases(std::string_view purpose);

}  // namespace dither::ledger
