// ON and USING: which columns of two tables must be equal.
#pragma once

#include <utility>
#include <vector>

#include "sql/detail/expressions.h"
#include "sql/detail/nodes.h"

namespace dither::sql {

struct JoinCondition {
  std::vector<std::pair<std::size_t, std::size_t>> equal;  // positions on the left, on the right
  std::vector<NamedColumn> merged;                         // by USING
  std::vector<const PgQuery__Node*> rest;                  // other conditions
  std::size_t place = 0;
};

// `both` names the columns of left and right, behind each other.
// Refuses    a join without any equality of columns (private-join); unknown-column, ambiguous-name, unknown-table.
JoinCondition join_condition(const Text& text, const PgQuery__JoinExpr& node, const From& left, const From& right,
                             const From& both);

}  // namespace dither::sql
