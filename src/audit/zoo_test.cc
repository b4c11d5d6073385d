#include "audit/zoo/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "audit/sampling.h"
#include "audit/zoo_check.h"
#include "base/error.h"

namespace dither::audit::zoo {
namespace {

TEST(Zoo, NamesAreItsOwnAndTwinsAreThere) {
  std::set<std::string> names;
  for (const Entry& one : all()) {
    EXPECT_TRUE(one.name.starts_with("zoo.")) << one.name;
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(one.make().name, one.name);
    EXPECT_FALSE(one.what.empty() || one.rows.empty()) << one.name;
    if (one.twin.empty()) {
      EXPECT_FALSE(one.broken) << one.name << " has no right twin";
    } else {
      EXPECT_NE(entry(one.twin).broken, one.broken) << one.name;
    }
  }
  EXPECT_THROW(entry("zoo.unicorn"), Error);
}

// Spec: W-69
TEST(Zoo, HasAtLeastTwentyFivePlantedMechanisms) {
  const auto planted = [](const Entry& one) {
    return one.broken && std::find(one.rows.begin(), one.rows.end(), "W-69") != one.rows.end();
  };
  EXPECT_GE(std::count_if(all().begin(), all().end(), planted), 25);
}

// The kinds that the specification names, each as a broken one.
// Spec: W-69
TEST(Zoo, HasEveryKindThatIsAskedFor) {
  for (const std::string_view kind :
       {"svt-3", "svt-4", "svt-5", "svt-6", "noisy-max-3", "local-sensitivity", "group-by-once", "replace-as-add",
        "float-sum", "truncated-noise", "reused-noise", "missing-clamp", "threshold-without-delta", "dawa",
        "overlapping-parts", "vote-price"}) {
    EXPECT_TRUE(entry(fmt::format("zoo.{}", kind)).broken) << kind;
  }
}

// What is broken claims less than is true, what is right claims no less; where the truth is known.
TEST(Zoo, ClaimsAreBelowTheTruthForBrokenOnesAlone) {
  for (const Entry& one : all()) {
    const auto claim = one.make().promise.pure_epsilon();
    if (!claim || !one.true_epsilon) continue;
    if (one.broken) {
      EXPECT_LT(*claim, *one.true_epsilon) << one.name;
    } else {
      EXPECT_GE(*claim, *one.true_epsilon - 1e-9) << one.name;
    }
  }
}

// Spec: W-69
TEST(Zoo, EveryTesterHasEightToCatch) {
  std::map<std::string_view, int> catches;
  for (const Entry& one : all()) {
    EXPECT_EQ(one.broken, !one.caught_by.empty()) << one.name;
    for (const std::string_view name : one.caught_by) ++catches[tester(name).name];
    if (one.broken && one.channel != nullptr) ++catches["exact"];
  }
  for (const std::string_view name : testers()) EXPECT_GE(catches[name], 8) << name;
  EXPECT_GE(catches["exact"], 8);  // zoo_exact_test.cc has it examine them
}

TEST(Zoo, PlantedBoundAboveTheTruthIsCaught) {
  const auto is_above = [](double bound, double delta, std::string_view name) {
    Report report;
    report.lower_bound = bound;
    report.delta = delta;
    return above_the_truth(report, entry(name));
  };
  EXPECT_TRUE(is_above(2.001, 0, "zoo.half-scale"));  // which has 2
  EXPECT_TRUE(is_above(HUGE_VAL, 0, "zoo.half-scale"));
  EXPECT_FALSE(is_above(2, 0, "zoo.half-scale"));
  EXPECT_FALSE(is_above(2.001, 0.01, "zoo.half-scale"));
  EXPECT_FALSE(is_above(2.001, 0, "zoo.dawa"));  // not known
}

// All of DP-Sniper's classifiers are one tester here.
std::string_view family(std::string_view tester) { return tester.starts_with("dp-sniper") ? "dp-sniper" : tester; }

// Bugs that nobody catches, or only the tester made for them. Of a bug that was made for no tester all are strangers.
std::vector<std::string> without_stranger(std::span<const Entry> entries) {
  std::vector<std::string> names;
  for (const Entry& one : entries) {
    const auto is_stranger = [&](std::string_view name) { return family(name) != family(one.written_for); };
    const bool caught = std::any_of(one.caught_by.begin(), one.caught_by.end(), is_stranger);
    if (one.broken && !caught) names.push_back(one.name);
  }
  return names;
}

// Spec: W-69
TEST(Zoo, EveryBugIsCaughtByAStranger) {
  EXPECT_EQ(without_stranger(all()), std::vector<std::string>{});
  std::set<std::string> made_for;  // testers that some bug is said to be the business of
  for (const Entry& one : all()) {
    if (!one.written_for.empty()) made_for.insert(std::string(tester(one.written_for).name));
  }
  EXPECT_EQ(made_for, (std::set<std::string>{"delta-siege", "dp-sniper", "dp-sniper-bits", "histogram", "hockey-stick",
                                             "stat-dp", "stochastic"}));
  EXPECT_EQ(entry("zoo.textbook-laplace").written_for, "dp-sniper-bits");
}

TEST(Zoo, PlantedBugWithoutAStrangerIsCaught) {
  const auto found_with = [](std::string_view name, const std::vector<std::string_view>& caught_by) {
    std::vector<Entry> entries(all().begin(), all().end());
    const auto is_it = [&](const Entry& one) { return one.name == name; };
    std::find_if(entries.begin(), entries.end(), is_it)->caught_by = caught_by;
    return without_stranger(entries);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(found_with("zoo.textbook-laplace", {"dp-sniper-bits"}), Names{"zoo.textbook-laplace"});
  EXPECT_EQ(found_with("zoo.prefix-sum", {"dp-sniper", "dp-sniper-mlp"}), Names{"zoo.prefix-sum"});
  EXPECT_EQ(found_with("zoo.svt-4", {}), Names{"zoo.svt-4"});
}

// Right ones never say the same every time: on one side of one pair at least, outputs vary.
TEST(Zoo, DrawsWholeRowsWithFreshNoise) {
  for (const Entry& one : all()) {
    const Target target = one.make();
    const auto varies = [&](std::int64_t runs) {
      bool found = false;
      for (const Pair& pair : target.pairs) {
        for (const Draw& draw : {pair.draw_first, pair.draw_second}) {
          const Outputs outputs = sample(draw, target.shape, runs, {});
          EXPECT_EQ(outputs.runs(), runs) << one.name;
          for (std::int64_t i = 1; i < outputs.runs(); ++i) found = found || !same(outputs.row(0), outputs.row(i));
        }
      }
      return found;
    };
    // Some keys are shown once in a hundred runs.
    EXPECT_TRUE(varies(200) || varies(20'000) || one.name == "zoo.noise-from-data") << one.name;
  }
}

std::string number(std::optional<double> value) {
  if (!value) return "";
  return std::isinf(*value) ? "none" : fmt::format("{:.4g}", *value);
}

// Who catches it, in few words.
std::string catchers(const Entry& one) {
  std::vector<std::string_view> blind;
  for (const std::string_view each : testers()) {
    if (!lists(one, each)) blind.push_back(each);
  }
  if (one.caught_by.empty()) return "";
  const std::string exact = one.channel != nullptr ? "; exact" : "";
  if (blind.empty()) return "all" + exact;
  return (blind.size() <= 4 ? fmt::format("all but {}", fmt::join(blind, ", "))
                            : fmt::format("{}", fmt::join(one.caught_by, ", "))) +
         exact;
}

std::string row_of(const Entry& one) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |", one.name, one.what, one.make().promise.str(),
                     number(one.true_epsilon), one.broken ? "broken" : "right", catchers(one),
                     fmt::join(one.rows, ", "), one.certify);
}

// docs/zoo.md shows the same rows. A row that is missing is printed, to be pasted there.
TEST(Zoo, PageListsEveryMechanism) {
  std::ostringstream page;
  page << std::ifstream(DITHER_SOURCE_DIR "/docs/zoo.md").rdbuf();
  for (const Entry& one : all()) EXPECT_TRUE(page.str().find(row_of(one)) != std::string::npos) << row_of(one);
}

}  // namespace
}  // namespace dither::audit::zoo
