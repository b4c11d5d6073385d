#include "audit/report.h"

#include "audit/channel.h"
#include "audit/detail/power.h"
#include "audit/testers_check.h"

namespace dither::audit {
namespace {

std::string all_text(const Report& report) {
  std::string text = std::string(verdict_name(report.verdict));
  for (const std::string& note : report.notes) text += "\n" + note;
  if (report.witness) text += "\n" + report.witness->event;
  return text;
}

void expect_says_no_more_than_it_may(const Report& report) {
  const std::string text = all_text(report);
  for (const char* word : {"private", "passed", "proved", "proven", "safe", "certified", "guarantee"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << report.tester << " says: " << text;
  }
}

// No attack says more than that it found nothing, and that comes with how much it could have found: power, ceiling, alarm.
// A right count; false alarm 1e-6 each.
// Spec: W-59, T-53
TEST(Reports, NothingFoundComesWithWhatCouldHaveBeen) {
  EXPECT_EQ(verdict_name(Verdict::none_found), "no violation found");
  for (const Tester& one : all_testers()) {
    const Report report = one.test(target_of(specimens()[0], false, Promise::pure(1)), check_effort());
    EXPECT_EQ(report.verdict, Verdict::none_found) << one.name;
    EXPECT_EQ(report.false_alarm, check_effort().false_alarm) << one.name;
    EXPECT_GT(report.ceiling, report.lower_bound) << one.name;
    EXPECT_GE(report.power_2, report.power_1_5) << one.name;
    EXPECT_GE(report.power_1_5, 0) << one.name;
    EXPECT_LE(report.power_2, 1) << one.name;
    expect_says_no_more_than_it_may(report);
  }
}

// What a tester must not say. The right one: 60 and 20 of 100 runs, and epsilon 1 promised.
TEST(Reports, PlantedContradictionsAreSeen) {
  Report right{.target = "half", .tester = "none", .promised = 1, .lower_bound = 0.2, .ceiling = 3, .runs = 100};
  right.witness = Witness{.first = "0",
                          .second = "1",
                          .event = "1",
                          .runs_first = 100,
                          .runs_second = 200,
                          .hits_first = 60,
                          .hits_second = 40,
                          .least_first = 0.5,
                          .most_second = 0.3,
                          .epsilon = 1};
  EXPECT_EQ(check::contradiction(right), "");
  const auto is_seen = [&](const std::function<void(Report&)>& change) {
    Report wrong = right;
    change(wrong);
    return !check::contradiction(wrong).empty();
  };
  EXPECT_TRUE(is_seen([](Report& report) { report.lower_bound = 1.1; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.verdict = Verdict::violated; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.ceiling = -HUGE_VAL; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.ceiling = 0.1; }));
  EXPECT_TRUE(is_seen([](Report& report) {
    report.ceiling = 0.9;
    report.power_2 = 0.1;
  }));
  EXPECT_TRUE(is_seen([](Report& report) { report.runs = 300; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.witness->hits_second = 300; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.witness->least_first = 0.7; }));
  EXPECT_TRUE(is_seen([](Report& report) { report.witness->most_second = 0.1; }));
  EXPECT_TRUE(is_seen([](Report& report) {
    report.witness->hits_second = 20;
    report.witness->most_second = 0.15;
  }));
}

// e^800 is no double. A half against a tenth has power against a claim of 1, and none against that one.
TEST(Reports, PowerIsANumberWhateverIsClaimed) {
  const detail::SeenMeans seen{{10'000, 0.5, 0.25}, {10'000, 0.1, 0.09}};
  EXPECT_GT(detail::power_of_means(2, seen, 1, 0, 0.001), 0.999);
  EXPECT_EQ(detail::power_of_means(2, seen, 400, 0, 0.001), 0);  // whose square is no double either
  EXPECT_EQ(detail::power_of_means(2, seen, 800, 0, 0.001), 0);
  EXPECT_EQ(detail::power_of_means(2, {seen.likelier, {10'000, 0, 0}}, 800, 0, 0.001), 0);
  EXPECT_EQ(detail::chance_above(1, HUGE_VAL), 0);
  for (const int claim : {400, 800})
    for (const Tester& one : all_testers()) {
      const Effort effort{.search = 2000, .certify = 2000, .seed = testing::run_seed()};
      const Report report = one.test(target_of(specimens()[0], false, Promise::pure(claim)), effort);
      EXPECT_EQ(report.verdict, Verdict::none_found) << one.name;
      EXPECT_EQ(report.power_1_5, 0) << one.name;
      EXPECT_EQ(report.power_2, 0) << one.name;
    }
}

// Spec: W-59
TEST(Reports, PlantedBugsAreNotCalledMoreThanViolated) {
  for (const Tester& one : all_testers()) {
    expect_says_no_more_than_it_may(one.test(target_of(specimens()[1], true, Promise::pure(1)), check_effort()));
  }
}

// When time is over before the first run, every tester says so.
TEST(Reports, WithoutTimeEveryTesterSaysThatNothingWasTested) {
  Effort late = check_effort();
  late.deadline = std::chrono::steady_clock::now();
  for (const Tester& one : all_testers()) {
    const Report report = one.test(target_of(specimens()[0], true, Promise::pure(1)), late);
    EXPECT_EQ(report.runs, 0) << one.name;
    EXPECT_EQ(report.power_2, 0) << one.name;
    const std::string text = all_text(report);
    EXPECT_TRUE(text.find("nothing was tested") != std::string::npos || text.find("no fresh runs") != std::string::npos)
        << one.name << ": " << text;
  }
}

// More columns, and more pairs, than are searched: the last column of 70 shows the input, on the last of three pairs. Every
// tester that looks at columns finds it, and says what it left out.
TEST(Reports, PlantedLeakInTheLastOfManyColumnsIsCaughtAndTheRestIsNamed) {
  const auto draw = [](double shown) -> Draw {
    return [shown, law = random::DiscreteLaplace(1)](Outputs& out, std::int64_t runs, random::Source& source) {
      const std::span<double> cells = out.add(runs);
      for (double& cell : cells) cell = static_cast<double>(law.draw(source));
      for (std::size_t i = out.width() - 1; i < cells.size(); i += out.width()) cells[i] += shown;
    };
  };
  Target target{"wide", Promise::pure(1), Shape(70, Reading::number), {}};
  for (int i = 0; i < 3; ++i) target.pairs.push_back({"a", "b", draw(0), draw(i == 2 ? 5 : 0)});
  const Effort effort{.search = 1000, .certify = 6000, .false_alarm = 1e-6, .seed = testing::run_seed()};
  for (const char* name : {"stat-dp", "dp-finder", "stochastic"}) {
    const Report report = tester(name).test(target, effort);
    EXPECT_EQ(report.verdict, Verdict::violated) << name;
    EXPECT_NE(all_text(report).find("of 70 columns"), std::string::npos) << name;
    EXPECT_NE(all_text(report).find("2 of 3 pairs"), std::string::npos) << name;
  }
}

TEST(Reports, DpFinderSaysThatAnOutputNeverVaries) {
  const auto constant = [](Outputs& out, std::int64_t runs, random::Source&) {
    for (double& cell : out.add(runs)) cell = 7;
  };
  const Target target{"constant", Promise::pure(1), {Reading::number}, {{"a", "b", constant, constant}}};
  EXPECT_NE(all_text(dp_finder(target, check_effort())).find("never varied"), std::string::npos);
}

}  // namespace
}  // namespace dither::audit
