// Times as records write them, and the periods in which budgets renew.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dither::ledger {

using Time = std::int64_t;  // seconds since 1970, UTC

// "2026-11-15T22:05:22Z", for years 1 to 9999.
std::string time_text(Time time);
// The reverse; also takes a day, which stands for its first second. bad-number for other text and for days that no
// calendar has.
Time time_from_text(std::string_view text);

enum class Period { none, day, month, quarter, year };
// "none", "day", "month", "quarter", "year".
std::string_view period_name(Period period);
Period period_from(std::string_view name);  // bad-argument for other words

// The period that a time lies in, in UTC: "2026-11-15", "2026-11", "2026-Q4", "2026"; "" for none. Later periods have
// greater labels.
std::string period_label(Period period, Time time);

}  // namespace dither::ledger
