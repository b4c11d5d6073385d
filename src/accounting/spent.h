// Sums of what was charged under a rule, and what a charge adds to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/filter_rule.h"

namespace dither::accounting {

// Sums of what was charged: one loss per order, else one (none for advanced, which sums squares of epsilon instead).
struct Spent {
  std::vector<LossAmount> losses;
  SquareAmount squares;
  DeltaAmount delta;
  bool operator==(const Spent&) const = default;
};

// The sums of a rule before the first charge.
Spent nothing_spent(const FilterRule& rule);

// What a charge adds to the sums of a rule.
//
// Refuses    a charge in another measure (no-theorem); a Renyi charge with another number of orders (bad-count).
Spent price(const FilterRule& rule, const Charge& charge);

// Sums and products stay at the end of the range beyond it, which is over every budget; count equal prices added one
// by one are times(price, count), exactly. A difference is exact: after plus comes back what was there before.
//
// Refuses    numbers of losses that differ (bad-count); a difference in which something falls below 0 (out-of-range).
Spent plus(const Spent& a, const Spent& b);
Spent minus(const Spent& a, const Spent& b);
Spent larger(const Spent& a, const Spent& b);  // of each number
Spent times(const Spent& one, std::uint64_t count);

// Whether sums keep a rule; also for sums that are already beyond it. Decided exactly.
//
// Refuses    as plus; what require_valid refuses.
// Cost       a few ns for each order; for advanced about 20 us, to find the most squares again (a FilterState keeps them).
// Spec       A-68, B-20.
bool keeps(const FilterRule& rule, const Spent& sums);
// The same with the most squares at hand, which are used by advanced alone.
bool keeps(const FilterRule& rule, SquareAmount most_squares, const Spent& sums);

// The largest sum of squares that keeps an advanced rule; and the other way, the least epsilon of a rule that a sum keeps.
SquareAmount most_squares(const AdvancedRule& rule);
LossAmount least_epsilon(SquareAmount squares, DeltaAmount slack);

// Canonical JSON, and back; see filter.h.
std::string canonical_json(const Spent& spent);
Spent spent_from_json(std::string_view text);

}  // namespace dither::accounting
