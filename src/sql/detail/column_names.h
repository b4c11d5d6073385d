// Names for people: what the columns of a relation are called in its tables.
#pragma once

#include <string>
#include <vector>

#include "plan/relation.h"

namespace dither::sql::detail {

// One for each column; of computed ones the expression, of a unit that no column shows the name of the unit.
std::vector<std::string> names_of(const plan::Project& project, const plan::Relation& relation);

}  // namespace dither::sql::detail
