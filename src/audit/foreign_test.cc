#include "audit/foreign.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "audit/tester.h"
#include "base/error.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Two-sided geometric noise of this scale: whole numbers, so that no bits leak.
ForeignInput geometric(int input, double scale) {
  const auto bits = std::make_shared<std::mt19937_64>(testing::run_seed() + static_cast<std::uint64_t>(input));
  return {std::to_string(input), [=](std::int64_t runs) {
            std::geometric_distribution<int> side(1 - std::exp(-1 / scale));
            std::vector<RunValue> values;
            for (std::int64_t i = 0; i < runs; ++i) {
              values.push_back({.cells = {static_cast<double>(input + side(*bits) - side(*bits))}});
            }
            return values;
          }};
}

ForeignInput failing(const std::string& status) {
  return {"x", [=](std::int64_t runs) {
            return std::vector<RunValue>(static_cast<std::size_t>(runs), RunValue{.status = status});
          }};
}

void no_refusal(const std::string& status) { throw Error{Code::bad_source, "failed in every run: " + status, "-"}; }

LearntTarget target(const ForeignInput& first, const ForeignInput& second) {
  return learn_target("a mechanism", {{first, second}}, Promise::pure(Rational(1)), {}, no_refusal);
}

Report tested(double scale, const std::string& tester) {
  Effort effort = foreign_effort(20'000, seconds(600));
  effort.false_alarm = 1e-6;
  return test_foreign(target(geometric(0, scale), geometric(1, scale)), {tester}, effort).at(0);
}

TEST(Foreign, RightNoiseIsNotCalledViolated) {  // false alarm <= 1e-6 each
  for (const char* const tester : {"likelihood", "dp-sniper"}) {
    const Report report = tested(1, tester);
    EXPECT_EQ(report.verdict, Verdict::none_found) << tester;
    EXPECT_EQ(report.target, "a mechanism");
  }
}

TEST(Foreign, PlantedHalfScaleIsCaught) {
  for (const char* const tester : {"likelihood", "dp-sniper"}) {
    EXPECT_EQ(tested(0.5, tester).verdict, Verdict::violated) << tester;
  }
}

TEST(Foreign, FailingInEveryRunIsRefused) {
  EXPECT_EQ(testing::refusal([] { target(failing("exit status 3"), failing("exit status 3")); }), Code::bad_source);
  const std::vector<std::string> names = target(failing("exit status 3"), geometric(1, 1)).names;
  EXPECT_EQ(names.at(1), "number 1");  // tells the inputs apart: no refusal
}

TEST(Foreign, BatchesGrowWhileTheyAreShortAndShrinkWhenTheyAreLong) {
  BatchSize batch;
  EXPECT_EQ(batch.runs(), 8);
  for (int i = 0; i < 20; ++i) batch.took(milliseconds(1));
  EXPECT_EQ(batch.runs(), 10'000);
  batch.took(milliseconds(500));
  EXPECT_EQ(batch.runs(), 10'000);
  for (int i = 0; i < 20; ++i) batch.took(seconds(2));
  EXPECT_EQ(batch.runs(), 1);
}

TEST(Foreign, FailuresAreCountedAndSaid) {
  Tally tally;
  tally.see({{}, {.status = "ValueError"}, {.status = "TypeError"}});
  EXPECT_EQ(tally.runs, 3);
  EXPECT_EQ(tally.failed, 2);
  std::vector<Report> reports(1);
  note_failures(tally, reports);
  EXPECT_EQ(reports[0].notes.at(0), "2 of 3 runs failed, searches included, the first of them: ValueError");
  note_failures({}, reports);
  EXPECT_EQ(reports[0].notes.size(), 1);
}

TEST(Foreign, NamesStandForTesters) {
  EXPECT_EQ(testers_named("likelihood"), std::vector<std::string>{"likelihood"});
  EXPECT_EQ(testers_named("stat-dp"), std::vector<std::string>{"stat-dp"});
  EXPECT_EQ(testers_named("all").size(), all_testers().size() + 1);
  EXPECT_EQ(testing::refusal([] { testers_named("best"); }), Code::bad_argument);
}

}  // namespace
}  // namespace dither::audit
