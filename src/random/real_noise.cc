#include "random/real_noise.h"

#include <fmt/format.h>

#include "base/error.h"
#include "random/detail/real_engine.h"

namespace dither::random {

namespace {

Rational ratio_of(const Rational& scale, const Rational& grid) {
  if (grid <= 0) {
    throw Error{Code::bad_grid, fmt::format("grid is {}, but a grid step must be positive", grid.str()),
                "give the distance between neighbouring answers, such as 1/100"};
  }
  if (scale <= 0) {
    throw Error{Code::bad_scale, fmt::format("scale is {}, but noise needs scale > 0", scale.str()),
                "give a positive scale"};
  }
  return scale / grid;
}

}  // namespace

RealNoise::RealNoise(const RealLaw& law, const Rational& scale, const Rational& grid)
    : grid_(grid), engine_(std::make_unique<const detail::RealEngine>(law, ratio_of(scale, grid))) {}

RealNoise::~RealNoise() = default;
RealNoise::RealNoise(RealNoise&&) noexcept = default;
RealNoise& RealNoise::operator=(RealNoise&&) noexcept = default;

Int128 RealNoise::draw(const Rational& value, Source& source) const {
  return engine_->draw(detail::GridValue(value / grid_, engine_->ratio()), source);
}

void RealNoise::fill(std::span<Int128> indices, Source& source) const {
  detail::GridValue value(0, engine_->ratio());
  for (Int128& index : indices) {
    value.index = index;
    index = engine_->draw(value, source);
  }
}

Int128 rounded_real(const RealLaw& law, const Rational& value, const Rational& scale, const Rational& grid,
                    Source& source) {
  return RealNoise(law, scale, grid).draw(value, source);
}

}  // namespace dither::random
