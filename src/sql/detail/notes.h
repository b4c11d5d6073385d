// What a reader of a price should know besides.
#pragma once

#include <string>
#include <vector>

#include "sql/detail/measures.h"

namespace dither::sql::detail {

// Whom a statement protects: the unit of the project, unless it reads a table whose rows are units of their own.
struct Protected {
  accounting::PrivacyUnit unit;
  bool weaker = false;
};
Protected protected_by(const plan::Project& project, const Counting& counting);

// Those of the statement, those about its rows with `cuts`, the notes of cut_by(), among them, and those about all statements.
std::vector<std::string> notes_of(const plan::Project& project, const Statement& statement, const Counting& counting,
                                  const std::vector<std::string>& cuts);

}  // namespace dither::sql::detail
