// Canonical bytes, digests and the bounding hash as SQL writes them (docs/bounding.md).
#pragma once

#include <string>
#include <vector>

#include "plan/functions.h"

namespace dither::engine::detail {

// The canonical bytes of a cell, as text; NULL has some too.
// Refuses    reals in Spark, which has no way to their bits (not-supported).
std::string canonical_sql(plan::Type type, plan::Dialect dialect, const std::string& cell);

// Of a key of several cells, or of one; of none it is the empty text.
std::string canonical_sql(const std::vector<plan::Type>& types, plan::Dialect dialect,
                          const std::vector<std::string>& cells);

// The digest of a unit that is not NULL, and of canonical bytes; the bounding hash of two digests.
std::string unit_digest_sql(plan::Type type, plan::Dialect dialect, const std::string& unit);
std::string bytes_digest_sql(plan::Dialect dialect, const std::string& bytes);
std::string hash_sql(plan::Dialect dialect, const std::string& unit_digest, const std::string& bytes_digest);

// Something that orders texts by their bytes.
std::string by_bytes_sql(plan::Dialect dialect, const std::string& text);

// A cell as an engine gives it back: days and microseconds as whole numbers, one zero; all else as it is.
std::string cell_sql(plan::Type type, plan::Dialect dialect, const std::string& cell);

// Whole numbers of more than 64 bits: the type, a number of it.
std::string_view wide_type(plan::Dialect dialect);
std::string wide_sql(plan::Dialect dialect, const std::string& number);

// A whole number as text of its digits.
std::string as_digits_sql(plan::Dialect dialect, const std::string& whole);

}  // namespace dither::engine::detail
