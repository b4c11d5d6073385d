// Arithmetic of reals in PostgreSQL, where overflow and underflow raise errors: nothing may be computed that is not
// known to stay within the doubles. Values are named once, in a subquery, and guarded.
#pragma once

#include <string_view>

namespace dither::plan::detail {

// Halves are added first where a sum could overflow: they cannot, and their sum is half the rounded sum exactly. What
// lies below 1 cannot change such a sum, and is left out because halving the smallest numbers would underflow.
inline constexpr std::string_view kPostgresAdd =
    "(SELECT CASE WHEN a IN ('NaN', 'Infinity', '-Infinity') OR b IN ('NaN', 'Infinity', '-Infinity') THEN NULL "
    "WHEN abs(a) < 4e307 AND abs(b) < 4e307 THEN a + b "
    "WHEN abs((CASE WHEN abs(a) < 1 THEN 0 ELSE a END) / 2 + (CASE WHEN abs(b) < 1 THEN 0 ELSE b END) / 2) "
    "<= 8.988465674311579e307 THEN a + b END FROM (SELECT $1::float8 AS a, $2::float8 AS b) AS v)";
inline constexpr std::string_view kPostgresSubtract =
    "(SELECT CASE WHEN a IN ('NaN', 'Infinity', '-Infinity') OR b IN ('NaN', 'Infinity', '-Infinity') THEN NULL "
    "WHEN abs(a) < 4e307 AND abs(b) < 4e307 THEN a - b "
    "WHEN abs((CASE WHEN abs(a) < 1 THEN 0 ELSE a END) / 2 - (CASE WHEN abs(b) < 1 THEN 0 ELSE b END) / 2) "
    "<= 8.988465674311579e307 THEN a - b END FROM (SELECT $1::float8 AS a, $2::float8 AS b) AS v)";

// Factors of 2^512 are exact and bring the product of two large numbers to below 1 exactly when it does not overflow,
// and that of two small ones to above 2^-51 exactly when it does not become 0; below 2^-538 each, it does.
inline constexpr std::string_view kPostgresMultiply =
    "(SELECT CASE WHEN a IS NULL OR b IS NULL OR a IN ('NaN', 'Infinity', '-Infinity') OR b IN ('NaN', 'Infinity', "
    "'-Infinity') THEN NULL "
    "WHEN a = 0 OR b = 0 THEN 0 "
    "WHEN abs(a) >= 1 AND abs(b) >= 1 THEN CASE WHEN abs((a * 7.458340731200207e-155) * (b * 7.458340731200207e-155)) "
    "< 1 "
    "THEN a * b END "
    "WHEN abs(a) < 1 AND abs(b) < 1 THEN CASE WHEN abs(a) < 1.1113793747425387e-162 AND abs(b) < "
    "1.1113793747425387e-162 THEN 0 "
    "WHEN abs((a * 1.3407807929942597e154) * (b * 1.3407807929942597e154)) <= 4.440892098500626e-16 THEN 0 ELSE a * b "
    "END "
    "ELSE a * b END FROM (SELECT $1::float8 AS a, $2::float8 AS b) AS v)";

// The same for quotients, by where |a| and |b| lie: both at least 1 (safe), b alone (may become 0), a alone (may
// overflow), both below 1 (may overflow when b is tiny and a is not).
inline constexpr std::string_view kPostgresDivide =
    "(SELECT CASE WHEN a IS NULL OR b IS NULL OR a IN ('NaN', 'Infinity', '-Infinity') OR b IN ('NaN', 'Infinity', "
    "'-Infinity') OR b = 0 THEN "
    "NULL "
    "WHEN a = 0 THEN 0 WHEN abs(b) >= 1 AND abs(a) >= 1 THEN a / b "
    "WHEN abs(b) >= 1 THEN CASE WHEN abs((a * 1.3407807929942597e154) / (b * 7.458340731200207e-155)) <= "
    "4.440892098500626e-16 "
    "THEN 0 ELSE a / b END "
    "WHEN abs(a) >= 1 THEN CASE WHEN abs(b) <= 5.562684646268003e-309 THEN NULL "
    "WHEN abs((a * 7.458340731200207e-155) / (b * 1.3407807929942597e154)) < 1 THEN a / b END "
    "WHEN abs(b) >= 1e-300 OR abs(a) < abs(b) THEN a / b "
    "WHEN abs(a / (b * 1.3407807929942597e154)) < 1.3407807929942597e154 THEN a / b END "
    "FROM (SELECT $1::float8 AS a, $2::float8 AS b) AS v)";

}  // namespace dither::plan::detail
