// DP-Sniper: a classifier tells the outputs of two inputs apart, and its surest ones are the attack (T-45, W-66).
#pragma once

#include "audit/tester.h"  // IWYU pragma: export

namespace dither::audit {

// dp_sniper       a logistic classifier on standardised numbers, flags for what is no number, frequent words and values;
// dp_sniper_mlp   a network of 10 and 5 units on the same, for sets that no linear rule cuts out;
// dp_sniper_bits  a logistic classifier on the bits of every number, which shows floating-point noise (T-52).
//
// How        every pair is looked at with a part of effort.search, the best two with all of it. Half of the runs train,
//            half choose the threshold: the probability of the event is what promises the largest bound at effort.certify
//            runs, instead of a fixed c = 0.01 (whose bounds cannot pass log(1/c) and are wide at small epsilon).
// Promise    that of settle: false alarm at most effort.false_alarm.
// Power      a classifier that learnt nothing bets on nothing in particular: "no violation found" is then no news.

}  // namespace dither::audit
