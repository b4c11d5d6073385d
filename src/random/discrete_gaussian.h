// Discrete Gaussian noise.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/int128.h"
#include "base/rational.h"
#include "random/source.h"

namespace dither::random {

// Draws k with probability proportional to exp(-k^2 / (2 sigma^2)), exactly.
//
// Holds if   1/1000 <= sigma <= 2^60 (bad-scale otherwise).
// Cost       a table of up to 8 KiB, made by the first draw in 30 to 50 us. Below sigma 106 a batch takes 4 to 5 ns and
//            8 bytes a value; above, 20 to 25 ns and 15.2 bytes up to sigma 2^22, 18.3 up to 2^46, 20.3 beyond.
// Work       as DiscreteLaplace: nothing but a fallback of probability below 2^-45 depends on the value.
// Spec       F-70, D-68, W-70, W-72.
class DiscreteGaussian {
 public:
  explicit DiscreteGaussian(const Rational& sigma);
  // For the many uses where sigma^2 is the rational number, such as 1 / (2 rho).
  static DiscreteGaussian with_sigma_squared(const Rational& sigma_squared);

  Int128 draw(Source& source) const;
  void fill(std::span<Int128> out, Source& source) const;
  // For sigma up to 2^52 (out-of-range beyond); values that do not fit are saturated, which practically never happens.
  void fill(std::span<std::int64_t> out, Source& source) const;

 private:
  DiscreteGaussian() = default;

  struct Sampler;
  std::shared_ptr<const Sampler> sampler_;
  bool fits_int64_ = false;
};

// One draw at a sigma that is not used again: no table. The same law; 23 to 43 bytes.
Int128 discrete_gaussian(const Rational& sigma, Source& source);

}  // namespace dither::random
