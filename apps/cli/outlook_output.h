// What a budget still allows, and what its releases add up to: filter values, odometers, estimates, each by its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounting/odometer.h"
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/budget_output.h"
#include "ledger/hindsight.h"

namespace dither::cli {

// What was asked beside the sums: a delta, and estimates at it.
struct OutlookQuestion {
  std::optional<accounting::DeltaAmount> delta;
  bool estimate = false;
};
// bad-argument for --estimate without --delta; bad-probability for a delta that is no small probability.
OutlookQuestion read_outlook(const Given& given);

// What the next statement may be and what was spent so far, as different quantities (B-21).
struct Outlook {
  OutlookQuestion question;
  std::optional<ledger::FilterValue> laplace;
  std::optional<ledger::FilterValue> gaussian;
  std::optional<accounting::OdometerReading> odometer;  // over the lifetime; none where none is proven here
  std::optional<accounting::Spent> price;               // of the statement that was described
  std::uint64_t fits = 0;                               // so many more of it
  std::optional<Error> no_price;                        // why its data set cannot hold that statement
  std::vector<ledger::TotalIfFixed> totals;
};
Outlook outlook_of(ledger::Ledger& ledger, const BudgetView& view, const OutlookQuestion& question, const Given& given);

std::string outlooks_text(const std::vector<BudgetView>& views, const std::vector<Outlook>& outlooks);
show::Json outlook_json(const BudgetView& view, const Outlook& outlook);

}  // namespace dither::cli
