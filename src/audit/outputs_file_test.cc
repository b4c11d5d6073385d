#include "audit/outputs_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

#include "random/discrete_laplace.h"
#include "random/source.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

std::vector<RunValue> runs_of(const std::string& text) { return csv_runs(text, "runs.csv"); }

TEST(CsvRuns, NumbersAndWords) {
  const auto runs = runs_of("1.5, +2 ,x,nan,-Infinity,1e999,,0x1f\n");
  const std::vector<RunCell>& cells = runs.at(0).cells;
  EXPECT_EQ(cells.at(0), RunCell(1.5));
  EXPECT_EQ(cells.at(1), RunCell(2.0));
  EXPECT_EQ(cells.at(2), RunCell("x"));
  EXPECT_TRUE(std::isnan(std::get<double>(cells.at(3))));
  EXPECT_EQ(cells.at(4), RunCell(-HUGE_VAL));
  EXPECT_EQ(cells.at(5), RunCell(HUGE_VAL));
  EXPECT_EQ(cells.at(6), RunCell(""));
  EXPECT_EQ(cells.at(7), RunCell("0x1f"));
  EXPECT_EQ(runs_of("1\n\n2\n").size(), 3);  // a run that said nothing
}

Effort careful() {
  Effort effort;
  effort.false_alarm = 1e-6;
  effort.seed = testing::run_seed();
  return effort;
}

// So many counts of 10 (or 11) people with exact Laplace noise.
std::vector<RunValue> counts(int people, const Rational& scale, int runs) {
  const random::DiscreteLaplace law(scale);
  std::vector<RunValue> values;
  for (int i = 0; i < runs; ++i) {
    values.push_back({.cells = {people + static_cast<double>(law.draw(random::Source::this_thread()))}});
  }
  return values;
}

Report count_test(const Rational& scale, int first, int second, const std::string& tester = "likelihood") {
  const RecordedRuns runs{counts(10, scale, first), counts(11, scale, second), "a.csv", "b.csv"};
  return test_outputs(runs, Promise::pure(Rational(1)), tester, careful());
}

// Scale 1 is what epsilon 1 needs: false alarm 1e-6. With half of it the log ratio is 2 for a seventh of all outputs, and
// 10,000 kept rows bound it from below by 1.6 or so: found with probability above 1 - 1e-9.
// Spec: T-53
TEST(TestOutputs, RightScaleAndPlantedHalfScale) {
  const Report right = count_test(Rational(1), 20'000, 20'000);
  EXPECT_EQ(right.verdict, Verdict::none_found);
  EXPECT_EQ(right.runs, 10'000);
  EXPECT_GT(right.power_2, 0.5);
  EXPECT_GT(right.ceiling, right.lower_bound);
  EXPECT_LE(right.lower_bound, 1);
  const Report half = count_test(Rational(1, 2), 20'000, 20'000);
  EXPECT_EQ(half.verdict, Verdict::violated);
  EXPECT_GT(half.lower_bound, 1.3);
}

TEST(TestOutputs, DifferentLengths) {
  EXPECT_EQ(count_test(Rational(1), 3000, 20'000).runs, 1500);
  EXPECT_EQ(count_test(Rational(1, 2), 40'000, 12'000).verdict, Verdict::violated);
}

TEST(TestOutputs, OtherTestersSeeEveryRowOnce) {
  EXPECT_EQ(count_test(Rational(1), 20'000, 20'000, "dp-sniper").verdict, Verdict::none_found);
  EXPECT_EQ(count_test(Rational(1, 4), 20'000, 20'000, "dp-sniper").verdict, Verdict::violated);
  EXPECT_EQ(testing::refusal([] { count_test(Rational(1), 100, 100, "no-such"); }), Code::bad_argument);
}

// Sorted files: which rows are kept is chosen at random, so order does no harm. False alarm 1e-6.
TEST(TestOutputs, SortedRowsAreAsGood) {
  RecordedRuns runs{counts(10, Rational(1), 20'000), counts(11, Rational(1), 20'000), "a", "b"};
  const auto smaller = [](const RunValue& a, const RunValue& b) { return a.cells < b.cells; };
  std::sort(runs.first.begin(), runs.first.end(), smaller);
  std::sort(runs.second.rbegin(), runs.second.rend(), smaller);
  EXPECT_EQ(test_outputs(runs, Promise::pure(Rational(1)), "likelihood", careful()).verdict, Verdict::none_found);
}

// What leaks besides the size of a number: a word, an absent cell, the last bits, a difference of two numbers, the pair of
// two words neither of which tells anything alone.
TEST(TestOutputs, PlantedLeaksOfManyKindsAreCaught) {
  std::mt19937_64 choices(testing::run_seed());
  std::normal_distribution<double> noise(0, 100);
  using Make = std::function<std::vector<RunCell>(bool second)>;
  const auto coin = [&] { return choices() >> 63 != 0; };
  const std::vector<std::pair<const char*, Make>> leaks = {
      {"a word", [&](bool second) { return std::vector<RunCell>{second || coin() ? "yes" : "no"}; }},
      {"length",
       [&](bool second) {
         std::vector<RunCell> cells = {noise(choices)};
         if (second && choices() % 4 == 0) cells.emplace_back(1.0);
         return cells;
       }},
      {"last bits", [&](bool second) { return std::vector<RunCell>{std::floor(noise(choices)) + (second ? 0.5 : 0)}; }},
      {"difference",
       [&](bool second) {
         const double shared = noise(choices);
         return std::vector<RunCell>{shared, shared + (second ? 1 : 0)};
       }},
      {"together",
       [&](bool second) {
         const bool one = coin();
         return std::vector<RunCell>{one ? "a" : "b", one == second ? "c" : "d"};
       }},
      {"NaN", [&](bool second) {
         return std::vector<RunCell>{second && choices() % 4 == 0 ? std::nan("") : noise(choices)};
       }}};
  for (const auto& [name, make] : leaks) {
    RecordedRuns runs{{}, {}, "a", "b"};
    for (int i = 0; i < 4000; ++i) {
      runs.first.push_back({.cells = make(false)});
      runs.second.push_back({.cells = make(true)});
    }
    const Report report = test_outputs(runs, Promise::pure(Rational(1)), "likelihood", careful());
    EXPECT_EQ(report.verdict, Verdict::violated) << name;
  }
}

// 300 tests of right outputs at 5% each: 40 or more are called violated with probability below 1e-7 (binomial tail), if
// the alarm is what it says.
// Spec: T-35
TEST(TestOutputs, FalseAlarmsAreAsSeldomAsStated) {
  int alarms = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const RecordedRuns runs{counts(10, Rational(1), 400), counts(11, Rational(1), 400), "a", "b"};
    Effort effort;
    effort.seed = testing::run_seed() + i;
    alarms += test_outputs(runs, Promise::pure(Rational(1)), "likelihood", effort).verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_LT(alarms, 40);
}

class Files {
 public:
  Files(const std::string& first, const std::string& second) {
    std::ofstream(a()) << first;
    std::ofstream(b()) << second;
  }
  ~Files() {
    std::remove(a().c_str());
    std::remove(b().c_str());
  }
  static std::string a() { return ::testing::TempDir() + "outputs_a.csv"; }
  static std::string b() { return ::testing::TempDir() + "outputs_b.csv"; }
};

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST(ReadOutputs, HeadersAreFirstRowsThatAreTheSameWords) {
  const auto sizes = [](const std::string& first, const std::string& second) {
    const Files files(first, second);
    const RecordedRuns runs = read_outputs(Files::a(), Files::b());
    return std::pair(runs.first.size(), runs.second.size());
  };
  const std::string numbers = repeated("1,2\n", 30);
  EXPECT_EQ(sizes("x,y\n" + numbers, "x,y\n" + numbers), std::pair(std::size_t{30}, std::size_t{30}));
  EXPECT_EQ(sizes(numbers, numbers), std::pair(std::size_t{30}, std::size_t{30}));
  EXPECT_EQ(sizes("x,y\n" + numbers, "x,z\n" + numbers), std::pair(std::size_t{31}, std::size_t{31}));
}

TEST(ReadOutputs, Mistakes) {
  const auto refused = [](const std::string& first, const std::string& second) {
    const Files files(first, second);
    return testing::refusal([] { read_outputs(Files::a(), Files::b()); });
  };
  const std::string enough = repeated("1\n", 30);
  EXPECT_EQ(refused("", enough), Code::bad_count);
  EXPECT_EQ(refused(enough, "1\n"), Code::bad_count);
  EXPECT_EQ(refused("\"", enough), Code::bad_syntax);
  EXPECT_EQ(refused(enough, enough), std::nullopt);
  EXPECT_EQ(testing::refusal([] { read_outputs("no/such/file", "nor/this"); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { read_outputs("/", "/"); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither::audit
