#include "testing/stability.h"

#include <gtest/gtest.h>

#include "audit/members.h"
#include "calculus/detail/access.h"
#include "testing/printers.h"
#include "testing/seed.h"

namespace dither::testing {
namespace {

using namespace calculus;  // NOLINT

// The number of rows, with a map and a function as given.
AnyTransformation counting(AnyTransformation::Map map, AnyTransformation::Function function) {
  return AnyTransformation({
      .recipe = {"counting"},
      .input = TableDomain{{{"x", CellType::real}}},
      .output = VectorDomain{1, 1, Bounds{0, 1000}},
      .from = {MetricKind::symmetric},
      .to = {MetricKind::l1},
      .map = std::move(map),
      .function = std::move(function),
  });
}
Data count(const Data& data) { return Integers{static_cast<Int128>(std::get<Table>(data).size())}; }
Distance same(const Distance& d) { return d; }

TEST(Stability, AcceptsWhatHoldsAndSeesThatItIsTight) {
  const StabilityReport report = check_stability(counting(same, count), run_seed());
  EXPECT_TRUE(report.holds());
  EXPECT_TRUE(report.tight_at_one);
  EXPECT_EQ(report.largest_ratio, Rational(1));
  EXPECT_GT(report.pairs, stability_pairs() / 2);
}

TEST(Stability, SeesThatALooseMapIsLoose) {
  const auto twice = [](const Distance& d) -> Distance { return 2 * number(d); };
  const StabilityReport report = check_stability(counting(twice, count), run_seed());
  EXPECT_TRUE(report.holds());
  EXPECT_FALSE(report.tight);
  EXPECT_EQ(report.largest_ratio, Rational(1, 2));
}

TEST(Stability, PlantedMapThatIsTooSmallIsCaught) {
  const auto half = [](const Distance& d) -> Distance { return number(d) / Rational(2); };
  EXPECT_TRUE(is_caught(counting(half, count)));
}

TEST(Stability, PlantedOutputOutsideItsDomainIsCaught) {
  const auto below_zero = [](const Data& data) -> Data { return Integers{-std::get<Integers>(count(data))[0]}; };
  EXPECT_TRUE(is_caught(counting(same, below_zero)));
}

TEST(Stability, PlantedOrderDependenceIsCaught) {
  const auto first = [](const Data& data) -> Data {
    const Table& table = std::get<Table>(data);
    return Integers{!table.empty() && std::holds_alternative<double>(table[0][0]) ? 1 : 0};
  };
  EXPECT_TRUE(is_caught(counting(same, first)));
}

TEST(Stability, PlantedFailureOnOneValueIsCaught) {
  const auto throws = [](const Data& data) -> Data {
    for (const Row& row : std::get<Table>(data)) {
      if (std::holds_alternative<std::monostate>(row[0])) throw std::runtime_error("a NULL");
    }
    return count(data);
  };
  EXPECT_TRUE(is_caught(counting(same, throws)));
}

// Neighbours are members, as far apart as was asked for or less, in every metric between tables.
TEST(Members, NeighboursAreSoManyStepsAway) {
  TableDomain domain{{{"who", CellType::integer}, {"x", CellType::real}}};
  domain.rows_per_unit = 3;
  for (const MetricKind kind :
       {MetricKind::symmetric, MetricKind::change_one, MetricKind::insert_delete, MetricKind::hamming,
        MetricKind::units_added, MetricKind::units_replaced, MetricKind::units_changed}) {
    audit::Members members(domain, {kind}, run_seed());
    int as_asked = 0;
    for (int i = 0; i < 300; ++i) {
      const Data x = members.member();
      const Data y = members.neighbour(x, 2);
      ASSERT_TRUE(member(domain, x) && member(domain, y)) << metric_name({kind});
      const auto d = distance({kind}, x, y);
      ASSERT_TRUE(d && number(*d) <= Rational(2)) << metric_name({kind});
      EXPECT_EQ(number(*distance({kind}, x, members.same(x))), Rational(0));
      as_asked += number(*d) == Rational(2) ? 1 : 0;
    }
    EXPECT_GT(as_asked, 30) << metric_name({kind});
  }
}

}  // namespace
}  // namespace dither::testing
