#include "audit/lipschitz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

double sum(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double clamped_sum(std::span<const double> x) {
  double total = 0;
  for (const double value : x) total += std::clamp(value, 0.0, 1.0);
  return total;
}

// Ten rows of values on a grid that mostly lie in [0, 1]; one in 66 does not.
ProductDomain rows() {
  std::vector<double> values;
  for (int i = 0; i <= 64; ++i) values.push_back(i / 64.0);
  values.push_back(5);
  return ProductDomain(10, values);
}

// One pair in 33 shows it: 10^4 samples miss it with probability e^-300.
// Spec: W-60, T-50
TEST(Lipschitz, PlantedForgottenClampIsCaught) {
  const LipschitzReport wrong = test_lipschitz(rows(), sum, 1, 10'000, 0.05, testing::run_seed());
  ASSERT_TRUE(wrong.counterexample.has_value());
  EXPECT_LT(wrong.tried, 10'000);
  EXPECT_GT(wrong.largest, 1);
  const auto& [x, y] = *wrong.counterexample;
  EXPECT_GT(std::abs(sum(x) - sum(y)), 1);
  EXPECT_GE(std::count(x.begin(), x.end(), 0.0), 9) << "what does not matter is plain";
  const LipschitzReport right = test_lipschitz(rows(), clamped_sum, 1, 10'000, 0.05, testing::run_seed());
  EXPECT_FALSE(right.counterexample.has_value());
  EXPECT_NEAR(right.at_most_share, 3.0e-4, 1e-6);  // log 20 / 10^4
  EXPECT_LE(right.largest, 1);
}

// A function that one record moves further than c, and one that it does not.
struct Slip {
  std::string_view what;
  ProductDomain domain;
  Rational c;
  PlainFunction wrong, right;
};

constexpr double kNoRow = -1;  // where a record has none

double rows_of(std::span<const double> x) { return double(x.size()) - double(std::count(x.begin(), x.end(), kNoRow)); }
double largest(std::span<const double> x) { return *std::max_element(x.begin(), x.end()); }
double smallest(std::span<const double> x) { return *std::min_element(x.begin(), x.end()); }
// How far the numbers of rows with the values 0 to 3 are from being equal.
std::array<double, 4> off_of_equal(std::span<const double> x) {
  std::array<double, 4> off;
  for (int value = 0; value < 4; ++value)
    off[value] = std::abs(double(std::count(x.begin(), x.end(), value)) - double(x.size()) / 4);
  return off;
}
// The sum of a function of each value.
PlainFunction sum_of(double (*of)(double)) {
  return [of](std::span<const double> x) {
    double total = 0;
    for (const double value : x) total += of(value);
    return total;
  };
}

std::vector<Slip> slips() {
  using X = std::span<const double>;
  const ProductDomain unit(8, {0, 0.25, 0.5, 0.75, 1}), far(8, {0, 0.25, 0.5, 0.75, 1, 5}), some(8, {kNoRow, 0, 1});
  const PlainFunction present = sum_of([](double x) { return x == kNoRow ? 0 : x; });
  return {
      {"a clamp too wide by one", far, 1, sum_of([](double x) { return std::clamp(x, 0.0, 2.0); }), clamped_sum},
      {"a clamp on one side", ProductDomain(8, {-5, 0, 0.5, 1}), 1, sum_of([](double x) { return std::min(x, 1.0); }),
       clamped_sum},
      {"clamped after the sum", far, 1, [](X x) { return std::clamp(sum(x), 0.0, 8.0); }, clamped_sum},
      {"counts twice", unit, 1, sum_of([](double x) { return 2 * x; }), sum},
      {"squares", ProductDomain(8, {0, 0.5, 1, 1.5, 2}), 2, sum_of([](double x) { return x * x; }), sum},
      {"drops the odd row", some, 1, [](X x) { return rows_of(x) - std::fmod(rows_of(x), 2); }, rows_of},
      {"depends on the number of rows", some, 1,
       [present](X x) { return rows_of(x) == 0 ? 0 : 8 * present(x) / rows_of(x); }, present},
      {"the sum for the largest", ProductDomain(8, {0, 1, 2, 3}), 1, [](X x) { return sum(off_of_equal(x)); },
       [](X x) { return largest(off_of_equal(x)); }},
      {"depends on the order", unit, 1,
       [](X x) {
         double steps = 0;
         for (std::size_t i = 1; i < x.size(); ++i) steps += std::abs(x[i] - x[i - 1]);
         return steps;
       },
       [](X x) { return largest(x) - smallest(x); }},
      {"a median for a mean",
       unit,
       {1, 8},
       [](X x) {
         std::vector<double> sorted(x.begin(), x.end());
         std::sort(sorted.begin(), sorted.end());
         return sorted[4];
       },
       [](X x) { return sum(x) / 8; }},
      {"wraps at 2^8", ProductDomain(8, {0, 20, 40, 60}), 60,
       [](X x) { return double(static_cast<std::uint8_t>(static_cast<int>(sum(x)))); }, sum},
      {"no number at the bound", unit, 1, [](X x) { return 1 / std::sqrt(1 - x[0] * x[0]) > 2 ? std::nan("") : x[0]; },
       [](X x) { return x[0]; }},
  };
}

// What the right ones add up is exact in doubles. The share of neighbours that show it is a fiftieth at least, which
// 10,000 samples miss with probability e^-200.
// Spec: W-60, T-50, W-69
TEST(Lipschitz, PlantedFunctionsOfManyKindsAreCaught) {
  for (const Slip& slip : slips()) {
    const auto finds = [&](const PlainFunction& f) {
      return test_lipschitz(slip.domain, f, slip.c, 10'000, 0.05, testing::run_seed()).counterexample.has_value();
    };
    EXPECT_TRUE(finds(slip.wrong)) << slip.what;
    EXPECT_FALSE(finds(slip.right)) << slip.what;
  }
}

// Off the grid, sums of doubles are rounded, and a row can move them by more than 1. From 0 to 1 beside others that are
// not whole: about one pair in 700, and a third of those are rounded up; 10^5 samples miss all with probability e^-40.
TEST(Lipschitz, PlantedRoundingIsCaught) {
  std::vector<double> values;
  for (int i = 0; i <= 24; ++i) values.push_back(i / 24.0);
  const ProductDomain off_grid(10, values);
  EXPECT_TRUE(test_lipschitz(off_grid, clamped_sum, 1, 100'000, 0.05, testing::run_seed()).counterexample.has_value());
}

TEST(Lipschitz, PlantedNotANumberIsCaught) {
  const auto root = [](std::span<const double> x) { return std::sqrt(0.5 - x[0]); };
  EXPECT_TRUE(test_lipschitz({{0, 1}}, root, 10, 1000, 0.05, testing::run_seed()).counterexample.has_value());
}

// One coordinate of 1000 values and nineteen of two: all pairs but 19 in 1018 are of the large one. f moves where its first
// 35 values meet others: .066 of all pairs, which 200 samples miss with probability 1e-6. Were coordinates equally likely,
// it would be .0034, and they would miss it half of the time.
TEST(Lipschitz, PairsAreEquallyLikelyWhateverTheirCoordinate) {
  ProductDomain domain(20, {0, 1});
  for (int i = 2; i < 1000; ++i) domain[7].push_back(i);
  const auto steps = [](std::span<const double> x) { return x[7] < 35 ? 1.0 : 0.0; };
  EXPECT_TRUE(test_lipschitz(domain, steps, Rational(1, 2), 200, 0.05, testing::run_seed()).counterexample.has_value());
}

TEST(Lipschitz, RefusesWhatIsNoDomain) {
  EXPECT_EQ(testing::refusal([] { test_lipschitz({{1, 1}}, sum, 1, 10, 0.05, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { test_lipschitz({}, sum, 1, 10, 0.05, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { test_lipschitz({{1}}, sum, 1, 10, 0.05, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { test_lipschitz({{1, 2}}, sum, -1, 10, 0.05, 1); }), Code::out_of_range);
}

// Every pair of neighbours of a small domain, for a function that jumps.
// Spec: W-60
TEST(LipschitzFilter, MakesAnyFunctionLipschitzAndLeavesGoodOnesAlone) {
  const ProductDomain domain(4, {0, 1, 2});
  const auto jumps = [](std::span<const double> x) {
    return x[0] == 2 && x[1] == 2 ? 100.0 : x[2] == 1 ? std::nan("") : sum(x);
  };
  const Rational half(1, 2);
  const LipschitzFilter filter(domain, jumps, half, 0, 8), gentle(domain, clamped_sum, 1, 0, 8);
  for (int i = 0; i < 81; ++i) {
    const std::vector<double> x{double(i % 3), double(i / 3 % 3), double(i / 9 % 3), double(i / 27 % 3)};
    EXPECT_EQ(gentle(x), Rational::from_double(clamped_sum(x)));
    for (std::size_t at = 0; at < 4; ++at) {
      std::vector<double> y = x;
      y[at] = std::fmod(y[at] + 1, 3);
      EXPECT_LE(abs(filter(x) - filter(y)), half);
    }
  }
}

TEST(LipschitzFilter, RefusesWhatWouldTakeTooLong) {
  EXPECT_EQ(testing::refusal([] { LipschitzFilter(ProductDomain(40, {0, 1}), sum, 1, 0, 20); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { LipschitzFilter({{0, 1}}, sum, 0, 0, 20); }), Code::out_of_range);
  // Local: of the same large domain, few points matter when the range is short.
  const LipschitzFilter near(ProductDomain(40, {0, 1}), sum, 1, 0, 2);
  EXPECT_EQ(near(std::vector<double>(40, 1.0)), Rational(2));
}

}  // namespace
}  // namespace dither::audit
