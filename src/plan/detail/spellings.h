// Pieces of spellings that many functions share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "plan/detail/rules.h"

namespace dither::plan::detail {

// A real as Spark computes it, NULL unless finite.
inline std::string spark_finite(std::string_view real) {
  return fmt::format("NULLIF(NULLIF(NULLIF({}, double('NaN')), double('Infinity')), -double('Infinity'))", real);
}

// A whole number computed in a wider type, NULL beyond 64 bits. GREATEST and LEAST take NULL for the end that becomes
// NULL.
inline std::string postgres_whole(std::string_view numeric) {
  return fmt::format(
      "NULLIF(NULLIF(LEAST(GREATEST({}, -9223372036854775809), 9223372036854775808), -9223372036854775809), "
      "9223372036854775808)::bigint",
      numeric);
}

// x itself where it is finite.
inline constexpr std::string_view kPostgresFinite =
    "NULLIF(NULLIF(NULLIF($1, 'NaN'::float8), 'Infinity'::float8), '-Infinity'::float8)";

// A form with its arguments $1, $2 ... replaced by these, which may hold arguments themselves.
std::string put(std::string_view form, const std::vector<std::string>& arguments);

inline Spelling spelled(std::string duckdb, std::string postgresql, std::string spark) {
  return {kept(std::move(duckdb)), kept(std::move(postgresql)), kept(std::move(spark))};
}

}  // namespace dither::plan::detail
