#include "engine/detail/bounding.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>

#include "base/error.h"
#include "engine/bounding_check.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

using detail::Connection;
using detail::Database;
using detail::run_bounding;
using testing::PlanRow;
using testing::PlanRows;
using testing::reference_exact;

detail::DatabaseOptions options() {
  detail::DatabaseOptions result;
  result.threads = 2;
  return result;
}

Limits limits_of(unsigned threads, std::uint64_t memory = std::uint64_t{2} << 30) {
  Limits limits;
  limits.threads = threads;
  limits.memory = memory;
  return limits;
}

std::vector<std::string> bytes_of(const std::vector<std::vector<Cell>>& keys) {
  std::vector<std::string> bytes;
  for (const auto& key : keys) bytes.push_back(canonical(key));
  return bytes;
}

int rounds(int usual) { return std::getenv("DITHER_NIGHTLY") != nullptr ? 100 * usual : usual; }

class Bounding : public ::testing::Test {
 protected:
  testing::ExactNumbers run(const plan::BoundedAggregate& aggregate, const Limits& limits,
                            const std::string& rows = "SELECT * FROM t") {
    return by_key(aggregate, run_bounding(database_, rows, aggregate, limits, {}));
  }

  Database database_{options()};
  Connection connection_{database_};
};

// Spec: D-77
TEST_F(Bounding, AgreesWithTheReferenceOnRandomRows) {
  Samples samples(testing::run_seed());
  for (int i = 0; i < rounds(100); ++i) {
    const Samples::Sample sample = samples.sample(samples.below(4) == 0 ? 600 : 60);
    ASSERT_TRUE(detail::bounding_takes(sample.aggregate));
    fill(connection_, "t", sample.types, sample.rows);
    const auto found =
        run_bounding(database_, "SELECT * FROM t", sample.aggregate, limits_of(1 + static_cast<unsigned>(i % 2)), {});
    ASSERT_EQ(by_key(sample.aggregate, found), reference_exact(sample.rows, sample.aggregate)) << "round " << i;
    const std::vector<std::string> keys = bytes_of(found.keys);
    if (sample.aggregate.public_keys) {
      ASSERT_EQ(keys, bytes_of(*sample.aggregate.public_keys));
    } else {
      ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    }
  }
}

// So little memory that every batch of rows is spilled, and partitions are split and made partial sums.
TEST_F(Bounding, AgreesWithTheReferenceWhereNothingFits) {
  Samples samples(testing::run_seed() + 1);
  for (int i = 0; i < rounds(12); ++i) {
    const Samples::Sample sample = samples.sample(3000);
    fill(connection_, "t", sample.types, sample.rows);
    const auto expected = reference_exact(sample.rows, sample.aggregate);
    for (const std::uint64_t memory : {std::uint64_t{1} << 6, std::uint64_t{1} << 12, std::uint64_t{1} << 18}) {
      ASSERT_EQ(run(sample.aggregate, limits_of(2, memory)), expected) << "round " << i << ", " << memory << " bytes";
    }
  }
}

// Twins: the comparison with the reference finds what a careless operator would do.
class Planted : public Bounding {
 protected:
  using Bug = std::function<testing::ExactNumbers(const PlanRows&, const plan::BoundedAggregate&)>;
  bool is_caught(const Bug& careless) {
    Samples samples(1);
    for (int i = 0; i < 40; ++i) {
      const Samples::Sample sample = samples.sample(200);
      fill(connection_, "t", sample.types, sample.rows);
      if (run(sample.aggregate, limits_of(2)) != careless(sample.rows, sample.aggregate)) return true;
    }
    return false;
  }
};

TEST_F(Planted, KeyBoundOffByOneIsCaught) {
  EXPECT_TRUE(is_caught([](const PlanRows& rows, plan::BoundedAggregate aggregate) {
    ++aggregate.keys_per_unit;
    return reference_exact(rows, aggregate);
  }));
}

TEST_F(Planted, NullUnitKeptIsCaught) {
  EXPECT_TRUE(is_caught([](PlanRows rows, const plan::BoundedAggregate& aggregate) {
    for (PlanRow& row : rows) {
      if (row[aggregate.unit()].index() == 0) row[aggregate.unit()] = std::string("nobody");
    }
    return reference_exact(rows, aggregate);
  }));
}

TEST_F(Planted, ClampAfterTheSumIsCaught) {
  EXPECT_TRUE(is_caught([](const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
    plan::BoundedAggregate loose = aggregate;
    for (Measure& measure : loose.measures) {
      measure.total_low = -(Int128{1} << 100);
      measure.total_high = Int128{1} << 100;
    }
    testing::ExactNumbers numbers = reference_exact(rows, loose);
    for (auto& [key, of_key] : numbers) {
      for (std::size_t i = 0; i < aggregate.measures.size(); ++i) {
        of_key[i] = std::clamp(of_key[i], aggregate.measures[i].total_low, aggregate.measures[i].total_high);
      }
    }
    return numbers;
  }));
}

// Scaling and allocation, one mistake after the other.
TEST_F(Planted, CutsThatAreWrongAreCaught) {
  using testing::Careless;
  for (const Careless careless : {Careless::rounds_up, Careless::breaks_ties_by_bytes, Careless::allocates_too_much,
                                  Careless::allocates_before_limit, Careless::scales_by_all_rows,
                                  Careless::clamps_what_is_scaled, Careless::forgets_dropped_keys}) {
    EXPECT_TRUE(is_caught([&](const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
      return reference_exact(rows, aggregate, careless);
    })) << static_cast<int>(careless);
  }
  EXPECT_FALSE(is_caught([](const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
    return reference_exact(rows, aggregate, Careless::nothing);
  }));
}

// A unit that keeps the first keys it has, as a hash of the row's place would do, differs already when rows are turned round.
TEST_F(Planted, ChoiceByPlaceIsCaught) {
  const auto first_keys = [](const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
    std::map<std::string, std::set<std::string>> keys_of;
    PlanRows kept;
    for (const PlanRow& row : rows) {
      const std::vector<Cell> key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate.keys));
      std::set<std::string>& keys = keys_of[canonical(row[aggregate.unit()])];
      if (keys.size() < aggregate.keys_per_unit) keys.insert(canonical(key));
      if (keys.count(canonical(key)) != 0) kept.push_back(row);
    }
    return reference_exact(kept, aggregate);
  };
  EXPECT_TRUE(is_caught(first_keys));
  Samples samples(testing::run_seed());
  for (int i = 0; i < 20; ++i) {
    Samples::Sample sample = samples.sample(200);
    fill(connection_, "t", sample.types, sample.rows);
    const auto found = run(sample.aggregate, limits_of(2));
    std::reverse(sample.rows.begin(), sample.rows.end());
    fill(connection_, "t", sample.types, sample.rows);
    EXPECT_EQ(run(sample.aggregate, limits_of(2)), found);
  }
}

// Units and keys so that 64 keys are not enough for bits, more keys than a unit keeps, and every number of rows of a unit.
TEST_F(Bounding, ManyKeysAgreeWithTheReference) {
  const std::vector<Type> types{Type::integer, Type::integer, Type::integer};
  Samples samples(testing::run_seed() + 2);
  for (const std::uint64_t most : {1, 3, 9, 30}) {
    plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, most, {counted(2), summed(2, 0, 100, 2)}};
    PlanRows rows;
    for (std::int64_t unit = 0; unit < 90; ++unit) {
      for (std::int64_t i = 0; i < unit; ++i) {
        const auto value = static_cast<std::int64_t>(samples.below(120)) - 10;
        rows.push_back({static_cast<std::int64_t>(samples.below(200)), unit, value});
      }
    }
    fill(connection_, "t", types, rows);
    EXPECT_EQ(run(aggregate, limits_of(2)), reference_exact(rows, aggregate)) << most;
    EXPECT_EQ(run(aggregate, limits_of(2, 4096)), reference_exact(rows, aggregate)) << most;
  }
}

// Spec: D-77
TEST_F(Bounding, KeepsTheKeysOfTheTable) {
  const std::vector<std::string> cities{"Amsterdam", "Berlin", "Bern", "Geneva", "Oslo", "Zürich"};
  const auto kept = [&](Type type, const Cell& unit) {
    const std::vector<Type> types{Type::text, type};
    PlanRows rows;
    for (const std::string& city : cities) rows.push_back({city, unit});
    fill(connection_, "t", types, rows);
    plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 3, {counted(1)}};
    std::vector<std::string> result;
    for (const auto& entry : run(aggregate, limits_of(1))) result.push_back(entry.first);
    return result;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(kept(Type::integer, std::int64_t{0}), (Names{"tAmsterdam", "tBerlin", "tOslo"}));
  EXPECT_EQ(kept(Type::integer, std::int64_t{2}), (Names{"tBern", "tOslo", "tZürich"}));
  EXPECT_EQ(kept(Type::integer, std::int64_t{3}), (Names{"tAmsterdam", "tBerlin", "tGeneva"}));
  EXPECT_EQ(kept(Type::text, std::string("a")), (Names{"tGeneva", "tOslo", "tZürich"}));
  EXPECT_EQ(kept(Type::text, std::string("b")), (Names{"tBern", "tGeneva", "tOslo"}));
}

TEST_F(Bounding, OneUnitMayHaveMostRows) {
  const std::vector<Type> types{Type::integer, Type::text, Type::integer};
  PlanRows rows;
  for (std::int64_t i = 0; i < 30'000; ++i) {
    rows.push_back({i % 7 == 0 ? i / 7 : i % 90, std::string(i % 10 == 0 ? "light" : "heavy"), i % 100});
  }
  fill(connection_, "t", types, rows);
  for (const std::uint64_t most : {3, 5000}) {
    const plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, most, {counted(20), summed(2, 0, 50, 20)}};
    const auto expected = reference_exact(rows, aggregate);
    for (const std::uint64_t memory : {std::uint64_t{1} << 12, std::uint64_t{1} << 20, std::uint64_t{1} << 30}) {
      EXPECT_EQ(run(aggregate, limits_of(2, memory)), expected) << most << ", " << memory;
    }
  }
}

// Whole numbers are read as narrow as they come; vectors may be constant, or indices into a dictionary.
TEST_F(Bounding, FormsOfColumnsMakeNoDifference) {
  const std::vector<Type> types{Type::integer, Type::text, Type::integer, Type::integer};
  PlanRows rows;
  for (std::int64_t i = 0; i < 5000; ++i)
    rows.push_back({i % 5, std::string(1, static_cast<char>('a' + i % 23)), i % 50, std::int64_t{7}});
  fill(connection_, "t", types, rows);
  plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 2, {counted(20), summed(2, 0, 40, 3), summed(3, 0, 9, 5)}};
  const auto expected = reference_exact(rows, aggregate);
  connection_.query("CREATE TABLE names AS SELECT DISTINCT c1 AS name, ascii(c1)::INTEGER AS id FROM t");
  for (const char* sql : {
           "SELECT c0::INTEGER AS c0, c1, c2::SMALLINT AS c2, c3::TINYINT AS c3 FROM t",
           "SELECT c0::UTINYINT AS c0, c1, c2::UINTEGER AS c2, c3::USMALLINT AS c3 FROM t",
           "SELECT c0::HUGEINT AS c0, c1, c2::DOUBLE AS c2, 7 AS c3 FROM t",
           "SELECT t.c0, names.name AS c1, t.c2, t.c3 FROM t JOIN names ON ascii(t.c1) = names.id",
           "SELECT * FROM t WHERE c0 < 3 UNION ALL SELECT * FROM t WHERE c0 >= 3",
           "SELECT * FROM t ORDER BY c2 DESC, c1",
       }) {
    EXPECT_EQ(run(aggregate, limits_of(2), sql), expected) << sql;
  }
}

TEST_F(Bounding, WithoutRowsThereAreZeros) {
  const std::vector<Type> types{Type::integer, Type::integer};
  fill(connection_, "t", types, {{std::int64_t{1}, Cell{}}});
  plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 2, {counted(20)}};
  EXPECT_TRUE(run(aggregate, limits_of(1)).empty());
  aggregate.public_keys = {{Cell(std::int64_t{1})}, {Cell(std::int64_t{2})}};
  EXPECT_EQ(run(aggregate, limits_of(1)), (testing::ExactNumbers{{"i1", {0, 0}}, {"i2", {0, 0}}}));
  const plan::BoundedAggregate all{rows_of({Type::integer}, 0), 0, {}, 1, {counted(20)}};
  EXPECT_EQ(run(all, limits_of(1), "SELECT c1 AS c0 FROM t"), (testing::ExactNumbers{{"", {0, 0}}}));
}

TEST_F(Bounding, RunsDoNotDisturbEachOther) {
  connection_.query("CREATE TABLE t AS SELECT i % 40 AS c0, i % 999 AS c1, i % 100 AS c2 FROM range(200000) AS r(i)");
  const plan::BoundedAggregate aggregate{
      rows_of({Type::integer, Type::integer, Type::integer}, 1), 1, {}, 3, {counted(9), summed(2, 0, 100, 9)}};
  const auto expected = run(aggregate, limits_of(2));
  std::vector<testing::ExactNumbers> found(4);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = run(aggregate, limits_of(2, std::uint64_t{1} << 20)); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, expected);
  EXPECT_EQ(
      connection_.query("SELECT 1 FROM duckdb_functions() WHERE function_name LIKE 'dither_hand_over%'").rows().size(),
      0u);
}

TEST_F(Bounding, StopsWhenAsked) {
  const plan::BoundedAggregate aggregate{rows_of({Type::integer, Type::integer}, 1), 1, {}, 3, {counted(9)}};
  const std::string endless = "SELECT i % 50 AS c0, i AS c1 FROM range(1000000000000) AS r(i)";
  Watch stopped;
  stopped.token.cancel();
  EXPECT_THROW(run_bounding(database_, endless, aggregate, limits_of(2), stopped), Cancelled);
  // Before a row comes: an aggregate below that ends never; and while rows come.
  for (const std::string& sql :
       {"SELECT c0, c1 FROM (SELECT max(c0) AS c0, max(c1) AS c1 FROM (" + endless + "))", endless}) {
    Watch watch;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      watch.token.cancel();
    });
    EXPECT_THROW(run_bounding(database_, sql, aggregate, limits_of(2, std::uint64_t{64} << 20), watch), Cancelled);
    later.join();
  }
}

TEST_F(Bounding, TellsHowFarItIs) {
  connection_.query("CREATE TABLE t AS SELECT i % 40 AS c0, i % 9999 AS c1 FROM range(300000) AS r(i)");
  const plan::BoundedAggregate aggregate{rows_of({Type::integer, Type::integer}, 1), 1, {}, 3, {counted(9)}};
  std::vector<std::uint64_t> reports;
  Watch watch;
  Progress progress(
      [&](const ProgressReport& report) {
        EXPECT_EQ(report.total, 1000u);
        reports.push_back(report.done);
      },
      watch.token, std::chrono::nanoseconds(0));
  watch.progress = &progress;
  run_bounding(database_, "SELECT * FROM t", aggregate, limits_of(2), watch);
  EXPECT_GT(reports.size(), 10u);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_EQ(reports.back(), 1000u);
}

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    return error.code();
  }
  return Code::bad_sql;
}

TEST_F(Bounding, FailsWithoutValues) {
  const plan::BoundedAggregate aggregate{rows_of({Type::integer, Type::integer}, 1), 1, {}, 3, {counted(9)}};
  const auto failed = [&](const std::string& sql, const Limits& limits) {
    return code_of([&] { run_bounding(database_, sql, aggregate, limits, {}); });
  };
  EXPECT_THROW(failed("SELECT * FROM nothing", limits_of(1)), detail::DuckDbFailure);
  try {
    failed("SELECT 1 AS c0, error('secret ' || i)::BIGINT AS c1 FROM range(10) AS r(i)", limits_of(1));
    ADD_FAILURE();
  } catch (const std::exception& failure) {
    EXPECT_EQ(std::string(failure.what()), "the database failed");
  }
  Limits nowhere = limits_of(2, 4096);
  nowhere.spill = "/no/such/folder";
  EXPECT_EQ(failed("SELECT i AS c0, i AS c1 FROM range(10000) AS r(i)", nowhere), Code::run_failed);
  // The function is gone with its transaction, and the database works on.
  EXPECT_EQ(run(aggregate, limits_of(1), "SELECT 1 AS c0, 2 AS c1").size(), 1u);
}

TEST(BoundingTakes, NumbersThatFit) {
  const auto takes = [](const Measure& measure) {
    return detail::bounding_takes({rows_of({Type::integer, Type::integer}, 0), 0, {}, 1, {measure}});
  };
  EXPECT_TRUE(takes(counted(5)));
  EXPECT_TRUE(takes(summed(1, 0, 5, 1)));
  EXPECT_FALSE(takes({MeasureKind::distinct, 1}));
  EXPECT_FALSE(takes({MeasureKind::histogram, 1}));
  Measure large = summed(1, 0, 5, 1);
  large.high = Int128{1} << 70;
  EXPECT_FALSE(takes(large));
  large.kind = MeasureKind::squares;
  large.high = Int128{1} << 43;
  EXPECT_TRUE(takes(large));  // all that require_room lets pass: the other way needs memory for a whole unit
  large.high = Int128{1} << 44;
  EXPECT_FALSE(takes(large));
}

}  // namespace
}  // namespace dither::engine
