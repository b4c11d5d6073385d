// A declared table as SQL: its columns enforced, and whose each row is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/functions.h"
#include "plan/project.h"
#include "plan/relation_sql.h"

namespace dither::engine::detail {

// What stands in FROM for the cells of a table as they are read: columns c0, c1 ... in the order and of the types of the declared
// ones.
using Typed = std::function<std::string(const plan::TableDeclaration&)>;

// Rows of a table whose units are those of the rows they refer to, and these.
struct OwnedRows {
  std::string rows;                // a SELECT of the table: columns c0, c1 ...
  std::vector<plan::Type> types;   // of these columns
  std::vector<std::size_t> refer;  // the columns that refer
  std::string owners;              // a SELECT of what they refer to, in that order, and of the unit: k0, k1, ... u
  plan::Type unit;
};
// The FROM item of such rows, with the least unit that they refer to after their columns; NULL where they refer to no unit.
using Own = std::function<std::string(const OwnedRows&)>;
std::string owned_sql(const OwnedRows& rows);

// Leaves for relation_sql: the columns of a scan, as plan/relation.h describes them. A row of a table whose rows are units gets a
// number; without `units` all get the same one, which is faster where nobody looks. A row that refers to several rows of its
// owner's table, against the promise of the project file, belongs to the least of their units.
plan::Leaf table_leaves(const plan::Project& project, plan::Dialect dialect, Typed typed, bool units = true,
                        Own own = owned_sql);

}  // namespace dither::engine::detail
