// Any bytes are a statement and two databases that are neighbours: their numbers on DuckDB are no further apart than the
// plan says.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "sql/plans_check.h"

namespace {

using namespace dither::sql;  // NOLINT: one file

// Whether the plan holds; a statement that is refused has none.
bool holds(const std::string& relation, const std::string& statement, const std::vector<PlanDatabase>& pair) {
  RealEngine engine(relation, pair);
  Verdict verdict;
  try {
    const dither::session::PricedPlan x = engine.plan_of(statement, 0), y = engine.plan_of(statement, 1);
    judge(x, engine.numbers_of(x.exact), engine.numbers_of(y.exact), verdict);
  } catch (const dither::Error& error) {
    return error.code() != dither::Code::run_failed;
  }
  return verdict.holds;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  const bool replace = size > 0 && data[0] % 2 == 1;
  const std::size_t half = size / 2;
  RandomStatements statements{dither::testing::Choices(bytes.first(half))};
  Databases make{dither::testing::Choices(bytes.subspan(half))};
  auto [x, y] = neighbours(make, replace);
  const std::string statement = statements.next();
  if (holds(replace ? "replace-one" : "add-remove", statement, {std::move(x), std::move(y)})) return 0;
  std::fprintf(stderr, "%s\n", statement.c_str());
  std::abort();
}
