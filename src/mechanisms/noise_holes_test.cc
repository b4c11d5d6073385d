// Mistakes that others have made with noise, each under the number it has in the list of known holes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mechanisms/calibrate.h"
#include "mechanisms/noise_check.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// A measurement that is nothing but its function, for planted mistakes.
AnyMeasurement planted(AnyMeasurement::Function function) {
  return AnyMeasurement({{"planted"}, VectorDomain{}, {MetricKind::l1}, Measure::pure(), {}, {}, std::move(function)});
}

Integers out_of(const AnyMeasurement& noise, const Integers& exact, random::Source& source) {
  return std::get<Integers>(noise.release(Private(exact), source).value());
}

// Samplers that were proven and biased all the same: every family against its exact law, through the whole mechanism.
// n = 20,000 each; false alarm 1e-9 each.
bool follows(const AnyMeasurement& noise, const check::OutputLaw& law) {
  return check::fits(check::releases(noise, 12, 20'000, random::Source::this_thread()), law, 12, 12, 1e-9);
}
// Spec: D-68
TEST(NoiseHoles, Hole01EverySamplerFollowsItsPmf) {
  for (const check::Family& family : check::families(2)) EXPECT_TRUE(follows(family.noise, family.law)) << family.name;
}
TEST(NoiseHoles, PlantedDivisionThatDropsARemainderIsCaught) {  // scale 7/3 taken as 7 / 3 = 2
  for (const auto& family : check::families(Rational(7, 3))) {
    for (const auto& cut : check::families(2)) {
      if (cut.name == family.name) {
        EXPECT_FALSE(follows(cut.noise, family.law)) << family.name;
      }
    }
  }
}

// An option that is read and then ignored: doubling each parameter must change the law of the answer.
bool option_counts(const check::Family& before, const AnyMeasurement& after) { return !follows(after, before.law); }
TEST(NoiseHoles, Hole04EveryOptionChangesTheLaw) {
  const auto small = check::families(2);
  const auto large = check::families(4);
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_TRUE(option_counts(small[i], large[i].noise)) << small[i].name;
  }
  const AnyMeasurement low = make_truncated_geometric({.bounds = bounds(0, 14)}, 2).any();  // the other option of it
  EXPECT_TRUE(option_counts(check::truncated_family(2), low));
  EXPECT_FALSE(make_real_gaussian({}, 2).any().loss(Rational(1)) ==
               make_real_gaussian_gdp({}, 2).any().loss(Rational(1)));
}
TEST(NoiseHoles, PlantedIgnoredScaleIsCaught) {
  const check::Family family = check::discrete_laplace_family(2);
  EXPECT_FALSE(option_counts(family, make_discrete_laplace({}, 2).any()));  // asked for 4, and made 2
}

// A loop that begins at 1 or ends early. 64 releases of 1,030 coordinates (more than one piece of the batch); one that
// varies shows the same number 64 times with probability below 0.1^63.
bool every_coordinate_varies(const AnyMeasurement& noise) {
  const Integers exact(1030, 12);
  std::vector<std::set<Int128>> seen(exact.size());
  for (int run = 0; run < 64; ++run) {
    const Integers noisy = out_of(noise, exact, random::Source::this_thread());
    if (noisy.size() != exact.size()) return false;
    for (std::size_t i = 0; i < noisy.size(); ++i) seen[i].insert(noisy[i]);
  }
  return std::all_of(seen.begin(), seen.end(), [](const auto& values) { return values.size() > 1; });
}
TEST(NoiseHoles, Hole05EachCoordinateVaries) {
  for (const check::Family& family : check::families(6))
    EXPECT_TRUE(every_coordinate_varies(family.noise)) << family.name;
}
TEST(NoiseHoles, PlantedLastCoordinateWithoutNoiseIsCaught) {
  const AnyMeasurement inner = make_discrete_laplace({}, 6).any();
  EXPECT_FALSE(every_coordinate_varies(planted([inner](const Data& data, random::Source& source) -> Data {
    const auto& exact = as<Integers>(data);
    Integers noisy = out_of(inner, exact, source);
    noisy.back() = exact.back();
    return noisy;
  })));
}

// Counts above 2^31 and odd numbers: with the same bytes the noise is the same, whatever it is added to.
bool noise_ignores_the_value(const AnyMeasurement& noise) {
  const auto noise_on = [&](Int128 exact) {
    random::Source source = testing::seeded_source(17);
    Integers noisy = check::releases(noise, exact, 50, source);
    for (Int128& y : noisy) y -= exact;
    return noisy;
  };
  const Integers at_zero = noise_on(0);
  for (const Int128 exact : {Int128{7}, (Int128{1} << 31) + 5, -(Int128{1} << 31) - 3, (Int128{1} << 53) + 1,
                             (Int128{1} << 63) + 1, -(Int128{1} << 63) - 7, (Int128{1} << 100) + 13}) {
    if (noise_on(exact) != at_zero) return false;
  }
  return true;
}
// Spec: D-68
TEST(NoiseHoles, Hole17CountsAbove31BitsAndOddNumbers) {
  for (const check::Family& family : check::families(100)) {
    if (family.name == "truncated geometric") continue;  // stays in 0 .. 30 by design
    EXPECT_TRUE(noise_ignores_the_value(family.noise)) << family.name;
  }
}
TEST(NoiseHoles, PlantedCastTo32BitsIsCaught) {
  const AnyMeasurement inner = make_discrete_laplace({}, 100).any();
  EXPECT_FALSE(noise_ignores_the_value(planted([inner](const Data& data, random::Source& source) -> Data {
    Integers cut = as<Integers>(data);
    for (Int128& x : cut) x = static_cast<std::int32_t>(x);
    return out_of(inner, cut, source);
  })));
}

// The lowest four bits of answers to neighbours x and x + 1, where the noise is wide: both uniform, or one tells the
// other apart. n = 20,000 each, chi-square at false alarm 1e-9 each.
bool low_bits_are_uniform(const AnyMeasurement& noise) {
  for (const Int128 exact : {Int128{1} << 40, (Int128{1} << 40) + 1}) {
    std::vector<std::int64_t> counts(16);
    for (const Int128 y : check::releases(noise, exact, 20'000, random::Source::this_thread())) {
      ++counts[static_cast<std::size_t>(y & 15)];
    }
    if (!testing::chi_square_accepts(counts, std::vector<double>(16, 1.0 / 16), 1e-9)) return false;
  }
  return true;
}
// Spec: W-70, D-68
TEST(NoiseHoles, Hole18LowBitsOfNeighboursAreAlike) {
  const Rational wide = Rational::power_of_two(20);
  EXPECT_TRUE(low_bits_are_uniform(make_discrete_laplace({}, wide).any()));
  EXPECT_TRUE(low_bits_are_uniform(make_laplace({}, wide).any()));
  EXPECT_TRUE(low_bits_are_uniform(make_gaussian({}, wide).any()));
  EXPECT_TRUE(low_bits_are_uniform(make_real_gaussian({}, wide).any()));
}
TEST(NoiseHoles, PlantedNoiseOnACoarserGridIsCaught) {  // noise in steps of 8: the summand's own grid shows
  const AnyMeasurement inner = make_discrete_laplace({}, Rational::power_of_two(17)).any();
  EXPECT_FALSE(low_bits_are_uniform(planted([inner](const Data& data, random::Source& source) -> Data {
    Integers noisy = as<Integers>(data);
    const Integers noise = out_of(inner, Integers(noisy.size(), 0), source);
    for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i] += 8 * noise[i];
    return noisy;
  })));
}

// x + noise as doubles by the inverse distribution function, as textbooks write it, against the lattice: every output
// of x must be an output of its neighbour, that is, lie on the public grid. Of n = 1,000 outputs none may lie off it.
template <typename Draw>
bool outputs_share_a_lattice(const Draw& draw) {
  random::Source source = testing::seeded_source(44);
  for (const double exact : {0.0, 1.0}) {
    for (int i = 0; i < 1000; ++i) {
      const double y = draw(exact, source);
      if (y * 0x1p10 != std::floor(y * 0x1p10)) return false;  // the grid has steps of 2^-10
    }
  }
  return true;
}
double naive_laplace(double exact, random::Source& source) {
  const double u = std::ldexp(static_cast<double>(source.bits(53)), -53) - 0.5;
  return exact - std::copysign(std::log1p(-2 * std::abs(u)), u);
}
// Spec: F-44, W-70, D-68
TEST(NoiseHoles, AnswersLieOnThePublicGrid) {
  const AnyMeasurement noise = make_laplace({.step = Rational::power_of_two(-10)}, 1024).any();
  EXPECT_TRUE(outputs_share_a_lattice([&](double exact, random::Source& source) {
    const Int128 steps = Rational::from_double(std::ldexp(exact, 10)).floor();
    return std::ldexp(static_cast<double>(check::releases(noise, steps, 1, source)[0]), -10);
  }));
}
TEST(NoiseHoles, PlantedNaiveFloatingPointLaplaceIsCaught) { EXPECT_FALSE(outputs_share_a_lattice(naive_laplace)); }

// Why that matters: the low bits of naive outputs depend on the value. Near 0 the outputs of x = 0 are finer than those
// of x = 1 can ever be.
// Spec: F-44
TEST(NoiseHoles, NaiveOutputsTellNeighboursApart) {
  random::Source source = testing::seeded_source(45);
  const auto finer_than = [&](double exact) {  // outputs within 1/4 of 0 that are no multiple of 2^-54
    int finer = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double y = naive_laplace(exact, source);
      finer += std::abs(y) < 0.25 && std::ldexp(y, 54) != std::floor(std::ldexp(y, 54)) ? 1 : 0;
    }
    return finer;
  };
  EXPECT_GT(finer_than(0), 1000);
  EXPECT_EQ(finer_than(1), 0);
}

// Formulas against numbers worked out elsewhere: scales, sigmas with their root, pmfs.
// Spec: F-44, F-54, F-67
TEST(NoiseHoles, Hole48FormulaOracles) {
  EXPECT_EQ(laplace_scale(3, Rational(1, 2)), Rational(6));
  EXPECT_NEAR(analytic_sigma(4, 1, Rational::parse("1e-5")).to_double_up(), 2 * 3.730632, 1e-6);  // sqrt(4), not 4
  EXPECT_NEAR(check::discrete_laplace_family(1).law(0, 0), 0.462117, 5e-7);
  EXPECT_NEAR(check::discrete_laplace_family(1).law(0, 1), 0.170003, 5e-7);
}
TEST(NoiseHoles, PlantedSigmaWithoutTheRootIsCaught) {
  const double planted_sigma = 4 * analytic_sigma(1, 1, Rational::parse("1e-5")).to_double_up();
  EXPECT_GT(std::abs(planted_sigma - 2 * 3.730632), 1);
}

// Answers cut downwards by a cast: the mean of 10^5 releases of 1000 is 1000. The mean has standard deviation
// sd / sqrt(n); seven of them are exceeded with probability below 1e-11.
bool mean_is_right(const AnyMeasurement& noise, Int128 exact, double standard_error) {
  constexpr std::size_t kRuns = 100'000;
  double sum = 0;
  for (const Int128 y : check::releases(noise, exact, kRuns, random::Source::this_thread())) {
    sum += static_cast<double>(y - exact);
  }
  return std::abs(sum / kRuns) < 7 * standard_error / std::sqrt(kRuns);
}
TEST(NoiseHoles, Hole52MeansAreUnbiased) {
  for (const check::Family& family : check::families(10)) {
    if (family.name == "truncated geometric") continue;  // cut on purpose
    const double standard_error = *family.noise.error(1000)->standard_error;
    EXPECT_TRUE(mean_is_right(family.noise, 1000, standard_error)) << family.name;
    EXPECT_TRUE(mean_is_right(family.noise, -1001, standard_error)) << family.name;
  }
}
TEST(NoiseHoles, PlantedTruncatingCastIsCaught) {  // noise in tenths of a step, cut instead of rounded
  const AnyMeasurement inner = make_discrete_laplace({}, 10).any();
  EXPECT_FALSE(mean_is_right(planted([inner](const Data& data, random::Source& source) -> Data {
                               Integers tenths = as<Integers>(data);
                               for (Int128& x : tenths) x *= 10;
                               tenths = out_of(inner, tenths, source);
                               for (Int128& x : tenths) x /= 10;
                               return tenths;
                             }),
                             1000, 1.414));
}

}  // namespace
}  // namespace dither::mechanisms
