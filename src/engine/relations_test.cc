// Relations as SQL, run by DuckDB, against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engine/detail/table_sql.h"
#include "engine/memory_check.h"
#include "engine/relation_check.h"
#include "plan/relation_sql.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

using testing::PlanRows;

std::vector<std::string> sorted_bytes(const PlanRows& rows) {
  std::vector<std::string> bytes;
  for (const testing::PlanRow& row : rows) bytes.push_back(canonical(row));
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

// The same rows, as often, whether or not the relation is in normal form.
TEST(Relations, GiveTheRowsOfTheReference) {
  const plan::Project project = plan::parse_project(every_kind("csv"), "dither.yaml");
  RandomPlans random(project, testing::run_seed());
  const int databases = std::getenv("DITHER_NIGHTLY") != nullptr ? 200 : 8;
  for (int i = 0; i < databases; ++i) {
    const testing::PlanDatabase cells = random.database(12);
    TablesInMemory tables(project, cells);
    for (int j = 0; j < 25; ++j) {
      const plan::Relation relation = random.relation(static_cast<int>(random.below(5)));
      const auto expected = sorted_bytes(testing::reference_rows(project, cells, relation));
      for (const plan::Relation& form : {relation, plan::normal_form(relation)}) {
        const std::string sql = plan::relation_sql(form, plan::Dialect::duckdb, tables.leaves());
        ASSERT_EQ(sorted_bytes(tables.rows(sql)), expected) << sql;
      }
    }
  }
}

}  // namespace
}  // namespace dither::engine
