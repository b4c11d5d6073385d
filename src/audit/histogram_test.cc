#include "audit/histogram.h"

#include <cmath>

#include "audit/testers_check.h"

namespace dither::audit {
namespace {

// Spec: T-49, W-69
TEST(Histogram, PlantedBugsAreCaughtAndTwinsPass) { EXPECT_GE(caught(histogram), 10); }

// Spec: T-35, T-49
TEST(Histogram, RarelyRejectsWhatIsTight) { EXPECT_TRUE(rarely_rejects(histogram)); }

// The published failure probability is (1 + e^(2 epsilon)) / (n (tol - sqrt(m / n) (1 + e^(2 epsilon)))^2): its tolerance
// at a given failure is never below ours.
// Spec: T-49
TEST(Histogram, ToleratesNoMoreThanThePublishedTest) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    for (const double cells : {2.0, 20.0, 1000.0}) {
      for (const double failure : {0.05, 1e-6}) {
        const double n = 100'000, spread = 1 + std::exp(2 * epsilon);
        const double published = std::sqrt(cells / n) * spread + std::sqrt(spread / (n * failure));
        const double ours = histogram_tolerance(static_cast<std::int64_t>(cells), 100'000, epsilon, failure);
        EXPECT_LE(ours, published) << epsilon << ' ' << cells << ' ' << failure;
      }
    }
  }
}

// Two samples of one law at epsilon 0: the whole slack is bias and chance. The tolerance holds, and half of it does not.
// False alarm 1e-6 of the first; the bias alone is more than half of the tolerance here, so the second fails surely.
TEST(Histogram, ToleranceHoldsWhereNothingLeaks) {
  const random::DiscreteLaplace law(100);
  constexpr int kRuns = 20'000, kCells = 400;
  std::vector<double> a(kCells), b(kCells);
  for (int i = 0; i < kRuns; ++i) {
    ++a[static_cast<std::size_t>(std::clamp<Int128>(law.draw(random::Source::this_thread()) + 200, 0, kCells - 1))];
    ++b[static_cast<std::size_t>(std::clamp<Int128>(law.draw(random::Source::this_thread()) + 200, 0, kCells - 1))];
  }
  double sum = 0;
  for (int i = 0; i < kCells; ++i)
    sum += std::max(0.0, a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]) / kRuns;
  EXPECT_LE(sum, histogram_tolerance(kCells, kRuns, 0, 1e-6));
  EXPECT_GT(sum, histogram_tolerance(kCells, kRuns, 0, 1e-6) / 2);
}

// Noise scaled by the true count, one row against two. The event |x| > 1.7 has probabilities .18 and .034: at epsilon 1 the
// excess is .09, and the slack of 400,000 runs below .03. False alarm 1e-6.
// Spec: T-47
TEST(Histogram, PlantedDataDependentScaleIsCaught) {
  Effort effort = check_effort();
  effort.certify = 400'000;
  EXPECT_EQ(histogram(data_dependent_scale(64 / 2), effort).verdict, Verdict::violated);
  EXPECT_EQ(histogram(data_dependent_scale(64), effort).verdict, Verdict::none_found);
}

// Spec: T-47
TEST(Histogram, MeansOfFixedSizePass) { EXPECT_TRUE(passes_means(histogram)); }
// Epsilon 4 and mu 4: the event "above the middle" has probability .93 or more on one side, .07 or less on the other.
// Spec: T-47
TEST(Histogram, PlantedMeansWithAQuarterOfTheNoiseAreCaught) { EXPECT_FALSE(passes_means(histogram, {1, 4})); }

}  // namespace
}  // namespace dither::audit
