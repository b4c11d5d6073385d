// One of finitely many, by weight times the exponential of a score: the draw behind the exponential mechanism.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rational.h"
#include "random/detail/exp_sums.h"
#include "random/detail/lazy_uniform.h"
#include "random/source.h"

namespace dither::random {

// An index 0 .. n-1, i with probability proportional to weights[i] exp(rate scores[i]).
//
// Promise    the law is exact (weighted_choice_pmf). Scores may be any 128-bit integers: only their distance to the
//            largest one counts, so nothing overflows, and an index of weight zero never comes.
// Work       set-up and draw pass over all candidates in the same steps whatever the scores and the index: no branch
//            and no look-up follows them. Arbitrary precision, whose time depends on them, is needed with probability
//            fallback_probability() < 2^-50 a draw for every list; set-up needs it for the rate only.
// Refuses    no candidates, all weights zero, lists of different lengths (bad-weights); more than 2^24 candidates
//            (bad-count); rate < 0 (bad-scale: negate the scores).
// Cost       16 bytes a draw and about 1 ns a candidate; set-up about 9 us and 100 ns a candidate.
// Spec       F-84, W-72, D-68.
class WeightedChoice {
 public:
  // A draw reads two words of `width` <= 63 bits; only tests choose it, to reach the exact comparison.
  WeightedChoice(std::span<const std::uint64_t> weights, std::span<const Int128> scores, const Rational& rate,
                 int width = 63);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    const UInt128 high = source.bits(width_);
    const UInt128 x = high << width_ | source.bits(width_);
    const Place place = locate(x);
    if (place.first != place.last) [[unlikely]]
      return draw_exactly(x, source);
    return place.first;
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::uint64_t> out, Source& source) const;

  // The probability that a draw needs arbitrary precision, at most.
  double fallback_probability() const;

 private:
  struct Place {
    std::uint64_t first;  // the index drawn is at least this
    std::uint64_t last;   // and at most this
  };
  Place locate(UInt128 x) const;

  // Finds the index by running sums in arbitrary precision, with as many bits of the uniform as it takes.
  template <BitSource S>
  std::uint64_t draw_exactly(UInt128 x, S& source) const {
    for (detail::LazyUniform uniform(x, 2 * width_);; uniform.extend(width_, source)) {
      const Place place = locate_exactly(uniform);
      if (place.first == place.last) return place.first;
    }
  }
  Place locate_exactly(const detail::LazyUniform& uniform) const;

  std::vector<std::uint64_t> weights_;
  std::vector<Int128> scores_;
  Rational rate_;
  int width_;
  detail::ExpSums sums_;
};

}  // namespace dither::random
