#include "base/roots.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/directed.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::uint64_t apart(const Turn& turn) {
  return steps_between(std::min(turn.fails, turn.holds), std::max(turn.fails, turn.holds));
}

double any_double() {
  const double x = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isfinite(x) ? x : 1.0;
}

RC_GTEST_PROP(Roots, TurnIsFoundToTheDouble, ()) {
  const double threshold = any_double();
  int calls = 0;
  const auto reached = [&](double x) { return ++calls, x >= threshold; };
  const Turn turn = find_turn(reached, -kInfinity, kInfinity);
  RC_ASSERT(turn.holds == threshold);
  RC_ASSERT(turn.fails == steps_down(threshold, 1));
  RC_ASSERT(calls <= 66);
}

RC_GTEST_PROP(Roots, FallingConditionsTurnToo, ()) {
  const double threshold = any_double();
  const Turn turn = find_turn([&](double x) { return x <= threshold; }, kInfinity, -kInfinity);
  RC_ASSERT(turn.holds == threshold);
  RC_ASSERT(turn.fails == steps_up(threshold, 1));
}

RC_GTEST_PROP(Roots, RootKeepsItsPromiseInFewSteps, ()) {
  const double power = *rc::gen::element(0.2, 1.0, 3.0, 9.0);
  const double target = std::ldexp(1 + *rc::gen::inRange(0, 1 << 30) * 0x1p-30, *rc::gen::inRange(-60, 60));
  const bool falls = *rc::gen::arbitrary<bool>();
  int calls = 0;
  const auto f = [&](double x) { return ++calls, std::pow(x, falls ? -power : power); };
  const Turn turn = falls ? find_root(f, target, kMax, 1e-300) : find_root(f, target, 0, kMax);
  RC_ASSERT(calls <= 200);
  RC_ASSERT(f(turn.fails) < target);
  RC_ASSERT(f(turn.holds) >= target);
  RC_ASSERT(apart(turn) == 1u);
}

TEST(Roots, SmoothFunctionsTakeAboutTenEvaluations) {
  int calls = 0;
  const Turn turn = find_root([&](double x) { return ++calls, exp_up(x); }, 2, 0, 1);
  EXPECT_NEAR(turn.holds, std::log(2.0), 1e-14);
  EXPECT_EQ(apart(turn), 1u);
  EXPECT_LE(calls, 16);
}

TEST(Roots, FlatAndJumpingFunctionsEndToo) {
  int calls = 0;
  const auto jump = [&](double x) { return ++calls, x < 0x1p-500 ? -kMax : 1e-300; };
  const Turn turn = find_root(jump, 0, -1, 1e300);
  EXPECT_EQ(turn.holds, 0x1p-500);
  EXPECT_LE(calls, 200);
  const auto infinite = [](double x) { return x < 3 ? -kInfinity : kInfinity; };
  EXPECT_EQ(find_root(infinite, 0, -kInfinity, kInfinity).holds, 3);
}

// Twin: a finder that returns the midpoint of a bracket 1e-12 wide is right to twelve digits and safe half of the time.
TEST(Roots, PlantedMidpointIsOnTheWrongSide) {
  const auto planted = [](double target) {
    double low = 0, high = 10;
    while (high - low > 1e-12) (((low + high) / 2) * ((low + high) / 2) >= target ? high : low) = (low + high) / 2;
    return (low + high) / 2;
  };
  int unsafe = 0;
  int unsafe_here = 0;
  for (int target = 2; target < 50; ++target) {
    const auto square = [](double x) { return x * x; };
    unsafe += square(planted(target)) < target;
    unsafe_here += square(find_root(square, target, 0, 10).holds) < target;
  }
  EXPECT_GT(unsafe, 0);
  EXPECT_EQ(unsafe_here, 0);
}

TEST(Roots, RefusesWhatDoesNotBracket) {
  const auto positive = [](double x) { return x > 0; };
  const auto same = [](double x) { return x; };
  EXPECT_EQ(refusal([&] { find_turn(positive, 1, 2); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_turn(positive, -2, -1); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_turn(positive, 1, -1); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_turn(positive, 1, 1); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_turn(positive, kNaN, 1); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_root(same, 5, 6, 7); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_root(same, 5, 1, 2); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_root(same, 5, -kInfinity, kNaN); }), Code::bad_bracket);
  EXPECT_EQ(refusal([&] { find_root(same, kNaN, 1, 2); }), Code::bad_number);
  EXPECT_EQ(refusal([&] { find_root([](double x) { return std::sqrt(x); }, 1, -1, 4); }), Code::bad_number);
}

}  // namespace
}  // namespace dither
