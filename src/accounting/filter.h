// Filters: rules that stop an analyst who chooses every next release, and its price, after seeing all answers so far.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/filter_rule.h"
#include "accounting/spent.h"

namespace dither::accounting {

// A rule and what was spent under it: a value of constant size, however many charges came before.
//
// Refuses    what require_valid refuses.
class FilterState {
 public:
  explicit FilterState(FilterRule rule);

  // With sums that were spent before; over-budget when they break the rule.
  FilterState(FilterRule rule, Spent spent);

  const FilterRule& rule() const { return fixed_->rule; }
  const Spent& spent() const { return spent_; }
  friend bool operator==(const FilterState& a, const FilterState& b) {
    return a.rule() == b.rule() && a.spent_ == b.spent_;
  }

 private:
  friend bool can_afford(const FilterState& state, const Spent& more);
  friend FilterState charged(const FilterState& state, const Spent& more);
  friend Charge remaining(const FilterState& state);
  friend Charge remaining(const FilterRule& rule, const Spent& sums);

  struct Fixed {
    FilterRule rule;
    SquareAmount most_squares;  // of advanced: the largest sum of squares that keeps the rule
  };
  bool holds_with(const Spent& spent) const;
  Charge left_after(const Spent& spent) const;

  std::shared_ptr<const Fixed> fixed_;  // shared by all states that come from one filter
  Spent spent_;
};

// Whether the rule still holds with this charge. Decided exactly, so that every machine decides alike.
//
// Refuses    as price and plus.
// Cost       constant in the number of charges before: under 1 us, and a few ns more for each order.
// Spec       A-68, B-20, W-20.
bool can_afford(const FilterState& state, const Charge& charge);
bool can_afford(const FilterState& state, const Spent& more);

// The state after the charge, or over-budget; the state that was given stays as it is in either case.
FilterState charged(const FilterState& state, const Charge& charge);
FilterState charged(const FilterState& state, const Spent& more);

// The largest charge that can still be afforded (for renyi-any: at the orders that are still within).
Charge remaining(const FilterState& state);
// The same for sums that may be beyond the rule: then a number that is overdrawn has nothing left.
Charge remaining(const FilterRule& rule, const Spent& sums);

// Canonical JSON: fixed order of keys, no spaces, every number an exact text. Reading gives the same value again, bit for
// bit, and refuses any text that would not be written so (bad-syntax, bad-number), and sums that break their rule
// (over-budget).
std::string canonical_json(const FilterState& state);
FilterState filter_from_json(std::string_view text);
std::string canonical_json(const FilterRule& rule);
FilterRule rule_from_json(std::string_view text);
std::string canonical_json(const Charge& charge);
Charge charge_from_json(std::string_view text);

}  // namespace dither::accounting
