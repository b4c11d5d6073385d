#include "mechanisms/detail/real.h"

#include <memory>

#include "random/real_noise.h"

namespace dither::mechanisms::detail {

calculus::AnyMeasurement::Function rounded_noise(const random::RealLaw& law, const Rational& scale) {
  const auto noise = std::make_shared<const random::RealNoise>(law, scale, Rational(1));
  return [noise](const calculus::Data& data, random::Source& source) -> calculus::Data {
    calculus::Integers noisy = calculus::as<calculus::Integers>(data);
    noise->fill(noisy, source);
    return noisy;
  };
}

}  // namespace dither::mechanisms::detail
