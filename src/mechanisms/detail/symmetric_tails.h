// Tails of symmetric noise on the integers, and what its shifts cost.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/big_interval.h"
#include "base/int128.h"
#include "base/rational.h"

namespace dither::mechanisms::detail {

// P(K >= k) of a law with P(-k) = P(k) whose ratios P(k+1) / P(k) do not grow (it is log-concave), bounded on both
// sides.
//
// Promise    down(k) <= P(K >= k) <= up(k), neither grows with k; both within 1e-15 of it while it exceeds 2^-300.
// Cost       about 1 us a ratio to make; a look-up to read.
class SymmetricTails {
 public:
  // From enclosures of P(k+1) / P(k), k = 0, 1, ...; the last one, below 1, bounds those that are not given.
  explicit SymmetricTails(std::span<const BigInterval> ratios);

  double up(Int128 k) const;
  double down(Int128 k) const;

  // The least delta such that neighbours whose values differ by at most `distance` are (epsilon, delta)-close, in
  // either order, rounded up; at most 1, and it does not fall when the distance grows. 0 <= epsilon <= kMostEpsilon.
  //
  // Proof      Let d >= 1 be the shift. P(t-d) / P(t) does not fall in t (log-concave), so the worst event is {K >= t}
  //            for some t: delta = max over t of P(K >= t-d) - e^epsilon P(K >= t), which grows with d. The other order
  //            is the same by symmetry. For t <= 0, P(t-d) <= P(t), so the expression does not fall there and t >= 0 is
  //            enough; past the table it is at most up(t-d). (An upper bound of each term is an upper bound of the
  //            largest.)
  // Cost       10 ns a ratio.
  Rational delta(const Rational& epsilon, const Rational& distance) const;

  // The least r with P(|K| > r) <= failure.
  std::uint64_t radius(double failure) const;

  static constexpr int kMostEpsilon = 100;

 private:
  std::vector<double> low_;   // of P(K >= k), k = 0, 1, ...
  std::vector<double> high_;  // as long
  double beyond_;             // at least P(K >= low_.size())
};

// Relative weights smaller than 2^-kTailBits of the largest are not looked at closely.
inline constexpr long kTailBits = 320;
inline constexpr long kRatioBits = 128;

// Refuses an epsilon outside [0, kMostEpsilon] (bad-scale).
void require_epsilon(const Rational& epsilon);

// Refuses a delta outside (0, 1) (bad-probability) and a distance below 1 (bad-distance).
void require_target(const Rational& delta, const Rational& distance);

// The least n in 1 .. most with delta_of(n) <= delta, for a delta_of that does not grow; unreachable when none.
std::uint64_t least_count(const std::function<Rational(std::uint64_t)>& delta_of, const Rational& delta,
                          std::uint64_t most);

}  // namespace dither::mechanisms::detail
