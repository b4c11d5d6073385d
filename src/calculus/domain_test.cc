#include "calculus/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
const double kNan = std::nan("");
const Cell kNull = std::monostate();

// Spec: W-05
TEST(Domain, ProbesAreTakenAsDeclared) {
  const Column any{"x", CellType::real};
  for (const Cell& cell : {Cell(kNan), Cell(kInf), Cell(-kInf), Cell(-0.0), kNull}) EXPECT_TRUE(member(any, cell));
  Column finite{"x", CellType::real, false, true};
  for (const Cell& cell : {Cell(kNan), Cell(kInf), Cell(-kInf), kNull}) EXPECT_FALSE(member(finite, cell));
  EXPECT_TRUE(member(finite, Cell(-0.0)));
  // Bounds hold for numbers: an infinity is beyond them, a NaN is no number.
  Column bounded{"x", CellType::real, true, false, bounds(0, 1)};
  EXPECT_TRUE(member(bounded, Cell(-0.0)));
  EXPECT_TRUE(member(bounded, Cell(kNan)));
  EXPECT_FALSE(member(bounded, Cell(kInf)));
  EXPECT_FALSE(member(bounded, Cell(std::nextafter(1.0, 2.0))));
  EXPECT_FALSE(member(bounded, Cell(-5e-324)));
  const Column whole{"n", CellType::integer, false, false, bounds(Rational(-5), 5)};
  EXPECT_FALSE(member(whole, Cell(kLeast)));
  EXPECT_TRUE(member(Column{"n", CellType::integer}, Cell(kLeast)));
  EXPECT_FALSE(member(whole, Cell(1.0)));
  EXPECT_FALSE(member(whole, Cell(true)));
  EXPECT_FALSE(member(whole, Cell("1")));
}

// Spec: W-05
TEST(Domain, CategoriesGoByCanonicalBytes) {
  const Column sign{"s", CellType::real, false, false, {}, {Cell(0.0), Cell(kNan)}};
  EXPECT_TRUE(member(sign, Cell(-0.0)));
  EXPECT_TRUE(member(sign, Cell(-kNan)));
  EXPECT_FALSE(member(sign, Cell(1.0)));
  EXPECT_FALSE(member(sign, Cell(std::int64_t{0})));
}

// Spec: W-05
TEST(Domain, VectorsAndKeysHaveTheirFacts) {
  const Domain vector = VectorDomain{2, 1, bounds(0, 10)};
  EXPECT_TRUE(member(vector, Integers{0, 10}));
  EXPECT_FALSE(member(vector, Integers{0, 11}));
  EXPECT_FALSE(member(vector, Integers{0}));
  EXPECT_FALSE(member(vector, Reals{0, 1}));
  EXPECT_FALSE(member(Domain(VectorDomain{1, 1, bounds(0, 1)}), Integers{std::numeric_limits<Int128>::min()}));
  const Domain reals = RealsDomain{1, true, bounds(0, 1)};
  for (const double x : {kNan, kInf, -kInf, 2.0}) EXPECT_FALSE(member(reals, Reals{x}));
  EXPECT_TRUE(member(reals, Reals{-0.0}));
  EXPECT_TRUE(member(Domain(RealsDomain{1, false, bounds(0, 1)}), Reals{kNan}));
  EXPECT_FALSE(member(Domain(RealsDomain{1, false, bounds(0, 1)}), Reals{kInf}));
  const Domain keys = KeyedDomain{std::vector<std::string>{"a", "b"}};
  EXPECT_TRUE(member(keys, Keyed{{"a", "b"}, {1, 2}}));
  EXPECT_FALSE(member(keys, Keyed{{"a"}, {1}}));
  for (const Keyed& keyed : {Keyed{{"b", "a"}, {1, 2}}, Keyed{{"a", "a"}, {1, 2}}, Keyed{{"a"}, {1, 2}}}) {
    EXPECT_FALSE(member(Domain(KeyedDomain{}), keyed));
  }
}

TEST(Domain, LimitsPerUnitAreCounted) {
  const std::int64_t unit = 7;
  TableDomain domain{{{"unit", CellType::integer}, {"key", CellType::text}}};
  domain.rows_per_unit = 2;
  domain.keys_per_unit = 1;
  EXPECT_TRUE(member(Domain(domain), Table{{unit, "a"}, {unit, "a"}, {unit + 1, "b"}}));
  EXPECT_FALSE(member(Domain(domain), Table{{unit, "a"}, {unit, "a"}, {unit, "a"}}));
  EXPECT_FALSE(member(Domain(domain), Table{{unit, "a"}, {unit, "b"}}));
  EXPECT_FALSE(member(Domain(domain), Table{{unit}}));
  domain.rows = 3;
  EXPECT_FALSE(member(Domain(domain), Table{{unit, "a"}}));
  TableDomain bare;  // rows without a cell have no unit of their own: they are all one unit's
  bare.rows_per_unit = 1;
  EXPECT_FALSE(member(Domain(bare), Table{{}, {}}));
}

TEST(Domain, NoneIsRefused) {
  EXPECT_EQ(refusal([] { bounds(1, 0); }), Code::bad_bounds);
  EXPECT_EQ(refusal([] { bounds(1, 1); }), std::nullopt);
  const Bounds reversed{1, 0};
  EXPECT_EQ(refusal([&] { require_domain(VectorDomain{1, 1, reversed}); }), Code::bad_bounds);
  EXPECT_EQ(refusal([&] { require_domain(RealsDomain{1, true, reversed}); }), Code::bad_bounds);
  EXPECT_EQ(refusal([&] {
              require_domain(TableDomain{{{"x", CellType::real, true, false, reversed}}});
            }),
            Code::bad_bounds);
  EXPECT_EQ(refusal([&] {
              require_domain(TablesDomain{{TableDomain{{{"x", CellType::real, true, false, reversed}}}}});
            }),
            Code::bad_bounds);
  EXPECT_EQ(refusal([] { require_domain(VectorDomain{1, 0}); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { require_domain(KeyedDomain{{}, Rational(-1)}); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { require_domain(KeyedDomain{std::vector<std::string>{"a", "a"}}); }), Code::duplicate_key);
  EXPECT_EQ(refusal([] { TableDomain{}.column("x"); }), Code::unknown_key);
}

// Members of small random domains, and whether a wider domain has them all: implies() may say no too often, never yes.
rc::Gen<Column> columns() {
  return rc::gen::exec([] {
    Column column{"x", CellType::real, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    if (*rc::gen::arbitrary<bool>()) {
      const int low = *rc::gen::inRange(-1, 2);
      column.bounds = bounds(low, *rc::gen::inRange(low, 3));
    }
    if (*rc::gen::inRange(0, 4) == 0) column.categories = {Cell(double(*rc::gen::inRange(-1, 2))), Cell(kNan)};
    return column;
  });
}

const std::vector<Cell>& probes() {
  static const std::vector<Cell> all = {kNull,      Cell(kNan), Cell(kInf),  Cell(-kInf), Cell(-0.0),
                                        Cell(-1.0), Cell(1.0),  Cell(2.0),   Cell(0.5),   Cell(-2.0),
                                        Cell(3.0),  Cell(true), Cell(kLeast)};
  return all;
}

bool sound(bool (*says)(const Domain&, const Domain&), const Domain& narrow, const Domain& wide) {
  if (!says(narrow, wide)) return true;
  for (const Cell& cell : probes()) {
    if (member(narrow, Table{{cell}}) && !member(wide, Table{{cell}})) return false;
  }
  return true;
}

// Spec: W-05
RC_GTEST_PROP(Domain, ImpliedDomainsHaveAllMembers, ()) {
  const TableDomain narrow{{*columns()}}, wide{{*columns()}};
  RC_ASSERT(sound(implies, narrow, wide));
  RC_ASSERT(implies(Domain(narrow), Domain(narrow)));
}

TEST(Domain, PlantedForgottenNullIsCaught) {
  const auto forgets = [](const Domain& narrow, const Domain& wide) {
    Domain nullable = wide;
    for (Column& column : std::get<TableDomain>(nullable).columns) column.nullable = true;
    return implies(narrow, nullable);
  };
  EXPECT_FALSE(sound(forgets, TableDomain{{{"x", CellType::real, true}}}, TableDomain{{{"x", CellType::real, false}}}));
}

// Spec: W-05
TEST(Domain, ImpliesGoesFactByFact) {
  const Domain any = VectorDomain{}, one = VectorDomain{1}, half = VectorDomain{1, Rational(1, 2)};
  EXPECT_TRUE(implies(one, any));
  EXPECT_FALSE(implies(any, one));
  EXPECT_FALSE(implies(half, one));
  EXPECT_FALSE(implies(one, Domain(RealsDomain{1})));
  const Domain narrow = VectorDomain{1, 1, bounds(0, 1)}, wide = VectorDomain{1, 1, bounds(Rational(-1), 1)};
  EXPECT_TRUE(implies(narrow, wide));
  EXPECT_FALSE(implies(wide, narrow));
  EXPECT_FALSE(implies(one, narrow));
  TableDomain two, three;
  two.rows_per_unit = 2, three.rows_per_unit = 3;
  EXPECT_TRUE(implies(Domain(two), Domain(three)));
  EXPECT_FALSE(implies(Domain(three), Domain(two)));
  EXPECT_FALSE(implies(Domain(TableDomain{}), Domain(two)));
  EXPECT_FALSE(implies(Domain(RealsDomain{}), Domain(RealsDomain{{}, true})));
  EXPECT_FALSE(implies(Domain(KeyedDomain{}), Domain(KeyedDomain{std::vector<std::string>{}})));
  EXPECT_FALSE(implies(Domain(TablesDomain{{{}, {}}}), Domain(TablesDomain{{{}}})));
}

TEST(Domain, IsToldInWords) {
  TableDomain table{{{"unit", CellType::text}}};
  table.rows_per_unit = 2;
  EXPECT_EQ(describe(table), "a table of 1 columns, at most 2 rows per unit");
  EXPECT_EQ(describe(VectorDomain{3, Rational(1, 10), bounds(0, 9)}), "3 integers in steps of 1/10 in [0, 9]");
  EXPECT_EQ(describe(RealsDomain{}), "any number of reals");
  EXPECT_EQ(describe(KeyedDomain{}), "numbers by private keys in steps of 1");
}

}  // namespace
}  // namespace dither::calculus
