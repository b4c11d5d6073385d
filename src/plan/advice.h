// What a project file leaves open although nothing in it is wrong.
#pragma once

#include <string>
#include <vector>

#include "plan/project.h"

namespace dither::plan {

// What its steward should know: guarantees that are weaker than they look, tables that nothing can be asked of, limits that
// can never be spent. Each begins with the table or budget it is about.
std::vector<std::string> warnings(const Project& project);

// What cannot be asked yet of a private table or of one of its columns, and what to declare for it: "SUM needs `bounds:`".
// Nothing for public tables, and for columns that say whose a row is.
std::vector<std::string> missing(const TableDeclaration& table);
std::vector<std::string> missing(const TableDeclaration& table, const ColumnDeclaration& column);

// Whose the rows of a table are, in words: "person", "every row", "any 5 rows: a weaker guarantee",
// "through orders, customer", "public".
std::string unit_in_words(const Project& project, const TableDeclaration& table);

// One end of declared bounds, as the project file writes it: "5000", "2020-01-01".
std::string bound_text(Type type, const Rational& bound);

}  // namespace dither::plan
