// Exact amounts of privacy budget: whole numbers of tiny decimal steps.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "base/rational.h"

namespace dither::accounting {

// A whole number of steps of 10^-places, never negative. Different kinds of amount have different steps and do not mix.
//
// Promise    comparisons and sums within the range are exact; up() is the smallest amount that is not below the value, down() the
//            largest that is not above: prices round up, budgets down. The text is the exact decimal, the only one.
// Refuses    negative values and values beyond 128 bits of steps (out-of-range); text that is not what str() writes
//            (bad-number).
// Cost       sums a few ns; up, down and conversions under 1 us, of text about 0.1 us.
template <int places>
class Amount {
 public:
  Amount() = default;
  static Amount up(const Rational& value);
  static Amount down(const Rational& value);
  static Amount of_steps(Int128 steps);
  static Amount parse(std::string_view text);

  Int128 steps() const { return steps_; }
  Rational value() const;
  std::string str() const;

  // The sum; beyond the range it stays at the end of it, which is over every budget.
  friend Amount add_saturating(Amount a, Amount b) { return of_steps(dither::add_saturating(a.steps_, b.steps_)); }
  // What is left of a after b, nothing when b is more.
  friend Amount without(Amount a, Amount b) { return b.steps_ >= a.steps_ ? Amount() : of_steps(a.steps_ - b.steps_); }
  friend bool operator==(Amount a, Amount b) { return a.steps_ == b.steps_; }
  friend std::strong_ordering operator<=>(Amount a, Amount b) {
    return a.steps_ < b.steps_   ? std::strong_ordering::less
           : a.steps_ > b.steps_ ? std::strong_ordering::greater
                                 : std::strong_ordering::equal;
  }

 private:
  Int128 steps_ = 0;
};

using LossAmount = Amount<18>;    // epsilon, rho, a Renyi divergence, mu^2: up to 1.7e20
using SquareAmount = Amount<32>;  // sums of epsilon^2, which may be tiny: up to 1.7e6
using DeltaAmount = Amount<36>;   // probabilities

extern template class Amount<18>;
extern template class Amount<32>;
extern template class Amount<36>;

}  // namespace dither::accounting
