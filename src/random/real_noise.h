// Real noise on a public grid: value + scale * Z, rounded to the nearest grid point, exactly.
#pragma once

#include <memory>
#include <span>

#include "base/int128.h"
#include "base/rational.h"
#include "random/real_law.h"
#include "random/source.h"

namespace dither::random {

namespace detail {
class RealEngine;
}

// Draws k such that k * grid is the grid point nearest to value + scale * Z, where Z follows the law.
//
// Promise    k has exactly that law: Z is a formula of uniform numbers of which as many bits are drawn as the rounding
//            needs. No floating point takes part, and ties have probability zero. Values and k stop at the ends of 128
//            bits.
// Work       drawing Z takes a fixed number of bytes and of steps (per round of rejection, for gamma and beta; how many
//            rounds there are says nothing about the value). With probability below 2^-45 that does not decide, and
//            arbitrary precision does, in a time that depends on the value. See docs/randomness.md, "Real laws".
//            `fill` adds Z to its indices in fixed steps too; `draw` brings a rational value onto the grid first, in
//            exact fractions, whose time follows the length of that value: keep it for public values.
// Refuses    a grid <= 0 (bad-grid), scale / grid outside [1/1000, 2^60] (bad-scale).
// Cost       set-up a few microseconds; a draw 0.6 to 9 us by law and scale (real_noise_bench.cc). Threads may share one.
// Spec       W-70, D-68, F-43, F-52; F-62 uses Cauchy, Student-t and log-normal.
class RealNoise {
 public:
  RealNoise(const RealLaw& law, const Rational& scale, const Rational& grid);
  ~RealNoise();
  RealNoise(RealNoise&&) noexcept;
  RealNoise& operator=(RealNoise&&) noexcept;

  // The noisy value of any rational.
  Int128 draw(const Rational& value, Source& source) const;

  // Replaces every index, standing for the value index * grid, by its noisy one.
  void fill(std::span<Int128> indices, Source& source) const;

 private:
  Rational grid_;
  std::unique_ptr<const detail::RealEngine> engine_;
};

// One draw with fresh parameters.
Int128 rounded_real(const RealLaw& law, const Rational& value, const Rational& scale, const Rational& grid,
                    Source& source);

}  // namespace dither::random
