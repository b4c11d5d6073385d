// What a budget still allows, in words and numbers for people. Nothing here decides a charge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accounting/filter.h"

namespace dither::ledger {

// Sums are those of the rule (bad-count otherwise); they may be beyond it, as after a correction of prices.

// What is left, in the measure of the rule; nothing where a number is overdrawn.
accounting::Charge left(const accounting::FilterRule& rule, const accounting::Spent& sums);

// An epsilon of a single statement that the filter would admit now. It is not what was spent so far, nor the rule's
// promise, and does not add up with others of its kind.
struct FilterValue {
  accounting::LossAmount epsilon;  // 0 when none above it fits
  accounting::DeltaAmount delta;
};

// The largest epsilon that one more statement with Laplace noise of scale 1/epsilon (sensitivity 1) could have; none when
// the rule cannot charge it (gdp).
//
// Promise    the statement fits, and with 10^-18 more it does not: to the last digit for pure, basic and advanced; for
//            zcdp and renyi to within the rounding of its own price.
// Cost       under a millisecond; with 100 Renyi orders 15 ms.
std::optional<FilterValue> largest_laplace(const accounting::FilterRule& rule, const accounting::Spent& sums);

// The same for Gaussian noise that is calibrated to (epsilon, delta) exactly (F-54): its sigma is charged under zcdp,
// renyi and gdp, which a delta of events does not enter; epsilon and delta themselves under basic and advanced; none under
// pure.
//
// Promise    noise calibrated to this epsilon or less, and to this delta, fits; the epsilon is rounded down, by less than
//            1e-9 max(1, epsilon).
// Refuses    a delta that is 0, or 1 and more (bad-probability).
std::optional<FilterValue> largest_gaussian(const accounting::FilterRule& rule, const accounting::Spent& sums,
                                            accounting::DeltaAmount delta);

// How many more statements of this price fit, exactly, up to kUnlimited; so many too when the price is nothing and the
// sums keep the rule.
// Spec       B-20, W-20.
inline constexpr std::uint64_t kUnlimited = 1'000'000'000'000'000'000;
std::uint64_t how_many_fit(const accounting::FilterRule& rule, const accounting::Spent& sums,
                           const accounting::Spent& price);

// The largest part of a limit that is used up, over all numbers that the rule adds up (for renyi-any: at the order with
// the smallest part, or of delta), rounded up: above 1 when overdrawn, infinite when a limit of 0 is. A number with
// nothing allowed and nothing spent does not count.
double share_spent(const accounting::FilterRule& rule, const accounting::Spent& sums);

// Names and exact decimals, in the measure of the rule: epsilon and delta (pure, basic); rho and delta; "order 2" and so
// on and delta; mu_squared. Advanced adds up squares of epsilon: there `epsilon` is the least that the rule would need to
// hold the squares, and for what is left there is none, because how far squares go depends on how they are spent.
using Shown = std::vector<std::pair<std::string, std::string>>;
Shown shown(const accounting::FilterRule& rule, const accounting::Spent& sums);
Shown shown_limits(const accounting::FilterRule& rule);
Shown shown_left(const accounting::FilterRule& rule, const accounting::Spent& sums);
// "epsilon 1.5, delta 0".
std::string in_words(const Shown& shown);

}  // namespace dither::ledger
