#include "random/real_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "random/detail/real_engine.h"
#include "random/real_cdf.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using detail::GridValue;
using detail::RealEngine;
using detail::RealPrecision;
using testing::Tape;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

std::vector<RealLaw> laws() {
  return {RealLaw::exponential(),
          RealLaw::laplace(),
          RealLaw::normal(),
          RealLaw::cauchy(),
          RealLaw::student_t(3),
          RealLaw::student_t(Rational(1, 2)),
          RealLaw::log_normal(Rational(-1, 2), Rational(3, 4)),
          RealLaw::gamma(Rational(5, 2)),
          RealLaw::gamma(Rational(1, 3)),
          RealLaw::beta(2, Rational(7, 2)),
          RealLaw::beta(Rational(1, 2), Rational(1, 5))};
}

// --- Every string of bits: the law is computed, not sampled. ---

struct Enumerated {
  testing::TapeLaw law;
  long runs = 0;
  long undecided = 0;  // by the first stage
};

Enumerated enumerate(const RealLaw& law, const Rational& value, const Rational& ratio, RealPrecision precision,
                     int depth) {
  const RealEngine engine(law, ratio, precision);
  const GridValue place(value, ratio);
  Enumerated result;
  result.law = testing::enumerate(
      [&](Tape& tape) {
        ++result.runs;
        return engine.draw(place, tape, &result.undecided);
      },
      depth);
  return result;
}

void expect_law(const RealLaw& law, const Rational& value, const Rational& ratio, RealPrecision precision, int depth,
                double unresolved) {
  const Enumerated e = enumerate(law, value, ratio, precision, depth);
  const testing::Pmf pmf = [&](Int128 k, long bits) { return rounded_real_pmf(law, value, ratio, k, bits); };
  EXPECT_TRUE(testing::follows(e.law, pmf, -40, 40)) << law.str() << " at " << ratio.str();
  EXPECT_LT(e.law.unresolved_share(), unresolved) << law.str() << " at " << ratio.str();
  EXPECT_LT(e.undecided, e.runs) << "the first stage never decided";
}

// Spec: W-70, D-68, F-43
TEST(RealNoise, OneUniformLawsOnEveryTape) {
  for (const Rational& ratio : {Rational(1, 2), Rational(1), Rational(7, 3)}) {
    for (const Rational& value : {Rational(0), Rational(-7, 3)}) {
      expect_law(RealLaw::exponential(), value, ratio, {.prefix_bits = 8, .step_bits = 4}, 20, 1e-3);
      expect_law(RealLaw::laplace(), value, ratio, {.prefix_bits = 8, .step_bits = 4}, 20, 1e-3);
      // Near its pole, where grid points crowd, no finite tape decides.
      expect_law(RealLaw::cauchy(), value, ratio, {.prefix_bits = 8, .step_bits = 2}, 14, 5e-2);
    }
  }
  expect_law(RealLaw::laplace(), 0, 1, {.prefix_bits = 16, .step_bits = 4}, 24, 1e-4);
}

// Spec: F-52
TEST(RealNoise, TwoUniformLawsOnEveryTape) {
  for (const RealLaw& law : {RealLaw::normal(), RealLaw::student_t(3), RealLaw::log_normal(0, Rational(1, 2))}) {
    expect_law(law, 0, 1, {.prefix_bits = 6, .step_bits = 1}, nightly() ? 20 : 14, 0.16);
  }
}

TEST(RealNoise, PlantedHalfScaleIsCaughtOnEveryTape) {
  const Enumerated e = enumerate(RealLaw::laplace(), 0, Rational(1, 2), {.prefix_bits = 8, .step_bits = 8}, 24);
  const testing::Pmf pmf = [](Int128 k, long bits) { return rounded_real_pmf(RealLaw::laplace(), 0, 1, k, bits); };
  EXPECT_FALSE(testing::follows(e.law, pmf, -40, 40));
}

// --- The fast stage and the exact one are two programs for one number. ---

// Two streams of bits: what is drawn at first, and what only undecided draws take, recognised by its odd size. So a
// draw that takes more does not shift the next one.
class TwoStreams {
 public:
  static constexpr int kStep = 61;
  explicit TwoStreams(std::uint64_t seed) : main_(testing::seeded_source(seed)), more_(testing::seeded_source(~seed)) {}
  std::uint64_t bits(int count) { return count == kStep ? more_.bits(count) : main_.bits(count); }

 private:
  Source main_;
  Source more_;
};

// Spec: D-68
TEST(RealNoise, FirstStageAgreesWithArbitraryPrecision) {
  constexpr int kAll = 127, kSome = 44;  // errors so large that every draw, or some, are undecided at first
  constexpr int n = 60;
  for (const RealLaw& law : laws()) {
    for (const Rational& ratio : {Rational(1, 1000), Rational(3), Rational(1'000'003, 7), Rational(1L << 60)}) {
      const RealEngine fast(law, ratio, {.step_bits = TwoStreams::kStep});
      const RealEngine some(law, ratio, {.slack_bits = kSome, .step_bits = TwoStreams::kStep});
      const RealEngine slow(law, ratio, {.slack_bits = kAll, .step_bits = TwoStreams::kStep});
      TwoStreams a(testing::run_seed()), b(testing::run_seed()), c(testing::run_seed());
      long undecided = 0, never = 0;
      for (int i = 0; i < n; ++i) {
        const GridValue value(Rational(i, 3), ratio);
        const Int128 expected = fast.draw(value, a, &never);
        ASSERT_EQ(expected, slow.draw(value, b, &undecided)) << law.str() << " at " << ratio.str() << ", draw " << i;
        ASSERT_EQ(expected, some.draw(value, c)) << law.str() << " at " << ratio.str() << ", draw " << i;
      }
      EXPECT_GE(undecided, n) << law.str();
      EXPECT_EQ(never, 0) << law.str();
    }
  }
}

// --- Two independent statistical tests per law: cells against exact probabilities, and the largest distance. ---

using Draw = std::function<Int128()>;

// Cells cut at value + ratio * z for z spread over the law; both tests at false alarm 5e-10, together 1e-9.
bool cells_fit(const RealLaw& law, const Rational& value, const Rational& ratio, int n, const Draw& draw) {
  std::vector<Int128> ends;  // cell i holds ends[i-1] <= k < ends[i]
  for (int z = -80; z <= 80; ++z) {
    const Int128 end = (value + ratio * Rational(z, 10) + Rational(1, 2)).ceil();
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  std::vector<double> probabilities;
  BigInterval before(128);
  for (const Int128 end : ends) {
    const BigInterval upto = real_cdf(law, (Rational(end) - Rational(1, 2) - value) / ratio, 128);
    probabilities.push_back((upto - before).high_double());
    before = upto;
  }
  probabilities.push_back((BigInterval(1, 128) - before).high_double());
  for (double& p : probabilities) p = std::max(p, 0.0);
  std::vector<std::int64_t> counts(ends.size() + 1);
  for (int i = 0; i < n; ++i) {
    ++counts[static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), draw()) - ends.begin())];
  }
  return testing::chi_square_accepts(counts, probabilities, 5e-10) && testing::ks_accepts(counts, probabilities, 5e-10);
}

int sample_size() { return nightly() ? 2'000'000 : 20'000; }

Draw shipped(const RealLaw& law, const Rational& value, const Rational& ratio, RealPrecision precision = {}) {
  auto engine = std::make_shared<RealEngine>(law, ratio, precision);
  const std::shared_ptr<Source> source(new Source(testing::seeded_source(testing::run_seed())));  // it cannot move
  return [engine, source, place = GridValue(value, ratio)] { return engine->draw(place, *source); };
}

// Spec: W-70, F-43, F-52
TEST(RealNoise, CellsFollowEveryLaw) {
  const Rational value(1, 3);
  for (const RealLaw& law : laws()) {
    for (const Rational& ratio : {Rational(5, 2), Rational(1'000'000), Rational(1L << 60)}) {
      EXPECT_TRUE(cells_fit(law, value, ratio, sample_size() / 2, shipped(law, value, ratio)))
          << law.str() << " at " << ratio.str();
    }
  }
}

// The exact stage alone, with few bits at first and few at a time.
TEST(RealNoise, CellsFollowEveryLawWhenDecidedLate) {
  const Rational ratio(5, 2);
  for (const RealLaw& law : laws()) {
    const RealPrecision late{.prefix_bits = 5, .slack_bits = 0, .step_bits = 3};
    EXPECT_TRUE(cells_fit(law, 0, ratio, sample_size() / 20, shipped(law, 0, ratio, late))) << law.str();
  }
}

TEST(RealNoise, PlantedHalfScaleIsCaught) {
  for (const RealLaw& law : laws()) {
    const Rational ratio(1'000'000);
    EXPECT_FALSE(cells_fit(law, 0, ratio, sample_size(), shipped(law, 0, ratio / 2))) << law.str();
  }
}

TEST(RealNoise, PlantedSignBiasIsCaught) {
  // One negative draw in eight turns positive: the distribution function is off by 1/16 at 0, where .0235 is refused, with
  // a deviation of .0035. One in sixteen slipped through about once in a hundred runs.
  const Draw fair = shipped(RealLaw::laplace(), 0, 1000);
  Source coins = testing::seeded_source(testing::run_seed() + 1);
  const Draw biased = [&] {
    const Int128 k = fair();
    return coins.bits(3) == 0 && k < 0 ? -k : k;
  };
  EXPECT_FALSE(cells_fit(RealLaw::laplace(), 0, 1000, sample_size(), biased));
}

// At a large scale the last digits of a Laplace draw are uniform up to 1 / scale. False alarm 1e-9.
bool last_digits_are_uniform(const Draw& draw) {
  constexpr int kCells = 16;
  std::vector<std::int64_t> counts(kCells);
  for (int i = 0; i < sample_size(); ++i) ++counts[static_cast<std::size_t>(magnitude(draw()) % kCells)];
  return testing::chi_square_accepts(counts, std::vector<double>(kCells, 1.0 / kCells), 1e-9);
}

// Spec: D-68
TEST(RealNoise, LastDigitsAreUniformAtLargeScales) {
  for (const RealLaw& law : {RealLaw::laplace(), RealLaw::normal(), RealLaw::cauchy(), RealLaw::gamma(2)}) {
    EXPECT_TRUE(last_digits_are_uniform(shipped(law, 0, Rational(1L << 60)))) << law.str();
  }
}

TEST(RealNoise, PlantedFloatRoundingIsCaught) {
  // The textbook's Laplace on doubles: its results lie on the doubles' own grid, which shows in the last digits.
  Source source = testing::seeded_source(testing::run_seed());
  const Draw naive = [&] {
    const double u = (static_cast<double>(source.word() >> 11) + 0.5) * 0x1p-53;
    return static_cast<Int128>(std::ldexp(-std::log(u), 60));
  };
  EXPECT_FALSE(last_digits_are_uniform(naive));
}

// --- The face of the room. ---

TEST(RealNoise, FillAddsNoiseToEveryIndex) {
  Source one = testing::seeded_source(5), other = testing::seeded_source(5);
  const Rational grid(1, 100);
  const RealNoise noise(RealLaw::normal(), 3, grid);
  std::vector<Int128> values = {0, 7, -12'345, Int128{1} << 100};
  std::vector<Int128> expected;
  for (const Int128 v : values) expected.push_back(noise.draw(Rational(v) * grid, one));
  noise.fill(values, other);
  EXPECT_EQ(values, expected);
  EXPECT_NE(values[0], 0);
  EXPECT_NE(values[3], Int128{1} << 100);
}

TEST(RealNoise, OneDrawWithFreshParameters) {
  Source one = testing::seeded_source(5), other = testing::seeded_source(5);
  EXPECT_EQ(rounded_real(RealLaw::cauchy(), Rational(22, 7), 10, Rational(1, 8), one),
            RealNoise(RealLaw::cauchy(), 10, Rational(1, 8)).draw(Rational(22, 7), other));
}

TEST(RealNoise, StopsAtTheEndsOf128Bits) {
  Source source = testing::seeded_source(testing::run_seed());
  const RealNoise noise(RealLaw::exponential(), Rational(1L << 60), 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(noise.draw(Rational(kInt128Max), source), kInt128Max);
    EXPECT_LT(noise.draw(Rational(kInt128Min), source), kInt128Min + (Int128{1} << 68));
  }
  // A law whose draws are mostly far beyond: both ends are reached, and nothing wraps to the middle.
  const RealNoise far(RealLaw::student_t(Rational(1, 1000)), Rational(1L << 60), 1);
  const int ends = static_cast<int>(testing::count(1000, [&] {
    const Int128 k = far.draw(0, source);
    return k == kInt128Max || k == kInt128Min;
  }));
  EXPECT_GT(ends, 800);  // 0.95 of all draws; 800 or fewer with probability below 1e-60
}

// Z < ln 2 with probability one half decides between two points, though the noise is a thousandth of a grid step.
TEST(RealNoise, SmallestScaleStillDecides) {
  const Rational ratio(1, 1000);
  const Rational value = Rational(1, 2) - ratio * Rational::from_double(0.6931471805599453);
  Source source = testing::seeded_source(testing::run_seed());
  const RealNoise noise(RealLaw::exponential(), ratio, 1);
  const auto ups = testing::count(sample_size(), [&] { return noise.draw(value, source) == 1; });
  EXPECT_TRUE(testing::binomial_accepts(ups, sample_size(), 0.5, 1e-9));
}

// On the edge between two points positive noise always goes up, however small it is, and does so at once.
TEST(RealNoise, NoiseOfOneSignDecidesOnTheEdge) {
  Source source = testing::seeded_source(testing::run_seed());
  for (const RealLaw& law : {RealLaw::gamma(Rational(1, 1000)), RealLaw::beta(Rational(1, 1000), 1)}) {
    const RealEngine engine(law, Rational(1, 4));
    long undecided = 0;
    for (int i = 0; i < 200; ++i) {
      if (law.kind == RealLaw::Kind::beta) {
        EXPECT_EQ(engine.draw(GridValue(Rational(1, 2), Rational(1, 4)), source, &undecided), 1);
        EXPECT_EQ(engine.draw(GridValue(Rational(1, 4), Rational(1, 4)), source, &undecided), 0);  // stays below 1/2
      } else {
        EXPECT_GE(engine.draw(GridValue(Rational(1, 2), Rational(1, 4)), source, &undecided), 1);
      }
    }
    EXPECT_EQ(undecided, 0);
  }
}

Code code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::bad_argument;
}

// Spec: D-71
TEST(RealNoise, RefusesBadScalesGridsAndValues) {
  const auto make = [](const Rational& scale, const Rational& grid) {
    return code_of([&] { RealNoise(RealLaw::laplace(), scale, grid); });
  };
  EXPECT_EQ(make(0, 1), Code::bad_scale);
  EXPECT_EQ(make(-1, 1), Code::bad_scale);
  EXPECT_EQ(make(1, 0), Code::bad_grid);
  EXPECT_EQ(make(1, -1), Code::bad_grid);
  EXPECT_EQ(make(Rational(1, 1001), 1), Code::bad_scale);
  EXPECT_EQ(make(Rational::power_of_two(60) + 1, 1), Code::bad_scale);
  EXPECT_EQ(make(Rational::power_of_two(-3000), 1), Code::bad_scale);
  EXPECT_EQ(make(1, Rational::power_of_two(-61)), Code::bad_scale);
  Source source = testing::seeded_source(1);
  const RealNoise noise(RealLaw::laplace(), 1, 1);
  // A value beyond 128 bits stops at their end and does not fail: whether it does would tell that it is there.
  EXPECT_GT(noise.draw(Rational::power_of_two(200), source), kInt128Max - (Int128{1} << 80));
  EXPECT_LT(noise.draw(-Rational::power_of_two(200), source), kInt128Min + (Int128{1} << 80));
}

}  // namespace
}  // namespace dither::random
