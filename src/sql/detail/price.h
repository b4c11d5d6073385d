// What a statement is asked to cost: stated, or found for a wanted error.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "session/priced_plan.h"
#include "sql/privatize.h"

namespace dither::sql::detail {

// How far the worst column lies above the wanted error: at most 0 when all keep it.
// Refuses    a column whose error is not known without a public size, and a relative error without one (needs-expected-size).
double misses(const std::vector<session::PredictedError>& errors, const std::vector<std::optional<double>>& magnitudes,
              const WantedError& wanted);

// The price: of OPTIONS or of the caller, who must agree; or the least epsilon, to three digits rounded up, that keeps the
// wanted error, `misses_at` saying by how much a price misses it.
//
// Refuses    none, two or different prices (bad-argument), those that are not positive (bad-number) and deltas outside
//            [0, 1) (bad-probability); unreachable when no epsilon up to 1000 is enough.
session::StatementPrice price_of(const StatementOptions& options, const Wanted& wanted,
                                 const std::function<double(const session::StatementPrice&)>& misses_at);

}  // namespace dither::sql::detail
