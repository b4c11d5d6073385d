// Real laws, rounded to a grid, against their exact cells.
#include <memory>
#include <utility>

#include "audit/attacks/attacks.h"
#include "random/real_cdf.h"
#include "random/real_noise.h"
#include "random/source.h"

namespace dither::audit {

namespace {

using random::RealLaw;

constexpr long kBits = 128;

// 1/3 + scale Z on the grid 1: a value between grid points, so that rounding is seen too.
void add(Attacks& attacks, const RealLaw& law, std::int64_t low, std::int64_t high) {
  static const Rational kValue(1, 3);
  static const Rational kScale(5, 2);
  const std::string kind = law.str().substr(0, law.str().find('('));
  const std::string name = "draw-" + kind + ": scale 5/2";
  attacks.push_back({"draw-" + kind, name, "law", 4.0, [law, low, high, name]() -> Subject {
                       const auto noise = std::make_shared<const random::RealNoise>(law, kScale, Rational(1));
                       return SampledLaw{name, low, high,
                                         [law](std::int64_t k) {
                                           return random::rounded_real_pmf(law, kValue, kScale, k, kBits).low_double();
                                         },
                                         [noise](std::span<std::int64_t> out, random::Source& source) {
                                           for (std::int64_t& k : out)
                                             k = static_cast<std::int64_t>(noise->draw(kValue, source));
                                         }};
                     }});
}

}  // namespace

void add_real_sampler_attacks(Attacks& attacks) {
  add(attacks, RealLaw::exponential(), 0, 25);
  add(attacks, RealLaw::laplace(), -20, 20);
  add(attacks, RealLaw::normal(), -12, 12);
  add(attacks, RealLaw::cauchy(), -20, 20);
  add(attacks, RealLaw::student_t(3), -15, 15);
  add(attacks, RealLaw::log_normal(0, Rational(1, 2)), 0, 15);
  add(attacks, RealLaw::gamma(Rational(3, 2)), 0, 25);
  add(attacks, RealLaw::beta(2, 3), 0, 3);
}

}  // namespace dither::audit
