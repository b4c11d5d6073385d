// A statement that can be stopped on the way, and tells how far it is.
#pragma once

#include <string>

#include "engine/detail/duckdb.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// Throws DuckDbFailure; Cancelled once the token is cancelled, at most a few milliseconds later.
Result query(Connection& connection, const std::string& sql, const Watch& watch);

}  // namespace dither::engine::detail
