// Auditing one run of a mechanism: many canaries, each in or out by its own coin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dither::audit {

// m canaries, each included with probability 1/2 by a fair coin of its own; the attacker sees the one result and says
// IN or OUT of some of them. How many it speaks of is fixed in advance.
struct OneRunGuesses {
  std::int64_t canaries = 0;  // m
  std::int64_t guesses = 0;   // r
  std::int64_t right = 0;     // v
};

// Says IN of the `in` highest scores and OUT of the `out` lowest. Scores and their order come without knowledge of the
// coins; equal scores keep their order. Refuses spans of unequal length, in + out above their length (bad-count), NaN
// (bad-number).
OneRunGuesses guess(std::span<const double> scores, const std::vector<bool>& included, std::int64_t in,
                    std::int64_t out);

// Under (epsilon, delta)-DP (a canary added or removed), so many right guesses or more have at most this probability:
//   P(B >= v) + 2 m delta max_{1 <= i <= v} P(v - i <= B < v) / i,
// B binomial over r guesses with rate e^epsilon / (1 + e^epsilon) (Steinke, Nasr and Jagielski 2023).
// Rounded up, at most 1.
// Refuses    canaries outside 1..10^9, more guesses than canaries, no guesses, more right than guesses (bad-count); a
//            negative epsilon (out-of-range), a delta outside [0, 1] (bad-probability).
// Cost       some 60 binomial tails: about 0.2 ms for 10^4 guesses, 2 ms for 10^6.
double one_run_p_value_up(const OneRunGuesses& guesses, double epsilon, double delta);

// epsilon at `delta` is at least this, with confidence 1 - false_alarm, from ONE run; 0 when nothing is refuted.
//
// Proof      let e be the true epsilon, and w the least number of right guesses whose bound b exceeds e. The bound is
//            wrong only if there are w or more; the mechanism is (b, delta)-DP too, as b > e; so that has probability
//            at most p(b) < false_alarm, which was checked at b. It needs no monotony of p in epsilon.
// Spec       T-38.
double epsilon_lower_bound_one_run(const OneRunGuesses& guesses, double delta, double false_alarm);

}  // namespace dither::audit
