// The published audits of T-51 and T-52, done again with our testers.
#include <cmath>

#include "audit/zoo_check.h"

namespace dither::audit::zoo {
namespace {

// The lower bound of DP-Sniper's network in its authors' logs: 90% sure, 2 x 10^8 runs, an event of probability 1%.
struct Published {
  std::string_view name;
  double bound;
};
constexpr Published kPublished[] = {
    {"zoo.laplace", .0976},      {"zoo.truncated-geometric", .1155},
    {"zoo.noisy-hist-1", .0977}, {"zoo.noisy-hist-2", 4.6015},
    {"zoo.noisy-max-1", .0925},  {"zoo.noisy-max-2", .0979},
    {"zoo.noisy-max-3", .2488},  {"zoo.noisy-max-4", .3534},
    {"zoo.svt-1", .0858},        {"zoo.svt-2", .0852},
    {"zoo.svt-3", .1822},        {"zoo.svt-4", .1696},
    {"zoo.svt-5", 1.7610},       {"zoo.svt-6", .2698},
    {"zoo.rappor", .3008},       {"zoo.rappor-once", .5999},
    {"zoo.laplace-20", .0299},   {"zoo.svt-34-parallel", .2616},
    {"zoo.prefix-sum", .5774},   {"zoo.numerical-svt", .0345},
};

// One look at all runs: a test that stops at its first proof says little more than that.
Report audit(std::string_view name, std::int64_t search, std::int64_t certify, double false_alarm) {
  const Effort effort{.search = search, .certify = certify, .looks = 1, .false_alarm = false_alarm, .seed = 1};
  return dp_sniper_mlp(entry(name).make(), effort);
}

// By day 50,000 runs, false alarm 1e-6 each: what is right has no bound above its truth, and what is loud is caught.
// Spec: T-51
TEST(ZooTable, RightOnesStayBelowTheirTruthAndLoudOnesAreCaught) {
  for (const Published& published : kPublished) {
    const Entry& one = entry(published.name);
    if (!one.broken && one.true_epsilon) {
      const Report report = audit(one.name, 10'000, 50'000, 1e-6);
      EXPECT_LE(report.lower_bound, *one.true_epsilon) << one.name;
      EXPECT_EQ(report.verdict, Verdict::none_found) << one.name;
    }
  }
  for (const std::string_view name : {"zoo.noisy-hist-2", "zoo.svt-5", "zoo.prefix-sum"}) {
    EXPECT_EQ(audit(name, 20'000, 200'000, 1e-6).verdict, Verdict::violated) << name;
  }
}

// By night, 10^7 runs at the authors' confidence: no more than .005 below the published bound, which took 2 x 10^8.
// By day the two whose bound lies far beyond it. The other rows need more runs than a night has, or reach it only
// just; docs/zoo.md says what was found, and which two are missed. A long search: with a tenth of the runs RAPPOR's
// bound came to .307 now and then, with two fifths to .328 or more.
// Spec: T-51
TEST(ZooTable, BoundsReachThePublishedOnes) {
  std::vector<std::string_view> names = {"zoo.noisy-hist-2", "zoo.svt-5"};
  if (nightly()) {
    names.insert(names.end(), {"zoo.laplace", "zoo.truncated-geometric", "zoo.noisy-hist-1", "zoo.noisy-max-2",
                               "zoo.noisy-max-4", "zoo.rappor", "zoo.rappor-once"});
  }
  for (const Published& published : kPublished) {
    if (std::find(names.begin(), names.end(), published.name) == names.end()) continue;
    const std::int64_t certify = nightly() ? 10'000'000 : 200'000;
    const double bound = audit(published.name, certify * 2 / 5, certify, 0.1).lower_bound;
    EXPECT_GE(bound, published.bound - 0.005) << published.name;
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
