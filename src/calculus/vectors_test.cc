#include "calculus/vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calculus/catalogue.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::check_stability;
using testing::expect_factor;
using testing::expect_sound;
using testing::run_seed;
using testing::Tight;

constexpr MetricKind kL1 = MetricKind::l1, kL2 = MetricKind::l2, kLinf = MetricKind::linf, kCells = MetricKind::cells;
const VectorDomain kThree{3};

Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
Integers vector_of(const AnyTransformation& step, const Data& data) {
  return std::get<Integers>(testing::apply(step, data));
}
AnyTransformation::Map times(const Rational& factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * factor; };
}
AnyTransformation::Map times_square(const Rational& factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * number(d) * factor; };
}

// Spec: W-06, W-08, W-11
TEST(VectorSteps, CoordinatesThatStayOrGo) {
  for (const MetricKind kind : {kL1, kL2, kLinf, kCells}) {
    expect_sound(make_clamp_vector(kThree, {kind}, {-1, Rational(7, 2)}), makers());
    expect_sound(make_select_coordinates(kThree, {kind}, {2, 0}), makers());
    expect_sound(make_pad(kThree, {kind}, {5, -1}), makers());
    expect_sound(make_scale(kThree, {kind}, -3), makers());
    expect_sound(make_keyed_to_vector({}, {kind}, {"ta", "i1", "n"}), makers());
    expect_sound(make_keyed_to_vector({{{"i1", "ta"}}, 2}, {kind}, {"ta", "i1", "n"}), makers());
  }
  expect_factor(make_scale(kThree, {kL1}, -3), {kL1}, 3);
  expect_factor(make_scale(kThree, {kL2}, -3), {kL2}, 9);
  expect_factor(make_scale(kThree, {kLinf}, -3), {kLinf}, 3);
  EXPECT_EQ(cells_of(make_scale(kThree, {kCells}, -3).map(CellsDistance{2, 4, 10, 3})), (CellsDistance{2, 12, 90, 9}));
}

TEST(VectorSteps, DoWhatTheySay) {
  EXPECT_EQ(vector_of(make_clamp_vector({}, {kL1}, {Rational(1, 2), 3}), Integers{-5, 2, 9}), (Integers{1, 2, 3}));
  EXPECT_EQ(vector_of(make_select_coordinates(kThree, {kL1}, {2, 0}), Integers{7, 8, 9}), (Integers{9, 7}));
  EXPECT_EQ(vector_of(make_pad({}, {kL1}, {5}), Integers{7}), (Integers{7, 5}));
  EXPECT_EQ(vector_of(make_scale({}, {kL1}, -3), Integers{kInt128Min, 2}), (Integers{kInt128Max, -6}));
  EXPECT_EQ(vector_of(make_keyed_to_vector({}, {kL1}, {"tb", "ta"}), Keyed{{"ta", "tc"}, {4, 5}}), (Integers{0, 4}));
  EXPECT_EQ(vector_of(make_prefix_sums(kThree, {kL1}, kL1), Integers{1, 2, 3}), (Integers{1, 3, 6}));
  EXPECT_EQ(vector_of(make_prefix_sums(kThree, {kL1}, kL1), Integers{kInt128Max, 2, -5}),
            (Integers{kInt128Max, kInt128Max, kInt128Max - 3}));  // exact first, then cut
  EXPECT_EQ(vector_of(make_tree_sums({5}, {kL1}, 2, kL1), Integers{1, 2, 3, 4, 5}),
            (Integers{15, 10, 5, 3, 7, 5, 1, 2, 3, 4, 5}));
  EXPECT_EQ(vector_of(make_linear_map({2}, {kL1}, {{Rational(1, 2), Rational(1, 3)}, {0, -1}}, kL1), Integers{4, 6}),
            (Integers{24, -36}));
  EXPECT_EQ(
      std::get<VectorDomain>(make_linear_map({2, 3}, {kL1}, {{Rational(1, 2), Rational(1, 3)}}, kL1).output()).step,
      Rational(1, 2));
}

TEST(VectorSteps, RefuseWhatHasNoProof) {
  const auto refusal = [](auto act) { return testing::refusal(act); };
  EXPECT_EQ(refusal([] { make_clamp_vector({}, {kL1}, {Rational(1, 3), Rational(2, 3)}); }), Code::bad_bounds);
  EXPECT_EQ(refusal([] { make_clamp_vector({}, {MetricKind::symmetric}, {0, 1}); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { make_scale({}, {kL1}, Rational(1, 2)); }), Code::bad_number);
  EXPECT_EQ(refusal([] { make_select_coordinates(kThree, {kL1}, {3}); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { make_select_coordinates(kThree, {kL1}, {1, 1}); }), Code::duplicate_key);
  EXPECT_EQ(refusal([] { make_select_coordinates({}, {kL1}, {1}); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_linear_map(kThree, {kL1}, {{1, 2}}, kL1); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_linear_map(kThree, {kL1}, {}, kL1); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_linear_map(kThree, {kL2}, {{1, 2, 3}}, kL1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { make_tree_sums(kThree, {kL1}, 1, kL1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { make_tree_sums({}, {kL1}, 2, kL1); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_tree_sums(kThree, {kL2}, 2, kL1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { make_prefix_sums(kThree, {kL2}, kL2); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { make_total({}, {kLinf}); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_reals_to_grid({1}, {kL1}, 0); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { make_reals_to_grid({}, {kL1}, 1); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_reals_to_grid({}, {kL2}, 1); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_clamp_reals({1}, {kL1}, {2, 1}); }), Code::bad_bounds);
  EXPECT_EQ(refusal([] { make_keyed_to_vector({}, {kL1}, {"ta", "ta"}); }), Code::duplicate_key);
}

const std::vector<std::vector<Rational>> kMatrix = {{1, -2, 0}, {Rational(1, 2), 3, 1}};  // times 2: 2 -4 0, 1 6 2

// Spec: W-06, W-08
TEST(LinearMap, MovesByTheLargestColumn) {
  expect_sound(make_linear_map(kThree, {kL1}, kMatrix, kL1), makers());
  expect_factor(make_linear_map(kThree, {kL1}, kMatrix, kL1), {kL1}, 10);
  const auto into_l2 = make_linear_map(kThree, {kL1}, kMatrix, kL2);
  expect_sound(into_l2, makers());
  EXPECT_EQ(number(into_l2.map(Rational(1))), Rational(52));
  EXPECT_EQ(number(into_l2.map(Rational(3))), Rational(468));
  expect_sound(make_linear_map(kThree, {kL1}, kMatrix, kLinf), makers());
  expect_factor(make_linear_map(kThree, {kL1}, kMatrix, kLinf), {kLinf}, 6);
  expect_sound(make_linear_map(kThree, {kLinf}, kMatrix, kLinf), makers());
  expect_factor(make_linear_map(kThree, {kLinf}, kMatrix, kLinf), {kLinf}, 9);
  expect_sound(make_linear_map(kThree, {kL2}, kMatrix, kL2), makers(), Tight::no);
  expect_factor(make_linear_map(kThree, {kL2}, kMatrix, kL2), {kL2}, 61);  // all squares; 10 * 9 is more
}

TEST(LinearMap, PlantedLargestColumnInL2IsCaught) {  // right from l1, wrong from l2: three columns add up
  const auto step = make_linear_map(kThree, {kL2}, {{1, 1, 1}}, kL2);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
  const auto rows = make_linear_map(kThree, {kL1}, {{1, 0, 0}, {1, 0, 0}}, kL1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(rows, times(1))));  // the largest row
}

// Spec: W-06, W-08
TEST(PrefixSums, TheFirstCoordinateIsInAll) {
  expect_sound(make_prefix_sums(kThree, {kL1}, kL1), makers());
  expect_factor(make_prefix_sums(kThree, {kL1}, kL1), {kL1}, 3);
  expect_sound(make_prefix_sums(kThree, {kL1}, kL2), makers());
  EXPECT_EQ(number(make_prefix_sums(kThree, {kL1}, kL2).map(Rational(10))), Rational(300));
  expect_sound(make_prefix_sums(kThree, {kL1}, kLinf), makers());
  expect_factor(make_prefix_sums(kThree, {kL1}, kLinf), {kLinf}, 1);
}

TEST(PrefixSums, PlantedLogarithmIsCaught) {
  const auto step = make_prefix_sums(kThree, {kL1}, kL1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(2))));
}

// Spec: W-06, W-08
TEST(Hole06, TreeL2StabilityHolds) {
  for (const std::uint64_t leaves : {1u, 2u, 5u, 8u}) {
    for (const std::uint64_t branching : {2u, 3u, 10u}) {
      const VectorDomain domain{leaves};
      expect_sound(make_tree_sums(domain, {kL1}, branching, kL1), makers());
      expect_sound(make_tree_sums(domain, {kL1}, branching, kL2), makers());
      expect_sound(make_tree_sums(domain, {kL2}, branching, kL2), makers(), leaves <= 2 ? Tight::somewhere : Tight::no);
      expect_sound(make_tree_sums(domain, {kCells}, branching, kCells), makers(), Tight::no);
    }
  }
  expect_factor(make_tree_sums({8}, {kL1}, 2, kL1), {kL1}, 4);
  EXPECT_EQ(number(make_tree_sums({8}, {kL1}, 2, kL2).map(Rational(3))), Rational(36));  // 4 levels, 3^2 each
  expect_factor(make_tree_sums({8}, {kL2}, 2, kL2), {kL2}, 15);                          // 1 + 2 + 4 + 8
  // All leaves move by one: 8 * 1 + 4 * 4 + 2 * 16 + 64 = 120 = 15 * 8, so 15 is no more than needed.
  const auto moved = vector_of(make_tree_sums({8}, {kL2}, 2, kL2), Integers(8, 1));
  Int128 squares = 0;
  for (const Int128 x : moved) squares += x * x;
  EXPECT_EQ(squares, 120);
}

TEST(Hole06, PlantedLevelsInL2IsCaught) {
  const auto step = make_tree_sums({8}, {kL2}, 2, kL2);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(4))));
  const auto linear = make_tree_sums({8}, {kL1}, 2, kL2);  // squared distances grow with d^2, not d
  EXPECT_TRUE(testing::is_caught(testing::with_map(linear, times(4))));
  EXPECT_TRUE(check_stability(testing::with_map(linear, times_square(4)), run_seed()).holds());
}

// Spec: W-06, W-08
TEST(Total, OfAllCoordinates) {
  expect_sound(make_total(kThree, {kL1}), makers());
  expect_sound(make_total({}, {kL1}), makers());
  expect_sound(make_total(kThree, {kL2}), makers(), Tight::somewhere);
  expect_sound(make_total(kThree, {kLinf}), makers());
  expect_factor(make_total(kThree, {kL1}), {kL1}, 1);
  expect_factor(make_total(kThree, {kL2}), {kL2}, 3);
  expect_factor(make_total(kThree, {kLinf}), {kLinf}, 3);
}

TEST(Total, PlantedWrappingTotalIsCaught) {
  const auto planted = testing::with_function(make_total(kThree, {kL1}), [](const Data& data) -> Data {
    UInt128 sum = 0;
    for (const Int128 x : std::get<Integers>(data)) sum += static_cast<UInt128>(x);
    return Integers{static_cast<Int128>(sum)};
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

TEST(Total, PlantedOneStableInLinfIsCaught) {
  EXPECT_TRUE(testing::is_caught(testing::with_map(make_total(kThree, {kLinf}), times(1))));
}

// Spec: W-06, W-08, W-71
TEST(Hole26, ClampedRealsHaveNoNan) {
  for (const MetricKind kind : {kL1, kL2, kLinf}) expect_sound(make_clamp_reals({2}, {kind}, {-1, 2}), makers());
  const double infinity = std::numeric_limits<double>::infinity();
  const Data clamped =
      testing::apply(make_clamp_reals({}, {kL1}, {1, 2}), Reals{std::nan(""), infinity, -infinity, 1.5});
  EXPECT_EQ(std::get<Reals>(clamped), (Reals{1, 2, 1, 1.5}));
}

TEST(Hole26, PlantedClampOfRealsThatLetsNanThroughIsCaught) {
  const auto planted = testing::with_function(make_clamp_reals({2}, {kL1}, {-1, 2}), [](const Data& data) -> Data {
    Reals x = std::get<Reals>(data);
    for (double& one : x) one = std::min(std::max(one, -1.0), 2.0);
    return x;
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-06, W-08, W-71
TEST(RealsToGrid, EachCoordinateMaySitAtAnEdge) {
  expect_sound(make_reals_to_grid({1}, {kLinf}, 1), makers());
  expect_sound(make_reals_to_grid({2}, {kLinf}, Rational(1, 3)), makers(), Tight::no);
  expect_sound(make_reals_to_grid({2}, {kL1}, 1), makers(), Tight::no);
  expect_sound(make_reals_to_grid({2}, {kL1}, Rational::power_of_two(-40)), makers(), Tight::no);
  const auto step = make_reals_to_grid({2}, {kL1}, Rational(1, 2));
  EXPECT_EQ(number(step.map(Rational(1, 100))), Rational(2));
  EXPECT_EQ(number(step.map(Rational(3))), Rational(8));
  const auto squares = make_reals_to_grid({4}, {kL2}, Rational(1, 2));
  EXPECT_EQ(number(squares.map(Rational(1))), Rational(16));        // (2 + 2)^2
  EXPECT_EQ(number(squares.map(Rational(2))), Rational(23));        // (2 sqrt(2) + 2)^2 = 23.31
  EXPECT_EQ(number(squares.map(Rational(1, 10000))), Rational(4));  // (0.02 + 2)^2 = 4.08
  expect_sound(make_reals_to_grid({2}, {kL2}, 1), makers(), Tight::no);
  expect_sound(make_reals_to_grid({2}, {kL2}, Rational(1, 3)), makers(), Tight::no);
  EXPECT_EQ(vector_of(make_reals_to_grid({}, {kLinf}, 1), Reals{0.5, 1.5, -0.5, -0.0, 2.5}), (Integers{0, 2, 0, 0, 2}));
}

// The quick way and the exact one agree: next to every half step, at sizes where doubles are coarse, and at no numbers.
TEST(RealsToGrid, IsExactNextToHalfSteps) {
  for (const Rational& step : {Rational(1), Rational(1, 100), Rational(3, 7), Rational::power_of_two(-1060)}) {
    Reals reals = {0.0, -0.0, 5e-324, 1e-310, 1e300, -1e300, 0x1p39, 0x1p41 + 0.5, 1.0 / 3.0};
    for (int k = -40; k <= 40; ++k) {
      const double half = (step * Rational(2 * k + 1, 2)).to_double_down();
      for (const double x : {half, std::nextafter(half, 9e9), std::nextafter(half, -9e9)}) reals.push_back(x);
    }
    Integers wanted;
    for (const double x : reals) {
      const Rational exact = Rational::from_double(x) / step;
      wanted.push_back(exact <= Rational(kInt128Min)   ? kInt128Min
                       : exact >= Rational(kInt128Max) ? kInt128Max
                                                       : exact.round_half_even());
    }
    EXPECT_EQ(vector_of(make_reals_to_grid({}, {kLinf}, step), reals), wanted);
  }
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(vector_of(make_reals_to_grid({}, {kLinf}, 1), Reals{std::nan(""), kInfinite, -kInfinite}),
            (Integers{0, kInt128Max, kInt128Min}));
}

TEST(RealsToGrid, PlantedCeilingIsCaught) {  // 0.5 goes to 0 and 1.5 to 2
  const auto planted = testing::with_map(make_reals_to_grid({1}, {kLinf}, 1),
                                         [](const Distance& d) -> Distance { return Rational(number(d).ceil()); });
  EXPECT_TRUE(testing::is_caught(planted));
}

}  // namespace
}  // namespace dither::calculus
