// Relations as SQL text, for engines.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plan/functions.h"
#include "plan/relation.h"

namespace dither::plan {

// What stands in FROM for a step that is not to be opened further (a table; behind an aggregate, what was released): a query in
// brackets, a name or a call, whose columns are named c0, c1, ... in the order of the step's. Nothing: open it. Tables and
// aggregates cannot be opened.
using Leaf = std::function<std::optional<std::string>(const Relation&)>;

// A SELECT whose columns are c0, c1, ... in the order of the relation's. Rows whose unit is NULL or NaN are not there.
// Equality is that of canonical bytes, as everywhere: text by its bytes, -0.0 is 0.0, NaN is NaN; NULL joins nothing, nor does NaN.
// Rows of a Sort come in its order, equal ones by their other columns, also through filters, projections and limits behind it.
// Refuses    what the dialect has no spelling for (not-supported).
std::string relation_sql(const Relation& relation, Dialect dialect, const Leaf& leaf);

// What a scan does to a cell that was read as the declared type: `outside`, then `null_as`. `cell` is how it is written.
std::string enforced_sql(const ColumnDeclaration& column, Dialect dialect, const std::string& cell);

// How a cell is read that a source gives as another type than the declared one: CAST, as statements write it. Nothing where
// there is no such cast. Over column 0.
std::optional<Expression> read_as(Type given, Type declared);

// "c0, c1, c2", and the same with something before each: "l.c0, l.c1".
std::string column_list(std::size_t columns, const std::string& before = "");

}  // namespace dither::plan
