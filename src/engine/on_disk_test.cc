// Joins and DISTINCT that sort on disk, in almost no memory, against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engine/detail/on_disk.h"
#include "engine/files_check.h"
#include "engine/relation_check.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

constexpr std::uint64_t kLittle = 4096;  // bytes: a run of some 20 rows, blocks of two or three, merges of two runs

std::vector<std::string> sorted_bytes(const testing::PlanRows& rows) {
  std::vector<std::string> bytes;
  for (const testing::PlanRow& row : rows) bytes.push_back(canonical(row));
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

// The same rows, as often: NULLs, NaN, two zeros, zero bytes in texts, keys that meet nothing, keys that meet many.
// Spec: W-30
TEST(OnDisk, GivesTheRowsOfTheReference) {
  const int databases = std::getenv("DITHER_NIGHTLY") != nullptr ? 200 : 6;
  for (int i = 0; i < databases; ++i) {
    const TestFolder folder;
    const plan::Project project = plan::parse_project(every_kind("duckdb"), folder.file("dither.yaml"));
    RandomPlans random(project, testing::run_seed() + static_cast<std::uint64_t>(i));
    const testing::PlanDatabase cells = random.database(40);
    write_database(folder, project, cells);
    detail::Opened opened(project, {std::uint64_t{64} << 20, 2, ""});
    for (int j = 0; j < 15; ++j) {
      const plan::Relation relation = random.relation(static_cast<int>(random.below(5)));
      const auto expected = sorted_bytes(testing::reference_rows(project, cells, relation));
      for (const plan::Relation& form : {relation, plan::normal_form(relation)}) {
        detail::OnDisk on_disk(opened, project, {kLittle, 0, ""}, {}, form);
        const std::string sql = on_disk.rows_sql();
        ASSERT_EQ(sorted_bytes(detail::Connection(opened.database()).query(sql).rows()), expected)
            << canonical_json(form);
      }
    }
  }
}

}  // namespace
}  // namespace dither::engine
