// The price of a statement, or the error to be bought, as options: the same for `explain` and `query`.
#pragma once

#include <span>
#include <string>

#include "cli/arguments.h"
#include "sql/privatize.h"

namespace dither::cli {

// --epsilon, --rho, --error, --delta, --expect.
std::span<const Option> wanted_options();

// What they say; whether it can be paid for is decided by privatize.
// Refuses    bad-number, bad-count, out-of-range.
sql::Wanted read_wanted(const Given& given);

// Whether it names a price, or an error that has one.
bool has_price(const sql::Wanted& wanted);

}  // namespace dither::cli
