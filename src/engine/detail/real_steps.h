// The whole steps of reals, for all rows of a vector at once.
#pragma once

#include "engine/detail/duckdb_api.h"

namespace dither::engine::detail {

// Makes "dither_steps" known: of x, q, p, low and high it gives (x q) / p in binary64, rounded half to even and clamped.
// NULL where x is NULL or NaN.
// Throws     DuckDbFailure.
void register_steps(duckdb_connection connection);

}  // namespace dither::engine::detail
