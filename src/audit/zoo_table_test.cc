// The published audits of T-51 and T-52, done again with our testers.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "audit/zoo_check.h"

namespace dither::audit::zoo {
namespace {

struct Row {
  std::string_view name;
  double published;  // DP-Sniper's network in its authors' logs: 90% sure, 2 x 10^8 runs, an event of probability 1%
  double least;      // what ours finds at least with kSearch and kCertify runs, 90% sure: see the nightly test
};
constexpr Row kTable[] = {
    {"zoo.laplace", .0976, .0955},      {"zoo.truncated-geometric", .1155, .1130},
    {"zoo.noisy-hist-1", .0977, .0950}, {"zoo.noisy-hist-2", 4.6015, 9.3},
    {"zoo.noisy-max-1", .0925, .0830},  {"zoo.noisy-max-2", .0979, .0905},
    {"zoo.noisy-max-3", .2488, .2240},  {"zoo.noisy-max-4", .3534, .74},
    {"zoo.svt-1", .0858, .0280},        {"zoo.svt-2", .0852, .0190},
    {"zoo.svt-3", .1822, .1000},        {"zoo.svt-4", .1696, .1100},
    {"zoo.svt-5", 1.7610, 5.6},         {"zoo.svt-6", .2698, .1460},
    {"zoo.rappor", .3008, .2970},       {"zoo.rappor-once", .5999, .7080},
    {"zoo.laplace-20", .0299, .0090},   {"zoo.svt-34-parallel", .2616, .1070},
    {"zoo.prefix-sum", .5774, .4690},   {"zoo.numerical-svt", .0345, .0170},
};
constexpr std::int64_t kSearch = 4'000'000;
constexpr std::int64_t kCertify = 10'000'000;

// What the claim or the truth allows.
double allowed(const Entry& one) { return one.true_epsilon.value_or(*one.make().promise.pure_epsilon()); }

// One look at all runs: a test that stops at its first proof says little more than that.
Report audit(std::string_view name, std::int64_t search, std::int64_t certify, double false_alarm) {
  const Effort effort{.search = search, .certify = certify, .looks = 1, .false_alarm = false_alarm, .seed = 1};
  return dp_sniper_mlp(entry(name).make(), effort);
}

// By day 50,000 runs, by night those of docs/zoo.md, false alarm 1e-6 each: what is right has no bound above its truth,
// or its claim where the truth is not known; and what is loud is caught.
// Spec: T-51
TEST(ZooTable, RightOnesStayBelowTheirTruthAndLoudOnesAreCaught) {
  for (const Row& row : kTable) {
    const Entry& one = entry(row.name);
    if (one.broken) continue;
    const Report report = nightly() ? audit(one.name, kSearch, kCertify, 1e-6) : audit(one.name, 10'000, 50'000, 1e-6);
    EXPECT_LE(report.lower_bound, allowed(one)) << one.name;
    EXPECT_EQ(report.verdict, Verdict::none_found) << one.name;
  }
  for (const std::string_view name : {"zoo.noisy-hist-2", "zoo.svt-5", "zoo.prefix-sum"}) {
    EXPECT_EQ(audit(name, 20'000, 200'000, 1e-6).verdict, Verdict::violated) << name;
  }
}

// By night every row with the runs of docs/zoo.md, by day the two that need few: their published bound less .005 lies far
// below what they show. The least of a row is that of the page's three audits, less six standard errors of its log ratio
// (p to q of so many runs: the root of (1 - p) / pn + (1 - q) / qn), less what the three differ by, since networks learn
// better or worse; but half of it at least, and the claim of what is broken. The noise alone would fail a row once in
// 10^9 nights. Closest is zoo.svt-3, where ten audits came to .13 to .19.
// Spec: T-51
TEST(ZooTable, EveryRowFindsWhatThePageSays) {
  for (const Row& row : kTable) {
    if (!nightly() && row.name != "zoo.noisy-hist-2" && row.name != "zoo.svt-5") continue;
    const double bound = nightly() ? audit(row.name, kSearch, kCertify, 0.1).lower_bound
                                   : audit(row.name, 80'000, 200'000, 0.1).lower_bound;
    EXPECT_GE(bound, nightly() ? row.least : row.published - 0.005) << row.name;
    const Entry& one = entry(row.name);
    if (one.broken) {
      EXPECT_GT(bound, *one.make().promise.pure_epsilon()) << row.name;
    }
  }
}

// The cells of a row of docs/zoo.md's table of published audits; nothing when there is none.
std::vector<std::string> cells_on_page(std::string_view name) {
  std::ifstream page(DITHER_SOURCE_DIR "/docs/zoo.md");
  std::vector<std::string> cells;
  for (std::string line; cells.empty() && std::getline(page, line);) {
    if (line == "## All of them") break;
    if (!line.starts_with(fmt::format("| `{}` |", name))) continue;
    std::istringstream rest(line.substr(line.find("` |") + 3));
    for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(cell.substr(1, cell.size() - 2));
  }
  return cells;
}

// The page says the truth that the zoo knows and the bounds that were published; what it says was found is no less than
// what the nightly test asks for, above the claim of what is broken, and not above what a right one allows.
TEST(ZooTable, PageHasTheSameRows) {
  for (const Row& row : kTable) {
    const Entry& one = entry(row.name);
    const std::vector<std::string> cells = cells_on_page(row.name);
    ASSERT_EQ(cells.size(), 5) << row.name;
    const double truth = allowed(one);
    if (cells[0] == "none") {
      EXPECT_TRUE(std::isinf(truth)) << row.name;
    } else {
      EXPECT_EQ(cells[0].starts_with("at most "), !one.true_epsilon) << row.name;
      const auto number = cells[0].find_first_of(".0123456789");
      EXPECT_NEAR(std::stod(cells[0].substr(number)), truth, 5e-5) << row.name;
    }
    EXPECT_EQ(std::stod(cells[1]), row.published) << row.name;
    const double middle = std::stod(cells[2]), least = std::stod(cells[3]), most = std::stod(cells[4]);
    EXPECT_TRUE(row.least <= least && least <= middle && middle <= most) << row.name;
    if (one.broken) {
      EXPECT_GT(least, *one.make().promise.pure_epsilon()) << row.name;
    } else {
      EXPECT_LE(middle, truth) << row.name;
    }
  }
}

// Spec: T-52
TEST(ZooTable, BitsShowTextbookNoiseAndNothingElse) {
  const auto verdict = [](std::string_view name) {
    return dp_sniper_bits(entry(name).make(), effort_for(entry(name), testing::run_seed())).verdict;
  };
  EXPECT_EQ(verdict("zoo.textbook-laplace"), Verdict::violated);
  EXPECT_EQ(verdict("zoo.textbook-laplace.right"), Verdict::none_found);
  EXPECT_EQ(verdict("zoo.snapped-laplace"), Verdict::none_found);
}

}  // namespace
}  // namespace dither::audit::zoo
