// From a suspicion to a verdict: fresh runs, exact bounds, few looks.
#pragma once

#include <span>
#include <string_view>

#include "audit/attack_set.h"
#include "audit/effort.h"
#include "audit/report.h"
#include "audit/target.h"

namespace dither::audit {

// That outputs of one input of a pair fall into a set too often, at one point of the promise.
struct Bet {
  std::size_t pair = 0;
  bool swapped = false;  // the set is likelier under the second input
  AttackSet set;
  double epsilon = 0;  // where to test the promise
};

// Draws fresh outputs of every pair that has bets, and tests all of these on them: Clopper-Pearson bounds on both probabilities, which hold jointly, put
// into P(S) <= e^epsilon P'(S) + delta and the same for the complement with the inputs exchanged (T-32, T-34).
//
// Promise    a mechanism that keeps its promise is called violated with probability at most effort.false_alarm: the
//            alarm is divided among bets and looks. Bets were chosen without the runs drawn here; those on one pair share
//            them.
// Cost       the runs; what is drawn is counted and forgotten.
// Throws     Cancelled; what drawing throws.
Report settle(const Target& target, std::string_view tester, std::span<const Bet> bets, const Effort& effort);

}  // namespace dither::audit
