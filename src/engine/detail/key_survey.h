// What keys_per_unit, rows_per_key and rows_per_unit do to a GROUP BY, key by key, without noise: for the steward.
#pragma once

#include "engine/detail/duckdb.h"
#include "engine/survey.h"
#include "plan/relation.h"

namespace dither::engine::detail {

// Of a private table with units, grouped by the column at `key`: all rows counted by SQL, and what is answered by the bounding operator
// itself. `enforced`: what stands in FROM for the rows of the table, its columns c0, c1 ...
// Nothing where the declared bounds leave a GROUP BY unanswered.
std::optional<KeySurvey> survey_keys(const Database& database, const plan::Project& project,
                                     const plan::TableDeclaration& table, std::size_t key, const std::string& enforced);

}  // namespace dither::engine::detail
