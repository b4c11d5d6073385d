#include "calculus/norm_sum.h"

#include <gtest/gtest.h>

#include <random>

#include "calculus/bounding.h"
#include "calculus/bounding_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::calculus {
namespace {

using namespace bounding_check;  // NOLINT

constexpr Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed};

std::vector<Cell> nine_keys(const TableDomain& table) {
  std::vector<Cell> keys;
  for (int k = 0; k < 9; ++k) {
    const bool text = table.columns[1].type == CellType::text;
    keys.push_back(text ? Cell(std::string(1, static_cast<char>('a' + k))) : Cell(std::int64_t{k}));
  }
  return keys;
}

Rational size_of(const Integers& vector, MetricKind norm) {
  return number(*distance({norm}, vector, Integers(vector.size())));
}

using IntoBall = Integers (*)(const Integers&, MetricKind, const Rational&);

// Inside the ball, no number longer than before or of the other sign, and short vectors untouched.
bool is_inside(IntoBall into_ball, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  for (int i = 0; i < 3000; ++i) {
    Integers vector(1 + engine() % 5);
    for (Int128& v : vector) v = static_cast<std::int64_t>(engine()) >> (engine() % 64);
    if (engine() % 50 == 0) vector[0] = (Int128{1} << 125) - 1;
    const Rational bound(static_cast<long>(1 + engine() % 1000), static_cast<long>(1 + engine() % 7));
    for (const MetricKind norm : {MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
      const Rational allowed = norm == MetricKind::l2 ? bound * bound : bound;
      const Integers inside = into_ball(vector, norm, bound);
      if (size_of(inside, norm) > allowed) return false;
      if (size_of(vector, norm) <= allowed && inside != vector) return false;
      for (std::size_t k = 0; k < vector.size(); ++k) {
        const Int128 a = inside[k], b = vector[k];
        if (b >= 0 ? a < 0 || a > b : a > 0 || a < b) return false;
      }
    }
  }
  return true;
}
TEST(NormSum, VectorsComeInsideTheBall) { EXPECT_TRUE(is_inside(detail::into_ball, testing::run_seed())); }
TEST(NormSum, PlantedRoundingToNearestIsCaught) {
  EXPECT_FALSE(is_inside(
      [](const Integers& vector, MetricKind norm, const Rational& bound) {
        Integers inside = detail::into_ball(vector, norm, bound);
        for (std::size_t k = 0; k < vector.size(); ++k) inside[k] += inside[k] != 0 && inside[k] != vector[k] ? 1 : 0;
        return inside;
      },
      1));
}

TEST(NormSum, ScalesExactly) {
  EXPECT_EQ(detail::into_ball({3, -4}, MetricKind::l2, 5), (Integers{3, -4}));
  EXPECT_EQ(detail::into_ball({30, -40}, MetricKind::l2, 5), (Integers{3, -4}));
  EXPECT_EQ(detail::into_ball({30, -40}, MetricKind::l1, 7), (Integers{3, -4}));
  EXPECT_EQ(detail::into_ball({30, -4}, MetricKind::linf, Rational(15, 2)), (Integers{7, -4}));
  EXPECT_EQ(detail::into_ball({1, 1}, MetricKind::l1, 1), (Integers{0, 0}));
}

// Spec: W-06, W-08, W-11, D-77
TEST(NormSum, MovesNoFurtherThanItsMapSays) {
  for (const TableDomain& table : {clean(), dirty()}) {
    for (const Metric& from : {kAdded, kReplaced, kChanged}) {
      for (const MetricKind norm : {MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
        for (const Values& values : {Values{"value", {-5, 5}}, Values{"value", {0, 7}}, Values{"value", {-3, 0}}}) {
          const auto step = make_norm_sum_by_key(table, from, nine_keys(table), values, norm, Rational(13, 2));
          EXPECT_FALSE(search(step, 50, testing::run_seed()).exceeded) << canonical_json(step.recipe());
          const AnyTransformation before = filter(table, from);
          const auto filtered =
              chain(before, make_norm_sum_by_key(table, before.to(), nine_keys(table), values, norm, 6));
          EXPECT_FALSE(search(filtered, 50, testing::run_seed()).exceeded);
        }
      }
    }
  }
}

TEST(NormSum, MapsAreAttained) {
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    for (const Values& values : {Values{"value", {-5, 5}}, Values{"value", {0, 5}}}) {
      for (const MetricKind norm : {MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
        const auto step = make_norm_sum_by_key(clean(), from, nine_keys(clean()), values, norm, 5);
        EXPECT_TRUE(search(step, 8000, 1, true).tight()) << canonical_json(step.recipe()) << metric_name(from);
      }
    }
  }
}

TEST(NormSum, PlantedOneRadiusUnderReplaceOneIsCaught) {
  const Values values{"value", {-5, 5}};
  const auto step = make_norm_sum_by_key(clean(), kReplaced, nine_keys(clean()), values, MetricKind::l1, 5);
  EXPECT_TRUE(search(with_map(step, [](const Distance& d) -> Distance { return 5 * number(d); }), 2000, 1).exceeded);
}

TEST(NormSum, Hole44OneHugeContributorMovesOneRadius) {
  Table table;
  for (std::int64_t i = 0; i < 5000; ++i) table.push_back({std::int64_t{1}, i % 9, kMax});
  const Rational big = Rational::power_of_two(62);
  const auto step =
      make_norm_sum_by_key(clean(), kAdded, nine_keys(clean()), {"value", {-big, big}}, MetricKind::l2, 90);
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)),
            (Integers{30, 30, 30, 30, 30, 29, 29, 29, 29}));  // 30 each but for rounding down
}

TEST(NormSum, Refuses) {
  const auto make = [](MetricKind norm, const Rational& bound) {
    make_norm_sum_by_key(clean(), kAdded, nine_keys(clean()), {"value", {0, 1}}, norm, bound);
  };
  EXPECT_EQ(testing::refusal([&] { make(MetricKind::cells, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([&] { make(MetricKind::symmetric, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([&] { make(MetricKind::l2, 0); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] { make(MetricKind::l2, Rational::power_of_two(63)); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] {
              make_norm_sum_by_key(clean(), kAdded, {Cell(), Cell()}, {"value", {0, 1}}, MetricKind::l2, 1);
            }),
            Code::duplicate_key);
}

TEST(NormSum, RecipeMakesTheSameStepAgain) {
  Makers makers;
  add_bounding_makers(makers);
  const auto step = make_norm_sum_by_key(clean(), kReplaced, nine_keys(clean()), {"value", {-1, 1}, Rational(1, 8)},
                                         MetricKind::l2, Rational(7, 3));
  const auto again =
      make_transformation(recipe_from_json(canonical_json(step.recipe())), step.input(), step.from(), makers);
  EXPECT_EQ(again.recipe(), step.recipe());
  for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.map(Rational(d)), step.map(Rational(d)));
}

}  // namespace
}  // namespace dither::calculus
