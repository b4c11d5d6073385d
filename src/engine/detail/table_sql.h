// A declared table as SQL: its columns enforced, and whose each row is.
#pragma once

#include <functional>
#include <string>

#include "plan/functions.h"
#include "plan/project.h"
#include "plan/relation_sql.h"

namespace dither::engine::detail {

// What stands in FROM for the cells of a table as they are read: columns c0, c1 ... in the order and of the types of the declared
// ones.
using Typed = std::function<std::string(const plan::TableDeclaration&)>;

// Leaves for relation_sql: the columns of a scan, as plan/relation.h describes them. A row of a table whose rows are units gets a
// number; without `units` all get the same one, which is faster where nobody looks. A row that refers to several rows of its
// owner's table, against the promise of the project file, belongs to the least of their units.
plan::Leaf table_leaves(const plan::Project& project, plan::Dialect dialect, Typed typed, bool units = true);

}  // namespace dither::engine::detail
