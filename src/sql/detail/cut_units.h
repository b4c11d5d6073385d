// One column more: how many units have more rows than count, or keys that are dropped.
#pragma once

#include "sql/statement.h"

namespace dither::sql::detail {

// The statement with that number as the last column of its aggregate, passed on as the last column of the answer, "cut_units".
// Refuses    not-supported where DISTINCT is above the aggregate: with one more column fewer rows would be the same.
Statement with_cut_units(const Statement& statement);

}  // namespace dither::sql::detail
