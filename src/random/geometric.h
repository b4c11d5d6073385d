// Geometric draws: the number of failures before the first success.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/int128.h"
#include "base/rational.h"
#include "random/source.h"

namespace dither::random {

// Draws k >= 0 with probability p (1 - p)^k, exactly. Costs and promises are those of DiscreteLaplace at the scale
// -1 / ln(1 - p).
//
// Holds if   2^-60 <= p < 1 (bad-probability otherwise).
// Spec       F-67 (one side), D-68, W-72.
class Geometric {
 public:
  explicit Geometric(const Rational& success);

  Int128 draw(Source& source) const;
  void fill(std::span<Int128> out, Source& source) const;
  void fill(std::span<std::int64_t> out, Source& source) const;  // p >= 2^-52

 private:
  struct Sampler;
  std::shared_ptr<const Sampler> sampler_;
  bool fits_int64_;
};

}  // namespace dither::random
