// Which bounds may leave out or change some of the data behind a column. Nobody's rows are looked at.
#pragma once

#include <string>
#include <vector>

#include "sql/detail/measures.h"

namespace dither::sql::detail {

struct CutBy {
  std::vector<std::vector<std::string>> columns;  // by estimate: "visits.keys_per_unit = 3: keys dropped"
  std::vector<std::string> notes;  // a sentence for each bound that is named there, and what intervals mean then
};

// From declarations and the statement alone. A bound is named where the operator that enforces it could change the number:
// keys_per_unit       of all columns, where there are more keys than that, or nobody listed them;
// rows_per_key,       of numbers of rows and values, for units that are not rows; the number of units does not change;
// rows_per_unit
// bounds of a column  of all columns that are computed from it: from its values, its keys, conditions and DISTINCT on the way;
// bounds per group    of the aggregate that states them.
// What cannot be cut is not named: rows that are units count once each, and public keys that all fit are all kept. Lists of
// `keys:` and `max_length:` are not named: what is outside is another key, and the answer shows it.
CutBy cut_by(const plan::Project& project, const Counting& counting);

}  // namespace dither::sql::detail
