// What a person gets for a price.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/canonical.h"
#include "session/priced_plan.h"
#include "session/session.h"

namespace dither::session {

// How far off one released value may be; from public parameters and released values alone (rule 8).
struct ValueError {
  std::optional<double> standard_error;  // of the noise
  std::optional<double> low, high;       // 95% interval for the exact value, after cuts; both or none
};

// What an answer was made of: released numbers and public parameters, enough for intervals at any level.
struct Basis;

struct Answer {
  std::vector<std::string> names;  // of columns
  std::vector<plan::Type> types;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::vector<ValueError>> errors;   // by row and column; nothing for keys, and where no interval is known
  std::vector<std::vector<std::string>> cut_by;  // by column: PricedPlan::cut_by of the aggregates it is made of
  StatementPrice price;                          // as asked
  accounting::Spent cost;           // as charged, in the measure of the data set; of a stored answer what it cost then
  bool stored = false;              // given before
  bool charged = false;             // now; also for a stored answer, where this budget had not paid for it
  std::vector<BudgetState> payers;  // from the one that asked upward, as they stand behind it
  std::string release;              // its id in the ledger; "" where nothing was charged at all
  std::vector<std::string> notes;
  std::shared_ptr<const Basis> basis;  // never NULL in what Session::answer() gives
};

// What the values may be off by, by row and column as in `errors`, at another level than 95%.
// Refuses    levels outside (0, 1) (bad-probability).
// Cost       as making the answer from what is stored, without the ledger and without HAVING and ORDER BY.
// Spec       W-36, W-38.
std::vector<std::vector<ValueError>> errors_at(const Basis& basis, double level);

}  // namespace dither::session
