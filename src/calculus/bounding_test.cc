#include "calculus/bounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/bounding_hash.h"
#include "calculus/bounding_check.h"
#include "calculus/conversions.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/specimens.h"

namespace dither::calculus {
namespace {

using namespace bounding_check;  // NOLINT

constexpr Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed}, kSymmetric{MetricKind::symmetric}, kChangeOne{MetricKind::change_one};

Row row(std::int64_t unit, std::int64_t key, std::int64_t value) { return {unit, key, value}; }

Table table_of(const Data& data) { return std::get<Table>(data); }

// How many different keys each unit has.
std::map<std::string, std::set<std::string>> keys_of(const Table& table) {
  std::map<std::string, std::set<std::string>> units;
  for (const Row& one : table) units[canonical(one[0])].insert(canonical(one[1]));
  return units;
}

TEST(UnitsChanged, CountsUnitsThatDifferOnceWhateverHappened) {
  const Table two = {row(1, 0, 0), row(2, 0, 0)};
  EXPECT_EQ(distance(kChanged, two, Table{row(1, 0, 0)}), Distance(Rational(1)));
  EXPECT_EQ(distance(kReplaced, two, Table{row(1, 0, 0)}), std::nullopt);
  EXPECT_EQ(distance(kChanged, two, Table{row(1, 0, 0), row(3, 0, 0)}), Distance(Rational(1)));
  EXPECT_EQ(distance(kChanged, two, Table{row(1, 0, 9), row(3, 0, 0)}), Distance(Rational(2)));
  EXPECT_EQ(distance(kChanged, two, Table{}), Distance(Rational(2)));
  EXPECT_EQ(neighbours_of(kChanged), accounting::Neighbours::replace_one);
  EXPECT_EQ(metric_from(metric_name(kChanged)), kChanged);
}

// Spec: W-06, W-08, D-77
TEST(KeepKeys, MovesNoMoreUnitsThanChanged) {
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    for (const TableDomain& table : {clean(), dirty()}) {
      for (const std::uint64_t keys : {1u, 2u, 3u}) {
        EXPECT_FALSE(search(make_keep_keys(table, from, keys), 400, testing::run_seed()).exceeded);
      }
    }
  }
  EXPECT_TRUE(search(make_keep_keys(clean(), kAdded, 2), 400, 1, true).tight());
  EXPECT_TRUE(search(make_keep_keys(clean(), kReplaced, 2), 400, 1, true).tight());
}

TEST(KeepKeys, MapIsTheDistanceItself) {
  const auto step = make_keep_keys(clean(), kAdded, 2);
  for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(step.map(Rational(d)), Distance(Rational(d)));
}

TEST(KeepKeys, MissingUnitsMakeItAFilter) {
  EXPECT_EQ(make_keep_keys(clean(), kReplaced, 1).to(), kReplaced);
  EXPECT_EQ(make_keep_keys(dirty(), kReplaced, 1).to(), kChanged);
  EXPECT_EQ(make_keep_keys(dirty(), kAdded, 1).to(), kAdded);
}

// What position does to the choice: a row more or less elsewhere changes which keys a unit keeps.
TEST(KeepKeys, PlantedRowNumberInTheHashIsCaught) {
  const auto planted = with_function(make_keep_keys(clean(), kAdded, 1), [](const Data& data) -> Data {
    std::map<std::string, std::pair<std::uint64_t, std::string>> best;
    const Table& table = as<Table>(data);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::pair rank(bounding_hash(unit_digest(table[i][0]), key_digest(Cell(std::int64_t(i)))),
                           canonical(table[i][1]));
      const auto [at, is_new] = best.try_emplace(canonical(table[i][0]), rank);
      if (!is_new) at->second = std::min(at->second, rank);
    }
    Table kept;
    for (const Row& one : table) {
      if (best[canonical(one[0])].second == canonical(one[1])) kept.push_back(one);
    }
    return kept;
  });
  EXPECT_TRUE(search(planted, 400, 1).exceeded);
}

// A unit with n keys keeps min(k, n) of them, and all rows of those; the kept ones are those of least hash.
bool keeps_exactly(const AnyTransformation& step, std::uint64_t k) {
  Neighbours tables(clean(), 3);
  for (int i = 0; i < 200; ++i) {
    const Table before = tables.pair(kAdded).first, after = table_of(testing::apply(step, before));
    auto had = keys_of(before);
    auto has = keys_of(after);
    for (auto& [unit, keys] : had) {
      if (has[unit].size() != std::min<std::size_t>(k, keys.size())) return false;
      const Cell whose(std::int64_t{std::stoll(unit.substr(1))});
      const auto rank = [&](const std::string& key) {
        return std::pair(bounding_hash(unit_digest(whose), bytes_digest(key)), key);
      };
      for (const std::string& key : keys) {
        for (const std::string& kept : has[unit]) {
          if (!has[unit].contains(key) && rank(key) < rank(kept)) return false;
        }
      }
    }
    const auto stays = [&](const Row& one) { return has[canonical(one[0])].contains(canonical(one[1])); };
    if (after.size() != static_cast<std::size_t>(std::count_if(before.begin(), before.end(), stays))) return false;
  }
  return true;
}

// Spec: D-77
TEST(KeepKeys, Hole51KeepsExactlyKKeys) {
  for (const std::uint64_t k : {1u, 2u, 3u, 4u, 100u}) {
    EXPECT_TRUE(keeps_exactly(make_keep_keys(clean(), kAdded, k), k)) << k;
  }
}
TEST(KeepKeys, PlantedOneKeyLessIsCaught) {
  EXPECT_FALSE(keeps_exactly(make_keep_keys(clean(), kAdded, 1), 2));
  EXPECT_FALSE(keeps_exactly(make_keep_keys(clean(), kAdded, 2), 3));
}
TEST(KeepKeys, PlantedOneKeyMoreIsCaught) {
  EXPECT_FALSE(keeps_exactly(make_keep_keys(clean(), kAdded, 2), 1));
  EXPECT_FALSE(keeps_exactly(make_keep_keys(clean(), kAdded, 4), 3));
}

// Units with the same keys: no key is dropped by everybody, and none by nobody, among 600 units with 6 keys of which
// they keep 2. A key kept by a third of the units at random is kept by 100 to 300 of them but with probability below
// 1e-20.
bool groups_differ(const AnyTransformation& step) {
  Table table;
  for (std::int64_t unit = 0; unit < 600; ++unit) {
    for (std::int64_t key = 0; key < 6; ++key) table.push_back(row(unit, key, 1));
  }
  std::map<std::string, int> kept;
  for (const Row& one : table_of(testing::apply(step, table))) ++kept[canonical(one[1])];
  return kept.size() == 6 &&
         std::all_of(kept.begin(), kept.end(), [](const auto& one) { return one.second > 100 && one.second < 300; });
}
TEST(KeepKeys, Hole20UnitsKeepDifferentKeys) { EXPECT_TRUE(groups_differ(make_keep_keys(clean(), kAdded, 2))); }
TEST(KeepKeys, PlantedSameGroupsForEverybodyIsCaught) {
  EXPECT_FALSE(groups_differ(with_function(make_keep_keys(clean(), kAdded, 2), [](const Data& data) -> Data {
    Table kept;
    for (const Row& one : as<Table>(data)) {
      if (std::get<std::int64_t>(one[1]) < 2) kept.push_back(one);
    }
    return kept;
  })));
}

// Rows of nobody go; everybody else's stay.
bool drops_rows_of_nobody(const AnyTransformation& step) {
  const Table before = {{Cell(), Cell("a"), Cell(1.0)},
                        {Cell(kNan), Cell("a"), Cell(1.0)},
                        {Cell(-0.0), Cell("a"), Cell(1.0)},
                        {Cell(kInf), Cell("a"), Cell(1.0)}};
  return table_of(testing::apply(step, before)).size() == 2;
}
TEST(KeepKeys, DropsRowsWithoutAUnit) { EXPECT_TRUE(drops_rows_of_nobody(make_keep_keys(dirty(), kAdded, 1))); }
TEST(KeepKeys, PlantedNullUnitKeptIsCaught) {
  EXPECT_FALSE(drops_rows_of_nobody(
      with_function(make_keep_keys(dirty(), kAdded, 1), [](const Data& data) -> Data { return data; })));
}

TEST(KeepKeys, NegativeZeroAndZeroAreOneUnit) {
  const Table table = {{Cell(-0.0), Cell("a"), Cell(1.0)}, {Cell(0.0), Cell("b"), Cell(1.0)}};
  EXPECT_EQ(table_of(testing::apply(make_keep_keys(dirty(), kAdded, 1), table)).size(), 1u);
}

TEST(KeepKeys, EnforcesTheFactItStates) {
  const auto step = make_keep_keys(dirty(), kAdded, 2);
  EXPECT_EQ(std::get<TableDomain>(step.output()).keys_per_unit, 2u);
  Neighbours tables(dirty(), testing::run_seed());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(member(step.output(), testing::apply(step, tables.pair(kAdded).first)));
  EXPECT_TRUE(table_of(testing::apply(step, Table{})).empty());
}

TEST(KeepKeys, Refuses) {
  EXPECT_EQ(testing::refusal([] { make_keep_keys(clean(), kAdded, 0); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_keep_keys(clean(), kSymmetric, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_keep_keys({{{"unit", CellType::integer}}}, kAdded, 1); }), Code::mixed_domains);
}

// Spec: W-06, W-08, D-77
TEST(KeepRows, MovesNoMoreUnitsThanChanged) {
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    for (const TableDomain& table : {clean(), dirty()}) {
      for (const std::uint64_t rows : {1u, 2u, 5u}) {
        const auto step = make_keep_rows(table, from, rows);
        EXPECT_EQ(step.to(), from);  // no unit vanishes
        EXPECT_FALSE(search(step, 400, testing::run_seed()).exceeded);
      }
    }
    EXPECT_TRUE(search(make_keep_rows(clean(), from, 2), 400, 1, true).tight());
    testing::expect_factor(make_keep_rows(clean(), from, 2), from, 1);
  }
}

TEST(KeepRows, PlantedFirstRowsOfTheTableIsCaught) {
  const auto planted = with_function(make_keep_rows(clean(), kAdded, 2), [](const Data& data) -> Data {
    std::map<std::string, int> seen;
    Table kept;
    for (const Row& one : as<Table>(data)) {
      if (++seen[canonical(one[0])] <= 2) kept.push_back(one);
    }
    return kept;
  });
  EXPECT_TRUE(search(planted, 400, 1).exceeded);
}

// A unit with n rows keeps min(k, n) of them, and no others; the declared limit says so.
bool keeps_exactly_rows(const AnyTransformation& step, std::uint64_t k) {
  TableDomain limited = std::get<TableDomain>(step.input());
  limited.rows_per_unit = k;
  Neighbours tables(limited, 3);
  const auto sizes = [](const Table& table) {
    std::map<std::string, std::size_t> units;
    for (const Row& one : table) ++units[canonical(one[0])];
    return units;
  };
  for (int i = 0; i < 200; ++i) {
    const Table before = tables.pair(kAdded).first, after = table_of(testing::apply(step, before));
    auto wanted = sizes(before);
    for (auto& [unit, rows] : wanted) rows = std::min<std::size_t>(rows, k);
    if (sizes(after) != wanted || !member(limited, after) || !member(step.output(), after)) return false;
    if (distance(kSymmetric, before, after) != Distance(Rational(static_cast<Int128>(before.size() - after.size())))) {
      return false;
    }
  }
  return table_of(testing::apply(step, Table{})).empty();
}

TEST(KeepRows, KeepsExactlyKRows) {
  for (const TableDomain& table : {clean(), dirty()}) {
    for (const std::uint64_t k : {1u, 2u, 3u, 100u}) {
      EXPECT_TRUE(keeps_exactly_rows(make_keep_rows(table, kAdded, k), k)) << k;
    }
  }
}
TEST(KeepRows, PlantedOneRowMoreIsCaught) {
  EXPECT_FALSE(keeps_exactly_rows(make_keep_rows(clean(), kAdded, 3), 2));
  EXPECT_FALSE(keeps_exactly_rows(make_keep_rows(clean(), kAdded, 2), 3));
}

// The limit that a proof uses is enforced, not declared: without keep-rows there is no way from units to rows.
// Spec: W-08, D-77
TEST(KeepRows, UnitsBecomeKRows) {
  EXPECT_EQ(testing::refusal([] { make_units_to_symmetric(clean(), kAdded); }), Code::mixed_domains);
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    const auto keep = make_keep_rows(clean(), from, 3);
    const auto rows = chain(keep, make_units_to_symmetric(keep.output(), from));
    testing::expect_factor(rows, kSymmetric, from == kAdded ? 3 : 6);
    EXPECT_FALSE(search(rows, 400, testing::run_seed()).exceeded);
    EXPECT_TRUE(search(rows, 4000, 1, true).tight());
  }
}

TEST(KeepRows, NeverWidensALimit) {
  TableDomain table = clean();
  table.rows_per_unit = 2;
  table.keys_per_unit = 1;
  table.rows = 9;
  const auto step = make_keep_rows(table, kAdded, 5);
  EXPECT_EQ(std::get<TableDomain>(step.output()).rows_per_unit, 2u);
  EXPECT_EQ(std::get<TableDomain>(step.output()).keys_per_unit, 1u);
  EXPECT_FALSE(std::get<TableDomain>(step.output()).rows.has_value());
}

TEST(KeepRows, Refuses) {
  EXPECT_EQ(testing::refusal([] { make_keep_rows(clean(), kAdded, 0); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_keep_rows(clean(), kSymmetric, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_keep_rows({}, kAdded, 1); }), Code::mixed_domains);
}

// Rows by key: how far the truncated tables are when one row is added, over every small table of `most` rows at one
// key.
Rational farthest(const AnyTransformation& step, int most) {
  Rational far = 0;
  for (int n = 0; n < most; ++n) {
    Table table;
    for (int i = 0; i < n; ++i) table.push_back(row(i, 0, i));
    for (int added = 0; added < 20; ++added) {
      Table more = table;
      more.push_back(row(100 + added, 0, 0));
      far = std::max(far, number(*distance(kSymmetric, testing::apply(step, table), testing::apply(step, more))));
    }
  }
  return far;
}

// Spec: W-08
TEST(Truncate, OneRowMovesTwoOrTau) {
  const TableDomain table = clean();
  for (const std::uint64_t tau : {1u, 2u, 5u}) {
    const auto keep = make_truncate(table, kSymmetric, "key", tau, Excess::keep_by_hash);
    const auto drop = make_truncate(table, kSymmetric, "key", tau, Excess::drop_all);
    EXPECT_EQ(keep.map(Rational(1)), Distance(Rational(2)));
    EXPECT_EQ(drop.map(Rational(3)), Distance(Rational(3 * static_cast<long>(tau))));
    EXPECT_EQ(farthest(keep, 10), Rational(2)) << tau;
    EXPECT_EQ(farthest(drop, 10), Rational(static_cast<long>(tau))) << tau;
  }
}

// Random tables, rows added, removed and replaced.
bool stays_within_map(const AnyTransformation& step, std::uint64_t seed) {
  Neighbours tables(clean(), seed);
  for (int i = 0; i < 300; ++i) {
    Table x = tables.pair(kAdded).first, y = x;
    for (int changes = 1 + tables.below(3); changes > 0; --changes) {
      const Table other = tables.pair(kAdded).first;
      if (other.empty() || y.empty()) continue;
      if (step.from() == kSymmetric) y.push_back(other[0]);
      if (step.from() == kChangeOne) y[static_cast<std::size_t>(tables.below(static_cast<int>(y.size())))] = other[0];
    }
    const auto in = distance(step.from(), x, y);
    const auto out = distance(step.to(), testing::apply(step, x), testing::apply(step, y));
    if (!at_most(*out, step.map(*in))) return false;
  }
  return true;
}
// Spec: D-77
TEST(Truncate, MovesNoFurtherThanItsMapSays) {
  for (const Metric& from : {kSymmetric, kChangeOne}) {
    for (const Excess excess : {Excess::keep_by_hash, Excess::drop_all}) {
      for (const std::uint64_t tau : {1u, 3u}) {
        EXPECT_TRUE(stays_within_map(make_truncate(clean(), from, "key", tau, excess), testing::run_seed()));
      }
    }
  }
}
TEST(Truncate, PlantedOnePerRowIsCaught) {
  const auto same = [](const Distance& d) { return d; };
  EXPECT_FALSE(stays_within_map(with_map(make_truncate(clean(), kSymmetric, "key", 3, Excess::keep_by_hash), same), 1));
  EXPECT_FALSE(stays_within_map(with_map(make_truncate(clean(), kSymmetric, "key", 3, Excess::drop_all), same), 1));
}

TEST(Truncate, UnitsBecomeRowsAndAreForgotten) {
  TableDomain table = clean();
  table.rows_per_unit = 16;  // what rows_of gives at most
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    const auto step = make_truncate(table, from, "key", 2, Excess::keep_by_hash);
    EXPECT_EQ(step.map(Rational(1)), Distance(Rational(from == kAdded ? 32 : 64)));
    EXPECT_EQ(step.to(), kSymmetric);
    EXPECT_FALSE(std::get<TableDomain>(step.output()).rows_per_unit.has_value());
    EXPECT_FALSE(std::get<TableDomain>(step.output()).keys_per_unit.has_value());
    EXPECT_FALSE(search(step, 200, testing::run_seed()).exceeded);
  }
}

// A row of the table decides alone where it stands in the order: equal rows are interchangeable, order means nothing.
TEST(Truncate, OrderOfRowsMeansNothing) {
  const auto step = make_truncate(clean(), kSymmetric, "key", 2, Excess::keep_by_hash);
  Neighbours tables(clean(), testing::run_seed());
  for (int i = 0; i < 50; ++i) {
    Table x = tables.pair(kAdded).first, y(x.rbegin(), x.rend());
    EXPECT_EQ(distance(kSymmetric, testing::apply(step, x), testing::apply(step, y)), Distance(Rational(0)));
  }
}

TEST(Truncate, Refuses) {
  EXPECT_EQ(testing::refusal([] { make_truncate(clean(), kSymmetric, "key", 0, Excess::drop_all); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_truncate(clean(), kSymmetric, "no", 1, Excess::drop_all); }), Code::unknown_key);
  EXPECT_EQ(testing::refusal([] { make_truncate(clean(), kAdded, "key", 1, Excess::drop_all); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_truncate(clean(), {MetricKind::l1}, "key", 1, Excess::drop_all); }),
            Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { excess_from("some"); }), Code::unknown_key);
}

TEST(Bounding, RecipesMakeTheSameStepAgain) {
  Makers makers;
  add_bounding_makers(makers);
  for (const AnyTransformation& step : {make_keep_keys(clean(), kReplaced, 7), make_keep_rows(clean(), kChanged, 5),
                                        make_truncate(clean(), kChangeOne, "key", 3, Excess::drop_all),
                                        make_truncate(clean(), kSymmetric, "value", 3, Excess::keep_by_hash)}) {
    const Recipe recipe = recipe_from_json(canonical_json(step.recipe()));
    const auto again = make_transformation(recipe, step.input(), step.from(), makers);
    EXPECT_EQ(again.recipe(), step.recipe());
    for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.map(Rational(d)), step.map(Rational(d)));
  }
}

}  // namespace
}  // namespace dither::calculus
