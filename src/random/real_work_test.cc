// What the work of a real draw tells: how often the exact stage runs, what is drawn, how long it takes.
#include <gtest/gtest.h>
#include <x86intrin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "random/detail/real_engine.h"
#include "random/real_noise.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"

namespace dither::random {
namespace {

using detail::GridValue;
using detail::RealEngine;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

std::vector<RealLaw> laws() {
  return {RealLaw::exponential(),
          RealLaw::laplace(),
          RealLaw::normal(),
          RealLaw::cauchy(),
          RealLaw::student_t(3),
          RealLaw::student_t(1 << 20),
          RealLaw::student_t(Rational(1, 10)),
          RealLaw::student_t(Rational(1, 1000)),
          RealLaw::log_normal(0, 1),
          RealLaw::student_t(Rational(3, 2)),
          RealLaw::log_normal(3, 20),
          RealLaw::log_normal(-1024, 1024),
          RealLaw::log_normal(1024, Rational(1, 1000)),
          RealLaw::log_normal(50, 10),
          RealLaw::gamma(Rational(5, 2)),
          RealLaw::gamma(1 << 20),
          RealLaw::gamma(Rational(1, 1000)),
          RealLaw::beta(2, 3),
          RealLaw::beta(1 << 20, Rational(1, 3)),
          RealLaw::beta(1 << 20, 1 << 20),
          RealLaw::beta(Rational(1, 1000), Rational(1, 1000))};
}

// The chance to be undecided is the average width of what the first stage knows, so it grows with its errors: 2^38
// times the errors must be undecided in less than 2^(38 - 45) of all draws. The bound holds with much room; should it
// be met only just, this would fail with probability one half.
TEST(RealWork, ExactStageRunsLessOftenThanTwoToMinus45) {
  constexpr int kSlack = 38;
  const long n = nightly() ? 100'000 : 1'500;
  for (const RealLaw& law : laws()) {
    for (const Rational& ratio :
         {Rational(1, 1000), Rational(1), Rational(1'000'000), Rational(1L << 40), Rational(1L << 60)}) {
      Source source = testing::seeded_source(testing::run_seed());
      const RealEngine engine(law, ratio, {.slack_bits = kSlack});
      const GridValue value(0, ratio);
      long undecided = 0;
      for (long i = 0; i < n; ++i) engine.draw(value, source, &undecided);
      EXPECT_LT(undecided, n >> (45 - kSlack)) << law.str() << " at " << ratio.str();
    }
  }
}

// Bytes a draw follow from law and scale alone where nothing is rejected.
TEST(RealWork, BytesAreFixedByLawAndScale) {
  struct Row {
    RealLaw law;
    Rational ratio;
    unsigned bytes;
  };
  const Rational million(1'000'000), huge(1L << 40);
  for (const Row& row :
       {Row{RealLaw::laplace(), 1, 8}, Row{RealLaw::laplace(), million, 10}, Row{RealLaw::laplace(), huge, 13},
        Row{RealLaw::exponential(), million, 10}, Row{RealLaw::cauchy(), million, 11}, Row{RealLaw::cauchy(), huge, 13},
        Row{RealLaw::normal(), 1, 16}, Row{RealLaw::normal(), million, 20}, Row{RealLaw::normal(), huge, 26}}) {
    Source source = testing::seeded_source(testing::run_seed());
    const RealNoise noise(row.law, row.ratio, 1);
    for (unsigned i = 1; i <= 1000; ++i) {
      noise.draw(0, source);
      ASSERT_EQ(source.bytes_used(), i * row.bytes) << row.law.str() << " at " << row.ratio.str();
    }
  }
}

// Pearson's correlation.
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

// Correlation of the cycles of single draws with |value|. |value| is cut at eight scales, so that one far draw of a
// heavy tail does not decide; the slowest hundredth (interrupts, refilled blocks) is left out, as it is independent of
// the value.
template <typename DrawOne>
double correlation_of_cycles(int n, const DrawOne& draw) {
  std::vector<double> sizes, cycles;
  for (int i = 0; i < n; ++i) {
    unsigned aux = 0;
    const std::uint64_t start = __rdtscp(&aux);
    const double size = draw();
    cycles.push_back(static_cast<double>(__rdtscp(&aux) - start));
    sizes.push_back(size);
  }
  std::vector<double> sorted = cycles;
  const auto limit = sorted.begin() + n / 100 * 99;
  std::nth_element(sorted.begin(), limit, sorted.end());
  std::vector<double> kept_sizes, kept_cycles;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (cycles[i] > *limit) continue;
    kept_sizes.push_back(sizes[i]);
    kept_cycles.push_back(cycles[i]);
  }
  return correlation(kept_sizes, kept_cycles);
}

// The standard error of r is 1 / sqrt(n): the bound is five of them nightly (0.005 at 10^6 draws), six otherwise.
int cycle_draws() { return nightly() ? 1'000'000 : 20'000; }
double cycle_bound() { return nightly() ? 0.005 : 6 / std::sqrt(cycle_draws()); }

// Spec: W-72
TEST(RealWork, CyclesDoNotFollowTheValue) {
  for (const RealLaw& law : {RealLaw::exponential(), RealLaw::laplace(), RealLaw::normal(), RealLaw::cauchy(),
                             RealLaw::student_t(3), RealLaw::log_normal(0, 1), RealLaw::gamma(Rational(5, 2)),
                             RealLaw::gamma(Rational(1, 2)), RealLaw::beta(2, 3)}) {
    const double scale = 1'000'000;
    Source source = testing::seeded_source(testing::run_seed());
    const RealEngine engine(law, 1'000'000);
    const GridValue value(0, 1'000'000);
    const double r = correlation_of_cycles(
        cycle_draws(), [&] { return std::min(static_cast<double>(magnitude(engine.draw(value, source))), 8 * scale); });
    EXPECT_LT(std::abs(r), cycle_bound()) << law.str();
    RecordProperty(law.str(), std::to_string(r));
  }
}

// The planted twin: one step of work for every quarter of the scale, as a sampler that counts upwards would take.
TEST(RealWork, PlantedWorkThatFollowsTheValueIsCaught) {
  Source source = testing::seeded_source(testing::run_seed());
  const RealEngine engine(RealLaw::laplace(), 1'000'000);
  const GridValue value(0, 1'000'000);
  const double r = correlation_of_cycles(cycle_draws(), [&] {
    const auto size = static_cast<double>(magnitude(engine.draw(value, source)));
    volatile double step = 0;
    while (step < size) step = step + 250'000;
    return size;
  });
  EXPECT_GT(std::abs(r), cycle_bound());
}

}  // namespace
}  // namespace dither::random
