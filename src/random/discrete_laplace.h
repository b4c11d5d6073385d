// Discrete Laplace noise.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/int128.h"
#include "base/rational.h"
#include "random/source.h"

namespace dither::random {

// Draws k with probability (1 - q) / (1 + q) q^|k|, q = exp(-1 / scale), exactly.
//
// Holds if   1/1000 <= scale <= 2^60 (bad-scale otherwise).
// Cost       a table of up to 64 KiB, made by the first draw in 30 to 130 us. Below scale 128 a batch takes 4 to 5 ns
//            and 8 bytes a value; above, 15 to 20 ns and 15.5 bytes up to scale 2^21, 18.6 up to 2^45, 20.6 beyond.
// Work       bytes and steps of a round are fixed by the scale, and rounds do not depend on the value kept. An exact
//            fallback, whose time does depend on it, runs with probability below 2^-45 a draw.
// Spec       F-67, D-68, W-70, W-72.
class DiscreteLaplace {
 public:
  explicit DiscreteLaplace(const Rational& scale);

  Int128 draw(Source& source) const;
  void fill(std::span<Int128> out, Source& source) const;
  // For scales up to 2^52 (out-of-range beyond): a value that does not fit has probability below exp(-2000) and is
  // saturated.
  void fill(std::span<std::int64_t> out, Source& source) const;

 private:
  struct Sampler;
  std::shared_ptr<const Sampler> sampler_;
  bool fits_int64_;
};

// One draw at a scale that is not used again: no table. The same law; at most 24 bytes a round.
Int128 discrete_laplace(const Rational& scale, Source& source);

}  // namespace dither::random
