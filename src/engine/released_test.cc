#include "engine/released.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "testing/refusal.h"

namespace dither::engine {
namespace {

using plan::Type;
using Rows = std::vector<std::vector<Cell>>;

const std::vector<Type> kTypes = {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp};

TEST(ReleasedDatabase, GivesBackWhatItWasGiven) {
  ReleasedDatabase database;
  Rows rows = {{true, std::int64_t{INT64_MIN}, 0.1, std::string("it's"), std::int64_t{-719162}, std::int64_t{-1}},
               {{}, {}, {}, {}, {}, {}},
               {false, std::int64_t{INT64_MAX}, -5e-324, std::string(), std::int64_t{2932896}, std::int64_t{0}}};
  for (std::int64_t i = 0; i < 5000; ++i) rows.push_back({i % 2 == 0, i, 0.5, std::string(40, 'x'), i, i});
  EXPECT_EQ(database.run(kTypes, rows, "SELECT * FROM released"), rows);
  EXPECT_EQ(database.run(kTypes, {}, "SELECT * FROM released"), Rows{});
}

TEST(ReleasedDatabase, EachRunHasItsOwnTable) {
  ReleasedDatabase database;
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) {
        const Rows rows = {{thread}};
        EXPECT_EQ(database.run({Type::integer}, rows, "SELECT c0 FROM released"), rows);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ReleasedDatabase, ReachesNothingElse) {
  ReleasedDatabase database;
  for (const char* sql : {"SELECT * FROM read_csv('/etc/passwd')", "COPY released TO '/dev/null'", "INSTALL httpfs",
                          "ATTACH '/dev/null'", "SET enable_external_access = true", "no SQL at all"}) {
    EXPECT_EQ(testing::refusal([&] { database.run({Type::integer}, {}, sql); }), Code::run_failed) << sql;
  }
}

}  // namespace
}  // namespace dither::engine
