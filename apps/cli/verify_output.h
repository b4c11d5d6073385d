// Reports of attacks for people, for programs and for build servers.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/verify.h"
#include "show/json.h"

namespace dither::cli {

// Names, and what there is to say about each.
using Facts = std::vector<std::pair<std::string, std::string>>;
// In lines of at most 100 columns.
std::string wrapped_facts(const Facts& facts);

// One report in full, in lines of at most 100 columns.
std::string report_text(const Verified& verified);

// A line each, those that were violated (or not as expected) in full below, and what it all means.
std::string reports_table(std::span<const Verified> all);
// The same for planted mechanisms: expected beside found.
std::string planted_table(std::span<const Verified> all);

// The members target, tester, verdict, promised, delta, lower_bound, ceiling, power_1_5, power_2, power_event, rarest,
// false_alarm, runs, seconds, witness, notes; and claim, expected where there is one.
show::Json report_json(const Verified& verified, bool planted);
std::string reports_json(std::span<const Verified> all, bool planted);

// The XML that build servers read: a case for each report, a failure for each violation.
std::string reports_junit(std::span<const Verified> all, bool planted);

// Whether nothing was found that should not have been, and planted bugs were.
bool as_it_should(const Verified& verified, bool planted);

}  // namespace dither::cli
