// Searches for units that count for more than their limits let, and compares the operator with the vectors of docs/bounding.md.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "engine/bounded_sql.h"
#include "engine/bounding_check.h"
#include "engine/detail/bounding_allocate.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

using testing::Careless;
using testing::PlanRows;
using testing::reference_exact;

int rounds(int usual) { return std::getenv("DITHER_NIGHTLY") != nullptr ? 100 * usual : usual; }

Cell number(std::int64_t value) { return value; }

Measure scaled(Measure measure, unsigned finer) {
  measure.cut = plan::Cut::scale;
  measure.finer = finer;
  measure.total_low *= Int128{1} << finer;
  measure.total_high *= Int128{1} << finer;
  return measure;
}

// Units whose number is a key as well, so that each key has the rows of one unit and its number is what that unit adds.
class Alone {
 public:
  explicit Alone(std::uint64_t seed) : random_(seed) {}

  void draw() {
    rows_.clear();
    unit_of_.clear();
    const auto below = [&](std::uint64_t end) { return random_() % end; };
    low_ = static_cast<std::int64_t>(below(5)) - 3;
    high_ = low_ + static_cast<std::int64_t>(below(9));
    limit_ = 1 + below(4);
    finer_ = static_cast<unsigned>(below(3) * below(9));
    const std::vector<Type> types(4, Type::integer);
    aggregate_ = {rows_of(types, 2), 2, {}, 1 + below(5), {}};
    if (below(4) != 0) aggregate_.rows_per_unit = 1 + below(9);
    const auto limit = static_cast<std::int64_t>(limit_);
    Measure all{MeasureKind::rows, 3};
    all.rows = 0;
    all.total_high = 1'000'000;
    Measure counts = counted(limit);
    counts.column = 3;
    Measure cut = counts;
    cut.kind = MeasureKind::cut_units;
    cut.total_high = 1;
    const Measure sum = summed(3, low_, high_, limit);
    aggregate_.measures = {all, counts, cut, sum, scaled(sum, finer_)};
    for (std::int64_t unit = 0; unit < 40; ++unit) {
      const std::uint64_t keys = 1 + below(6), most = 1 + below(12);
      for (std::uint64_t n = below(most * 3); n > 0; --n) {
        const auto steps = static_cast<std::uint64_t>(high_ - low_ + 3);
        const std::int64_t value = low_ - 1 + static_cast<std::int64_t>(below(steps));
        const std::vector<Cell> key{number(static_cast<std::int64_t>(below(keys))), number(unit)};
        unit_of_[canonical(key)] = unit;
        rows_.push_back({key[0], key[1], number(unit), below(6) == 0 ? Cell{} : number(value)});
      }
    }
  }

  const PlanRows& rows() const { return rows_; }
  const plan::BoundedAggregate& aggregate() const { return aggregate_; }

  // Whether no unit adds more than is allowed, nor fewer rows than it might.
  bool holds(const testing::ExactNumbers& numbers) const {
    bool holds = true;
    std::map<std::int64_t, std::pair<Int128, Int128>> of_unit;  // rows that may count, rows that do
    std::map<std::int64_t, std::uint64_t> keys;
    for (const auto& [key, unit] : unit_of_) ++keys[unit];
    for (const auto& [key, of_key] : numbers) {
      const Int128 n = of_key[0], t = of_key[1], may = std::min(n, static_cast<Int128>(limit_));
      auto& [all, given] = of_unit[unit_of_.at(key)];
      all += may;
      given += t;
      const Int128 finer = Int128{1} << finer_;
      holds = holds && 0 <= t && t <= may &&
              of_key[2] == (n > 0 && (n > t || keys[unit_of_.at(key)] > aggregate_.keys_per_unit) ? 1 : 0);
      const Int128 least = t == 0 ? 0 : std::min<Int128>(low_, t * low_);
      const Int128 largest = t == 0 ? 0 : std::max<Int128>(high_, t * high_);
      holds = holds && least <= of_key[3] && of_key[3] <= largest;
      holds = holds && t * low_ * finer <= of_key[4] && of_key[4] <= t * high_ * finer;
      if (n == t) holds = holds && of_key[4] == of_key[3] * finer;
    }
    for (const auto& [unit, rows] : of_unit) {
      const auto& [all, given] = rows;
      const auto most = aggregate_.rows_per_unit;
      holds = holds && given == (most ? std::min(all, static_cast<Int128>(*most)) : all);
    }
    return holds;
  }

 private:
  std::mt19937_64 random_;
  std::int64_t low_ = 0, high_ = 0;
  std::uint64_t limit_ = 1;
  unsigned finer_ = 0;
  PlanRows rows_;
  plan::BoundedAggregate aggregate_;
  std::map<std::string, std::int64_t> unit_of_;
};

class BoundingLimits : public ::testing::Test {
 protected:
  testing::ExactNumbers run(const plan::BoundedAggregate& aggregate, std::uint64_t memory = std::uint64_t{1} << 30) {
    Limits limits;
    limits.threads = 2;
    limits.memory = memory;
    return by_key(aggregate, detail::run_bounding(database_, "SELECT * FROM t", aggregate, limits, {}));
  }

  detail::Database database_{{}};
  detail::Connection connection_{database_};
};

// Spec: D-77
TEST_F(BoundingLimits, NoUnitAddsMoreThanItsLimits) {
  Alone alone(testing::run_seed());
  for (int i = 0; i < rounds(60); ++i) {
    alone.draw();
    fill(connection_, "t", std::vector<Type>(4, Type::integer), alone.rows());
    const testing::ExactNumbers found = run(alone.aggregate(), i % 3 == 0 ? 4096 : std::uint64_t{1} << 30);
    ASSERT_TRUE(alone.holds(found)) << "round " << i;
    ASSERT_EQ(found, reference_exact(alone.rows(), alone.aggregate())) << "round " << i;
  }
}

// The search sees what is too much by itself, without a reference.
TEST(BoundingLimitsPlanted, MoreRowsThanCountAreCaught) {
  const auto caught = [](Careless careless) {
    Alone alone(1);
    for (int i = 0; i < 40; ++i) {
      alone.draw();
      if (!alone.holds(reference_exact(alone.rows(), alone.aggregate(), careless))) return true;
    }
    return false;
  };
  EXPECT_TRUE(caught(Careless::allocates_too_much));
  EXPECT_TRUE(caught(Careless::allocates_before_limit));
  EXPECT_TRUE(caught(Careless::scales_by_all_rows));
  EXPECT_TRUE(caught(Careless::clamps_what_is_scaled));
  EXPECT_TRUE(caught(Careless::forgets_dropped_keys));
  EXPECT_FALSE(caught(Careless::nothing));
}

// Products and sums of all the width that is allowed: what is formed of them on the way stays exact.
TEST_F(BoundingLimits, TotalsAtTheEndsAreExact) {
  const std::int64_t most = std::int64_t{1} << 62;
  const std::vector<Type> types{Type::integer, Type::integer};
  PlanRows rows;
  for (std::int64_t i = 0; i < 1001; ++i) rows.push_back({number(i % 3), number(i % 7 == 0 ? -most : most - i)});
  fill(connection_, "t", types, rows);
  plan::BoundedAggregate aggregate{rows_of(types, 0), 0, {}, 1, {}};
  aggregate.measures = {scaled(summed(1, -most, most, 1), 0), summed(1, -most, most, 1),
                        scaled(summed(1, -(most >> 40), most >> 40, 1 << 10), 30), scaled(summed(1, 0, 1, 1), 62)};
  for (const Measure& measure : aggregate.measures) {
    ASSERT_TRUE(measure.cut == plan::Cut::clamp || detail::scaled_fits(measure));
  }
  EXPECT_EQ(run(aggregate), reference_exact(rows, aggregate));
  EXPECT_EQ(run(aggregate, 4096), reference_exact(rows, aggregate));
}

// One unit with most of the rows, of which few count, over more keys than memory holds: shares are worked out of what was spilled.
TEST_F(BoundingLimits, AHeavyUnitIsAllocatedWhateverIsSpilled) {
  connection_.query(
      "CREATE TABLE t AS SELECT i * i % 7919 AS c0, CASE WHEN i % 10 = 0 THEN i ELSE 7 END AS c1, i % 11 AS c2 "
      "FROM range(100000) AS r(i)");
  PlanRows rows;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    rows.push_back({number(i * i % 7919), number(i % 10 == 0 ? i : 7), number(i % 11)});
  }
  const std::vector<Type> types(3, Type::integer);
  plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 6000, {counted(9), scaled(summed(2, 0, 10, 9), 16)}};
  aggregate.measures.push_back({.kind = MeasureKind::cut_units, .column = {}, .rows = 40, .total_high = 1});
  aggregate.rows_per_unit = 5000;
  const auto expected = reference_exact(rows, aggregate);
  EXPECT_EQ(run(aggregate), expected);
  EXPECT_EQ(run(aggregate, std::uint64_t{1} << 16), expected);
}

// Largest remainder in fractions of any size.
TEST(Allocation, IsExactForAnyNumberOfRows) {
  std::mt19937_64 random(testing::run_seed());
  const auto before = [](std::size_t a, std::size_t b) { return a < b; };
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::int64_t> rows(1 + random() % 6);
    const unsigned bits = static_cast<unsigned>(random() % 60);
    Int128 all = 0;
    for (auto& one : rows) all += one = static_cast<std::int64_t>(random() >> (63 - bits));
    const auto most = static_cast<std::int64_t>(random() >> (2 + random() % 62));
    std::vector<std::pair<Rational, std::size_t>> order;
    std::vector<std::int64_t> expected = rows;
    Int128 left = most;
    for (std::size_t k = 0; all > most && k < rows.size(); ++k) {
      const Rational share = Rational(Int128{most}) * Rational(Int128{rows[k]}) / Rational(all);
      expected[k] = static_cast<std::int64_t>(share.floor());
      left -= expected[k];
      order.emplace_back(Rational(share.floor()) - share, k);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; all > most && static_cast<Int128>(k) < left; ++k) ++expected[order[k].second];
    detail::Allocation allocation;
    EXPECT_EQ(allocation.allocate(rows, most, before), all > most);
    EXPECT_EQ(rows, expected);
  }
}

// The rows of a table of docs/bounding.md: all numbers and canonical bytes of a line, in their order.
std::vector<std::vector<std::string>> vectors(const std::string& heading) {
  std::ifstream file(DITHER_SOURCE_DIR "/docs/bounding.md");
  static const std::regex word("`[^`]*`|-?[0-9]+");
  std::vector<std::vector<std::string>> table;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == "## Vectors: " + heading;
    if (!inside || !line.starts_with("| `")) continue;
    std::vector<std::string>& words = table.emplace_back();
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
      const std::string found = at->str();
      words.push_back(found.front() == '`' ? found.substr(1, found.size() - 2) : found);
    }
  }
  return table;
}

// By SQL, as other databases compute it.
testing::ExactNumbers by_sql(detail::Connection& connection, const plan::BoundedAggregate& aggregate) {
  testing::ExactNumbers numbers;
  const auto result = connection.query(bounded_sql(aggregate, plan::Dialect::duckdb, "SELECT * FROM t").numbers).rows();
  for (const std::vector<Cell>& row : result) {
    std::vector<Int128>& of_key = numbers[aggregate.keys == 0 ? "" : canonical(row[0])];
    for (std::size_t i = aggregate.keys + 1; i < row.size(); ++i) {
      of_key.push_back(parse_int128(std::get<std::string>(row[i])));
    }
    of_key.push_back(std::get<std::int64_t>(row[aggregate.keys]));
  }
  return numbers;
}

// | unit | three keys, each with its rows | rows per key | rows per unit | rows that count of each |
// Spec: D-77
TEST_F(BoundingLimits, AllocationIsTheVectorsOfTheDocument) {
  const auto table = vectors("rows that count");
  ASSERT_EQ(table.size(), 11u);
  const std::vector<Type> types{Type::text, Type::integer};
  for (const auto& words : table) {
    ASSERT_EQ(words.size(), 12u);
    const Cell unit = number(std::stoll(words[0].substr(1)));
    PlanRows rows;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::int64_t n = std::stoll(words[2 + 2 * k]); n > 0; --n)
        rows.push_back({words[1 + 2 * k].substr(1), unit});
    }
    fill(connection_, "t", types, rows);
    plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 3, {counted(std::stoll(words[7]))}};
    aggregate.rows_per_unit = std::stoull(words[8]);
    testing::ExactNumbers expected;
    for (std::size_t k = 0; k < 3; ++k) expected[words[1 + 2 * k]] = {std::stoll(words[9 + k]), 1};
    EXPECT_EQ(reference_exact(rows, aggregate), expected) << words[0];
    EXPECT_EQ(run(aggregate), expected) << words[0];
    EXPECT_EQ(by_sql(connection_, aggregate), expected) << words[0];
  }
}

// | total | rows | rows that count | finer | added |: the total is that of two values and of zeros.
TEST_F(BoundingLimits, ScaledTotalsAreTheVectorsOfTheDocument) {
  const auto table = vectors("scaled totals");
  ASSERT_EQ(table.size(), 17u);
  const std::vector<Type> types{Type::integer, Type::integer};
  for (const auto& words : table) {
    ASSERT_EQ(words.size(), 5u);
    const std::int64_t total = std::stoll(words[0]);
    PlanRows rows(static_cast<std::size_t>(std::stoull(words[1])), {number(1), number(0)});
    ASSERT_GE(rows.size(), 2u);
    rows.front()[1] = number(total / 2);
    rows.back()[1] = number(total - total / 2);
    fill(connection_, "t", types, rows);
    const Measure sum = summed(1, -(1 << 20), 1 << 20, std::stoll(words[2]));
    plan::BoundedAggregate aggregate{rows_of(types, 0), 0, {}, 1, {}};
    aggregate.measures = {scaled(sum, static_cast<unsigned>(std::stoul(words[3])))};
    const testing::ExactNumbers expected{{"", {parse_int128(words[4]), 1}}};
    EXPECT_EQ(reference_exact(rows, aggregate), expected) << words[0];
    EXPECT_EQ(run(aggregate), expected) << words[0];
    EXPECT_EQ(by_sql(connection_, aggregate), expected) << words[0];
  }
}

}  // namespace
}  // namespace dither::engine
