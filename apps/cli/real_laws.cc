#include <algorithm>
#include <memory>

#include "cli/draws.h"
#include "random/moments.h"
#include "random/real_noise.h"

namespace dither::cli {

Draws real_draws(const random::RealLaw& law, const Rational& scale, const Rational& grid) {
  auto noise = std::make_shared<const random::RealNoise>(law, scale, grid);
  const Rational ratio = scale / grid;
  Draws draws;
  draws.grid = grid;
  draws.rounded = true;
  draws.fits_int64 = random::real_fits_int64(law, ratio);
  draws.wide = [noise](std::span<Int128> out, random::Source& source) {
    std::fill(out.begin(), out.end(), Int128{0});
    noise->fill(out, source);
  };
  draws.exact = [law, ratio] { return random::real_moments(law, ratio); };
  return draws;
}

}  // namespace dither::cli
