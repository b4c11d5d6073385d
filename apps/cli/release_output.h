// Releases and refusals for people and for programs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ledger/entry.h"
#include "ledger/ledger.h"
#include "show/json.h"

namespace dither::cli {

// What happened to a budget and those below it; to all budgets when `path` is empty.
struct Events {
  std::vector<ledger::Release> releases;
  std::vector<ledger::Entry> refusals;
  std::vector<ledger::Entry> decisions;
};
Events events_below(ledger::Ledger& ledger, const std::string& path);

// The id of a release as people type it: "7" stands for "000000000007".
std::string full_release_id(const std::string& typed);

// The rule in whose measure the releases of each data set are priced.
using Rules = std::map<std::string, accounting::FilterRule>;
Rules rules_of(ledger::Ledger& ledger);

// A row for each, oldest first.
using Rows = std::vector<std::vector<std::string>>;
const std::vector<std::string>& release_titles();
Rows release_rows(const std::vector<ledger::Release>& releases, const Rules& rules);
const std::vector<std::string>& refusal_titles();
Rows refusal_rows(const std::vector<ledger::Entry>& refusals);
const std::vector<std::string>& decision_titles();
Rows decision_rows(const std::vector<ledger::Entry>& decisions);
// As a table of text, all columns to the left.
std::string rows_text(const std::vector<std::string>& titles, const Rows& rows);

show::Json release_json(const ledger::Release& release, const Rules& rules);
show::Json refusal_json(const ledger::Entry& refusal);
show::Json decision_json(const ledger::Entry& decision);

}  // namespace dither::cli
