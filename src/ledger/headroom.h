// What the next charge must fit into, from one budget upward. For people: the ledger itself decides.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ledger/budget.h"
#include "ledger/outlook.h"

namespace dither::ledger {

// Whether the day of its review is past (D-64).
bool review_is_overdue(const Budget& budget, Time now);

// The budget as the next charge finds it: a period that is due has begun, unless it waits for a review.
Budget as_of(Budget budget, Time now);

// Limits, and the sums that count against them.
struct Headroom {
  accounting::FilterRule rule;
  accounting::Spent sums;
};

// All that a charge to the first of these budgets must fit into, where the others are those above it: the limits of
// each and, of those with a reserve, the limits without it, which a charge that corrects nothing must keep as well.
std::vector<Headroom> headrooms(std::span<const Budget> line);

// As in outlook.h, and all of them at once: the smallest.
std::optional<FilterValue> largest_laplace(std::span<const Headroom> rooms);
std::optional<FilterValue> largest_gaussian(std::span<const Headroom> rooms, accounting::DeltaAmount delta);
std::uint64_t how_many_fit(std::span<const Headroom> rooms, const accounting::Spent& price);

// How many periods have a part in the time from `from` on and before `to`; 0 when that is empty, 1 without renewal.
std::uint64_t periods_between(Period period, Time from, Time to);

// The limits of so many periods together, by adding them up; none for advanced and renyi-any, whose promises do not add
// up so. A budget that renews has promised this much after that many periods (P-33).
// Refuses    limits that grow out of range.
std::optional<accounting::FilterRule> accumulated(const accounting::FilterRule& rule, std::uint64_t periods);

}  // namespace dither::ledger
