// Types and constants of the expression language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/canonical.h"

namespace dither::plan {

// What a column or an expression holds. NULL belongs to every type.
enum class Type {
  boolean,
  integer,    // 64 bits, signed
  real,       // binary64; also what files call decimal: the grid is a fact beside the type
  text,       // UTF-8, compared by its bytes
  date,       // whole days since 1970-01-01, from year 1 to 9999
  timestamp,  // whole microseconds since 1970-01-01 00:00 UTC, from year 1 to 9999
};
std::string_view type_name(Type type);  // "boolean", "integer", ...
// The reverse; also "decimal", which is real. unknown-type.
Type type_from(std::string_view name);

bool is_number(Type type);  // integer, real

// A constant: NULL, or the value as a cell. Dates and timestamps are cells of whole numbers.
struct Constant {
  Type type;
  Cell value;
  bool operator==(const Constant&) const = default;
};

// One spelling for people and for hashes: NULL, true, -5, 0.25 and 5.0 (reals: the shortest digits that read back, and a
// point), NaN, 'it''s', DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.5'.
std::string str(const Constant& constant);

// The first and the last day and microsecond that cells of dates and timestamps hold.
inline constexpr std::int64_t kMicrosecondsPerDay = std::int64_t{86'400} * 1'000'000;
inline constexpr std::int64_t kFirstDay = -719'162;  // 0001-01-01
inline constexpr std::int64_t kLastDay = 2'932'896;  // 9999-12-31
inline constexpr std::int64_t kFirstMicrosecond = kFirstDay * kMicrosecondsPerDay;
inline constexpr std::int64_t kLastMicrosecond = (kLastDay + 1) * kMicrosecondsPerDay - 1;

// Days and microseconds from text, and back: 2024-02-29; of timestamps also 2024-02-29 12:00, 2024-02-29T12:00:00.25 and the
// same with a Z behind. False for other text, for days that no calendar has, and outside the years 1 to 9999.
bool date_from(std::string_view text, std::int64_t& days);
bool timestamp_from(std::string_view text, std::int64_t& microseconds);
// Of a day or microsecond within the constants above. "2024-02-29", "2024-02-29 12:00:00", "2024-02-29 12:00:00.25".
std::string date_text(std::int64_t days);
std::string timestamp_text(std::int64_t microseconds);

}  // namespace dither::plan
