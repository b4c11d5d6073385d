// Attacks on samplers and on steps.
#include <gtest/gtest.h>

#include "audit/attacks_check.h"
#include "random/discrete_laplace.h"
#include "random/pmf.h"
#include "testing/planted.h"

namespace dither::audit {
namespace {

using check::attacks_with;
using check::survivors;
using check::violated;

TEST(LawAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(attacks_with({"law"}), 20'000), ""); }

// Spec: W-69
TEST(LawAttacks, PlantedSamplersThatPreferOneOutcomeAreCaught) {
  EXPECT_EQ(survivors(attacks_with({"law"}), 20'000), "");
}

// Noise that is 5% too narrow, from the planted samplers: scale 95 where 100 is wanted.
TEST(LawAttacks, PlantedNarrowNoiseIsCaught) {
  const auto cells = [](const auto& draw) {
    return SampledLaw{"", -20, 20,
                      [](std::int64_t cell) {
                        double sum = 0;
                        for (std::int64_t k = 20 * cell; k < 20 * cell + 20; ++k) {
                          sum += random::discrete_laplace_pmf(100, k, 128).low_double();
                        }
                        return sum;
                      },
                      [draw](std::span<std::int64_t> out, random::Source& source) {
                        for (std::int64_t& k : out) {
                          const auto drawn = static_cast<std::int64_t>(draw(source));
                          k = drawn >= 0 ? drawn / 20 : -((19 - drawn) / 20);
                        }
                      }};
  };
  Effort effort;
  effort.certify = 200'000;
  effort.false_alarm = 1e-6;
  const random::DiscreteLaplace right(100);
  EXPECT_EQ(check_law(cells([&](random::Source& source) { return right.draw(source); }), effort).verdict,
            Verdict::none_found);
  EXPECT_EQ(
      check_law(cells([](random::Source& source) { return planted::five_percent_narrow(source); }), effort).verdict,
      Verdict::violated);
}

// Spec: W-06, W-60, T-50
TEST(StepAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(attacks_with({"stability"}), 1000), ""); }

// Spec: T-50, W-69
TEST(StepAttacks, PlantedMapsOfHalfTheDistanceAreCaught) {
  EXPECT_EQ(survivors(attacks_with({"stability"}), 4000), "");
}

// The witness says which inputs, and how far they moved.
TEST(StepAttacks, PlantedMapIsCaughtWithAWitness) {
  const Attack attack = attacks_with({"stability"}).front();
  const Report report = run_on(attack, testing::mutants_of(attack).front(), check::effort_for(attack, 4000));
  ASSERT_EQ(report.verdict, Verdict::violated);
  const Witness& witness = report.witness.value();
  EXPECT_EQ(witness.evidence, Evidence::exact);
  EXPECT_NE(witness.event.find("map says"), std::string::npos) << witness.event;
  EXPECT_FALSE(witness.first.empty());
  EXPECT_NE(witness.first, witness.second);
}

// Spec: T-56, W-69
TEST(ExactAttacks, NoneFindsAViolationAndEveryMutantIsKilled) {
  ASSERT_FALSE(attacks_with({"exact"}).empty());
  EXPECT_EQ(violated(attacks_with({"exact"}), 1), "");
  EXPECT_EQ(survivors(attacks_with({"exact"}), 1), "");
}

}  // namespace
}  // namespace dither::audit
