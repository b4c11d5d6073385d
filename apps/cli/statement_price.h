// What a statement releases, from options or from a file of events, for a budget's data set.
#pragma once

#include <optional>
#include <vector>

#include "cli/arguments.h"
#include "ledger/budget.h"
#include "ledger/release.h"

namespace dither::cli {

// --events FILE, and the options of one event.
std::vector<Option> price_options();

// The price that is described; none when nothing is. Its events are stated for the data set's neighbours and unit,
// which need not be given again.
// Refuses    another relation or unit than the data set's, or groups (mixed-neighbours); what read_events refuses.
std::optional<ledger::Price> read_price(const Given& given, const ledger::Dataset& dataset);

}  // namespace dither::cli
