// The testers of whole mechanisms: each looks for an event in its own way, on runs of its own.
#pragma once

#include <span>
#include <string_view>

#include "audit/effort.h"
#include "audit/report.h"
#include "audit/target.h"

namespace dither::audit {

struct Tester {
  std::string_view name;  // "stat-dp"
  std::string_view what;  // one line for people
  Report (*test)(const Target& target, const Effort& effort);
};

// The published ones.
std::span<const Tester> all_testers();
// One of them, or "likelihood": ours, for mechanisms that nobody knows anything about. Refuses a name that is none:
// bad-argument with the list.
const Tester& tester(std::string_view name);

// Their fronts, in files of their own.
Report stat_dp(const Target& target, const Effort& effort);         // T-43, W-61: events and summaries, thinned counts
Report dp_finder(const Target& target, const Effort& effort);       // T-44, W-63: coordinate search over events
Report dp_sniper(const Target& target, const Effort& effort);       // T-45, W-66: a logistic classifier
Report dp_sniper_mlp(const Target& target, const Effort& effort);   // the same with a small network
Report dp_sniper_bits(const Target& target, const Effort& effort);  // T-52: the bits of the numbers
Report delta_siege(const Target& target, const Effort& effort);     // T-46: a whole curve
Report hockey_stick(const Target& target, const Effort& effort);    // T-47: a classifier's accuracy
Report renyi(const Target& target, const Effort& effort);           // T-47: a variational bound
Report kernel(const Target& target, const Effort& effort);          // T-47: maximum mean discrepancy
Report stochastic(const Target& target, const Effort& effort);      // T-48, W-62: bins, both directions
Report histogram(const Target& target, const Effort& effort);       // T-49: the whole histogram at once
Report likelihood(const Target& target, const Effort& effort);      // likelihood.h, with columns named by their place

}  // namespace dither::audit
