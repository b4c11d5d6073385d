#include "audit/stat_dp.h"

#include <map>

#include "audit/searching_check.h"
#include "audit/stat_dp_events.h"
#include "audit/zoo/zoo.h"
#include "stats/binomial.h"
#include "testing/refusal.h"

namespace dither::audit {
namespace {

// Its events are about one summary at a time: what shows only in two entries together is for others.
// Spec: T-43, W-61
TEST(StatDp, TellsBrokenFromRight) {
  check::expect_tells_twins(stat_dp, {"noisy max shows the value", "one noise for all counts"});
}
TEST(StatDp, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(stat_dp); }
TEST(StatDp, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(stat_dp, 500'000); }

// Spec: T-43
TEST(ThinnedPValue, IsFishersTestAtEpsilonZero) {
  // Six of eight against one of eight: 224 + 8 of the 11440 ways to place seven hits in sixteen runs.
  EXPECT_NEAR(thinned_p_value({6, 8, 1, 8}, 0, 0, 1), (28 * 8 + 8) / 11440.0, 1e-12);
  EXPECT_EQ(thinned_p_value({0, 8, 1, 8}, 0, 0, 1), 1);
}

// Spec: T-43
TEST(ThinnedPValue, FallsWithHitsAndRisesWithEpsilonAndDelta) {
  const EventCounts counts{40'000, 100'000, 20'000, 100'000};  // epsilon about log 2
  EXPECT_LT(thinned_p_value(counts, 0.6, 0, 1), 1e-6);
  EXPECT_GT(thinned_p_value(counts, 0.8, 0, 1), 1 - 1e-6);
  EXPECT_GT(thinned_p_value(counts, 0.6, 0.1, 1), 1 - 1e-6);
}

// At the edge of H0 one thinning is super-uniform, the mean of many at most twice that: 2000 audits of an event that has
// exactly the ratio e, at 5%. More than 280 below 5% happen with probability below 1e-9 at rate 10%.
// Spec: T-43
TEST(ThinnedPValue, IsRarelySmallUnderTheNull) {
  random::Source& source = random::Source::this_thread();
  const double epsilon = 1;
  int small = 0;
  for (int i = 0; i < 2000; ++i) {
    EventCounts counts{0, 1000, 0, 1000};
    for (int run = 0; run < 1000; ++run) {
      counts.first += check::uniform(source) < 0.3 ? 1 : 0;
      counts.second += check::uniform(source) < 0.3 * std::exp(-epsilon) ? 1 : 0;
    }
    small += thinned_p_value(counts, epsilon, 0, testing::run_seed() + static_cast<std::uint64_t>(i)) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(small, 280);
}

TEST(ThinnedPValue, RefusesCountsThatCannotBe) {
  EXPECT_EQ(testing::refusal([] { thinned_p_value({9, 8, 1, 8}, 0, 0, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { thinned_p_value({1, 0, 1, 8}, 0, 0, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { thinned_p_value({1, 8, 1, 8}, -1, 0, 1); }), Code::out_of_range);
  EXPECT_EQ(testing::refusal([] { p_value_curve(check::laplace_count(1, 1), {}, {}); }), Code::bad_count);
}

Effort curve_effort(std::int64_t certify) {
  return {.search = 100'000, .certify = certify, .seed = testing::run_seed()};
}

// Noisy max among ten with exponential noise of mean 2: P(first) = 0.1 against (1 - (1 - 1/e)^10) e / 10, so the ratio is
// exp(0.98974). One deviation of log p1 - log p2 at 500 000 runs is 0.0052: the cliff lies within 5% of the claim with
// probability above 1 - 1e-6.
// Spec: W-61
TEST(PValueCurve, OfNoisyMaxFallsAtTheClaim) {
  const Target target =
      check::on(check::noisy_max(1, 2, false), std::vector<double>(10, 1), {2, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const PValueCurve curve = p_value_curve(target, std::vector<double>{0.5, 0.8, 1.1, 1.5}, curve_effort(500'000));
  EXPECT_LT(curve.p_values[0], 0.01);
  EXPECT_LT(curve.p_values[1], 0.01);
  EXPECT_GT(curve.p_values[2], 0.01);
  EXPECT_GT(curve.p_values[3], 0.01);
  EXPECT_NEAR(curve.cliff, 1, 0.05);
}

// Sparse vector on five answers: four below and one above has probability 0.04459 and 0.01937 (integrated over the noise
// of the threshold): epsilon 0.8337 on this pair. One deviation at 500 000 runs is 0.012, and the cliff lies 2.3 of
// them below the truth, where p is 1%. By night, with 5,000,000 runs, it is 0.0038: 5% are eight deviations from there.
// Spec: W-61
TEST(PValueCurve, OfSparseVectorFallsAtTheTruth) {
  const Target right = check::on(check::sparse_vector(1, 5, {2, 4}), check::kSparseFirst, check::kSparseSecond);
  const std::int64_t certify = check::nightly() ? 5'000'000 : 500'000;
  const PValueCurve curve = p_value_curve(right, std::vector<double>{0.5, 1.2}, curve_effort(certify));
  EXPECT_LT(curve.p_values[0], 0.01);
  EXPECT_GT(curve.p_values[1], 0.01);
  if (check::nightly()) {
    EXPECT_NEAR(curve.cliff, 0.8337, 0.05 * 0.8337);
  } else {
    EXPECT_NEAR(curve.cliff, 0.8337 - 0.028, 0.075);
  }
  const Target broken = check::on(check::sparse_vector(1, 5, {2, 0}), check::kSparseFirst, check::kSparseSecond);
  EXPECT_LT(p_value_curve(broken, std::vector<double>{1}, curve_effort(100'000)).p_values[0], 0.01);
}

// How many of so many audits of one of the zoo have a p-value below 1% at its claim.
int rejections(std::string_view name, int audits, const Effort& effort) {
  const Target target = zoo::entry(name).make();
  const std::vector<double> claim = target.promise.epsilons();
  int rejected = 0;
  for (int i = 0; i < audits; ++i) {
    Effort again = effort;
    again.seed += static_cast<std::uint64_t>(i);
    rejected += p_value_curve(target, claim, again).p_values.front() < 0.01 ? 1 : 0;
  }
  return rejected;
}

// Sixty audits of svt-3, svt-4 and svt-6 each had p-values between 1e-58 and 1e-19: the closest lie 11.5 deviations
// out, with a spread of 1, and p = .01 lies 2.3 out. The others are further out by far.
// Spec: W-61
TEST(PValueCurve, PlantedBugsAreRejected) {
  for (const char* name : {"zoo.svt-3.loud", "zoo.svt-4.loud", "zoo.svt-5.loud", "zoo.svt-6.loud", "zoo.max-and-value",
                           "zoo.noisy-hist-2"}) {
    EXPECT_EQ(rejections(name, 1, {.search = 20'000, .certify = 150'000, .seed = testing::run_seed()}), 1) << name;
  }
}

// What keeps its claim has a p-value below 1% in at most 2% of audits (see thinned_p_value), also where the event was a
// lucky one: of 20 audits more than 6 have that with probability below 1e-7, by night of 100 more than 13.
// Spec: W-61
TEST(PValueCurve, RightOnesAreRarelyRejected) {
  const int audits = check::nightly() ? 100 : 20, allowed = check::nightly() ? 13 : 6;
  ASSERT_LT(stats::binomial_upper(allowed + 1, audits, 0.02), 1e-7);
  for (const char* name : {"zoo.svt-1.loud", "zoo.noisy-hist-1"}) {
    EXPECT_LE(rejections(name, audits, {.search = 2000, .certify = 10'000, .seed = testing::run_seed()}), allowed)
        << name;
  }
}

// What each summary says of one output.
TEST(Summaries, SayWhatTheyAreCalled) {
  detail::Runs runs{Outputs(3), Outputs(3)};
  for (Outputs* outputs : {&runs.first, &runs.second}) {
    const std::span<double> cells = outputs->add(10);
    for (std::size_t i = 0; i < cells.size(); i += 3) cells[i] = 4, cells[i + 1] = outputs == &runs.first ? 7 : 5;
  }
  const std::vector<double> row{4, 9, absent()};
  std::map<std::string, double> said;
  for (const Summary& summary : summaries_of(runs, Shape(3, Reading::number))) said[summary.name] = summary.of(row);
  EXPECT_EQ(said.at("entry 2"), 9);
  EXPECT_EQ(said.at("the length"), 2);
  EXPECT_EQ(said.at("the least number"), 4);
  EXPECT_EQ(said.at("the greatest number"), 9);
  EXPECT_EQ(said.at("the number of entries 4"), 1);
  EXPECT_EQ(said.at("the number of absent entries"), 1);
  EXPECT_EQ(said.at("the Hamming distance to the most frequent output of the first input"), 1);
  EXPECT_EQ(said.at("the common beginning with the most frequent output of the second input"), 1);
  EXPECT_EQ(said.at("the number of the output among the most frequent ones"), 2);  // none of the two
}

// Counts of every event are those of its set.
TEST(EventSpace, CountsWhatItsSetsContain) {
  const Target target = check::on(check::noisy_max(1, 2, true), {1, 1, 1}, {2, 0, 0});
  const detail::Runs runs = detail::draw_runs(target, 0, 500, {});
  const EventSpace space(runs, target);
  const std::vector<SeenEvent> events = space.count(runs);
  EXPECT_GT(events.size(), 100U);
  for (std::size_t i = 0; i < events.size(); i += 7) {
    const AttackSet set = space.set_of(events[i].event);
    std::int64_t hits = 0;
    for (std::int64_t run = 0; run < runs.first.runs(); ++run) hits += set.contains(runs.first.row(run), 0) ? 1 : 0;
    EXPECT_EQ(hits, events[i].first) << set.description;
  }
}

}  // namespace
}  // namespace dither::audit
