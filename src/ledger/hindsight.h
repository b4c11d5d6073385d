// What releases would have cost if they had been fixed in advance, and what an attacker can do. Nothing here decides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounting/accountant.h"
#include "accounting/filter_rule.h"

namespace dither::ledger {

// The total of one accountant, or why there is none. Never a guarantee about a ledger: its releases were chosen after
// earlier answers, and the accountants are proven for lists that were not. Hence an Estimate, whose method says so.
struct TotalIfFixed {
  accounting::Accountant accountant;
  std::optional<accounting::Estimate> epsilon;  // at the delta that was asked for
  std::string why_not;
};

// Equal events are added up first. Of the two exact accountants, lattice takes at most 16 different kinds of event and
// fourier 100; beyond that they say so.
//
// Refuses    what Composition refuses: invalid events, a delta outside [0, 1].
// Cost       1 us for each event; about 0.1 ms for each different kind, with the exact accountants up to a second.
std::vector<TotalIfFixed> totals_if_fixed(accounting::Neighbours neighbours, const accounting::PrivacyUnit& unit,
                                          const std::vector<accounting::Event>& events, const Rational& delta);

// Events with those that differ in `times` alone made one.
std::vector<accounting::Event> grouped(const std::vector<accounting::Event>& events);

// What the rule's promise leaves to an attacker who knows everything except whether one unit is in the data, when the
// whole budget is spent. Every number is an upper bound.
struct AttackOdds {
  double epsilon;   // promised at the delta that was asked for; infinite when the rule promises nothing there
  double accuracy;  // of the best guess when in and out are equally likely (0.5 is a coin)
  double hits;      // of units that are in, by a test with one false alarm in a hundred
  std::optional<double>
      posterior;  // of a suspicion of one in a hundred, after all answers; none unless epsilon-DP holds
};
// Refuses    a delta outside [0, 1) (bad-probability).
// Spec      , B-10.
AttackOdds attack_odds(const accounting::FilterRule& rule, const Rational& delta);

}  // namespace dither::ledger
