#include "accounting/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accounting/accountant.h"
#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

Rational decimal(const char* text) { return Rational::parse(text); }

EventList list_of(Event event, Neighbours neighbours = Neighbours::add_remove, std::uint64_t group = 1) {
  return {neighbours, {"record"}, group, {std::move(event)}};
}
Certified epsilon_of(Event event, const char* delta, Neighbours neighbours = Neighbours::add_remove,
                     std::uint64_t group = 1) {
  return Composition(list_of(std::move(event), neighbours, group)).epsilon_at(decimal(delta)).epsilon;
}
Certified delta_of(Event event, const char* epsilon, Neighbours neighbours = Neighbours::add_remove) {
  return Composition(list_of(std::move(event), neighbours)).delta_at(decimal(epsilon)).delta;
}
void expect_holds(const Certified& bound, double oracle, double error) {
  ASSERT_TRUE(bound.lower.has_value());
  EXPECT_LE(*bound.lower, oracle + error);
  EXPECT_GE(bound.upper, oracle - error);
  EXPECT_LE(bound.upper - *bound.lower, 4 * error + 1e-5 * oracle);
}

// Spec: O-09, O-12, B-09
TEST(Cost, LaplaceNoise) {
  expect_holds(epsilon_of({{}, Laplace{Rational(10)}, 50}, "1e-6"), 3.1207095987489, 1e-6);
  expect_holds(epsilon_of({{}, Laplace{Rational(10)}, 100}, "1e-6"), 4.6926674146802, 1e-6);
  expect_holds(delta_of({{}, Laplace{Rational(1)}, 2}, "0.7"), 0.308289345791653737, 1e-7);
}

// Spec: A-63, O-08, O-11
TEST(Cost, BlackBoxes) {
  expect_holds(epsilon_of({{}, BlackBox{Rational(1)}, 10}, "1e-6"), 9.999977065820733, 1e-9);
  expect_holds(epsilon_of({{}, BlackBox{decimal("0.1"), decimal("1e-8")}, 100}, "1e-5"), 4.329636714016606, 1e-8);
  expect_holds(delta_of({{}, BlackBox{decimal("0.5"), decimal("1e-4")}, 10}, "2"), 0.1463205955571029, 1e-9);
}

// Spec: A-64
TEST(Cost, BelowTheDeltasOfBlackBoxesEpsilonIsInfinite) {
  const Certified epsilon = epsilon_of({{}, BlackBox{decimal("0.1"), decimal("1e-6")}, 10}, "9.9999e-6");
  EXPECT_TRUE(std::isinf(epsilon.upper));
  EXPECT_TRUE(std::isfinite(epsilon_of({{}, BlackBox{decimal("0.1"), decimal("1e-6")}, 10}, "1e-5").upper));
}

// Spec: A-66, W-17
TEST(Cost, DifferentBlackBoxes) {
  EventList list = list_of({{}, BlackBox{decimal("0.1")}, 1});
  for (const char* epsilon : {"0.2", "0.3", "0.4", "0.5"}) list.events.push_back({{}, BlackBox{decimal(epsilon)}, 1});
  expect_holds(Composition(list).delta_at(Rational(1)).delta, 0.0436188546899, 1e-9);
  expect_holds(Composition(list).epsilon_at(decimal("0.01")).epsilon, 1.3234614747173, 1e-7);
}

// Spec: B-13, O-13
TEST(Cost, PoissonSampling) {
  const Event event{Poisson{decimal("0.01"), {}}, Gaussian{Rational(1)}, 1};
  expect_holds(epsilon_of(event, "1e-6"), 0.363947839615509, 1e-6);
  expect_holds(delta_of(event, "0.5"), 2.21451901315e-7, 1e-11);
  expect_holds(delta_of({Poisson{decimal("0.01"), {}}, Gaussian{Rational(1)}, 2}, "0.5"), 4.49721218477e-7, 1e-11);
}

// Spec: A-36
TEST(Cost, PoissonSamplingOfPureMechanisms) {
  const Event event{Poisson{decimal("0.01"), {}}, BlackBox{Rational(1)}, 1};
  EXPECT_NEAR(epsilon_of(event, "0").upper, 0.017036863236177, 1e-12);
  const Event laplace{Poisson{decimal("0.01"), {}}, Laplace{Rational(1)}, 1};
  EXPECT_NEAR(epsilon_of(laplace, "0").upper, 0.017036863236177, 1e-12);
}

// Spec: B-26
TEST(Cost, GroupsUnderPoissonSamplingAreMixtures) {
  const Event event{Poisson{decimal("0.01"), {}}, Gaussian{Rational(1)}, 100};
  const double one = epsilon_of(event, "1e-6").upper;
  const double three = epsilon_of(event, "1e-6", Neighbours::add_remove, 3).upper;
  EXPECT_GT(three, one);
  // Sharper than treating the group as one record of three times the norm that is sampled at three times the rate.
  const Event triple{Poisson{decimal("0.03"), {}}, Gaussian{Rational(1), Rational(3)}, 100};
  EXPECT_LT(three, epsilon_of(triple, "1e-6").upper);
}

// Spec: A-50
TEST(Cost, GroupsOfPlainMechanisms) {
  EXPECT_EQ(epsilon_of({{}, Laplace{Rational(10)}, 1}, "0", Neighbours::add_remove, 3).upper,
            epsilon_of({{}, Laplace{Rational(10), Rational(3)}, 1}, "0").upper);
  const Cost rho = cost({{}, Zcdp{decimal("0.1")}, 1}, Neighbours::add_remove, 3);
  EXPECT_EQ(rho.concentrated->rho, decimal("0.9"));
  const Cost box = cost({{}, BlackBox{decimal("0.5"), decimal("1e-6")}, 1}, Neighbours::add_remove, 3);
  EXPECT_NEAR(box.approximate->delta.to_double_up(), 5.3670030991592e-6, 1e-17);
}

// Spec: B-24
TEST(Cost, TreesAndMatrices) {
  EXPECT_NEAR(epsilon_of({{}, Tree{Rational(1), 1000}, 1}, "1e-6").upper, 20.6472982753, 1e-8);
  EXPECT_NEAR(epsilon_of({{}, Matrix{Rational(1), 1000}, 1}, "1e-6").upper, 9.73368377812, 1e-8);
}

// Spec: B-25
TEST(Cost, HiddenStateNeedsItsStatements) {
  HiddenState run{Rational(4), Rational(1), Rational(1), Rational(1), 100, 1, true, true, true};
  const Cost cost_of_first = cost({{}, run, 1}, Neighbours::replace_one);
  EXPECT_EQ(cost_of_first.concentrated->rho, decimal("0.00125"));
  EXPECT_FALSE(epsilon_of({{}, run, 1}, "1e-6", Neighbours::replace_one).lower.has_value());
  run.last_iterate_only = false;
  EXPECT_EQ(testing::refusal([&] { cost({{}, run, 1}, Neighbours::replace_one); }), Code::no_theorem);
}

// Spec: B-27
TEST(Cost, Tuning) {
  const Tuning geometric{Mechanism(BlackBox{decimal("0.1")}), Rational(1), decimal("0.1"), 0};
  EXPECT_EQ(cost({{}, geometric, 1}, Neighbours::add_remove).approximate->epsilon, decimal("0.3"));
  const Tuning fixed{Mechanism(BlackBox{decimal("0.1")}), Rational(1), {}, 10};
  EXPECT_EQ(cost({{}, fixed, 1}, Neighbours::add_remove).approximate->epsilon, Rational(1));
}

// Spec: B-19
TEST(Cost, ShufflingHasNoLowerBound) {
  const Certified epsilon = epsilon_of({{}, Shuffle{Rational(1), 1000}, 1}, "1e-6", Neighbours::replace_one);
  EXPECT_FALSE(epsilon.lower.has_value());
  EXPECT_NEAR(epsilon.upper, 0.1824123475, 1e-4);
  EXPECT_GE(epsilon.upper, 0.1824123475 - 1e-9);
  EXPECT_EQ(testing::refusal([] { epsilon_of({{}, Shuffle{Rational(1), 1000}, 1}, "1e-6"); }), Code::no_theorem);
}

// Spec: B-31
TEST(Cost, SelectionIsChargedByItsOwnRule) {
  const auto rho = [](Mechanism mechanism) {
    return cost({{}, std::move(mechanism), 1}, Neighbours::add_remove).concentrated->rho;
  };
  EXPECT_EQ(rho(Exponential{Rational(1)}), Rational(1, 8));
  EXPECT_EQ(rho(NoisyMax{Rational(1), NoisyMax::Noise::gumbel}), Rational(1, 8));
  EXPECT_EQ(rho(PermuteAndFlip{Rational(1)}), Rational(1, 2));  // four times as much
  EXPECT_EQ(rho(NoisyMax{Rational(1), NoisyMax::Noise::exponential}), Rational(1, 2));
  EXPECT_EQ(rho(SparseVector{Rational(1)}), Rational(1, 2));
  EXPECT_FALSE(epsilon_of({{}, SparseVector{Rational(1)}, 3}, "1e-6").lower.has_value());
}

TEST(Cost, KeyReleaseSpendsBothDeltas) {
  const KeyRelease keys{Mechanism(Laplace{Rational(1)}), 2, Rational(20)};
  const Certified epsilon = epsilon_of({{}, keys, 1}, "1e-6");
  EXPECT_LE(epsilon.upper, 2);
  EXPECT_TRUE(std::isinf(epsilon_of({{}, keys, 1}, "1e-9").upper));  // 1 - (1 - e^-19/2)^2 = 5.6e-9
}

// Whoever holds one key and is replaced by somebody with another moves two counts. Spelled out on two keys: x shows the
// first with count 1, y the second; the divergence is summed over which of the two are shown (what is shown has
// infinite loss, for the other data set cannot show it).
TEST(Cost, KeyReleaseHoldsForReplacedUnitsToo) {
  const KeyRelease keys{Mechanism(DiscreteLaplace{Rational(1)}), 2, Rational(8)};
  const Cost replaced = cost({{}, keys, 1}, Neighbours::replace_one);
  const double q = std::exp(-1.0);
  const double shown = std::pow(q, 7) / (1 + q);  // P(1 + noise >= 8)
  EXPECT_EQ(replaced.approximate->epsilon, Rational(2));
  EXPECT_GE(replaced.approximate->delta.to_double_up(), shown);  // the divergence of the pair above, at every epsilon
  EXPECT_LE(replaced.approximate->delta.to_double_up(), 2 * shown);
  EXPECT_EQ(testing::refusal([&] {
              cost({Poisson{Rational(1, 2), {}}, keys, 1}, Neighbours::replace_one);
            }),
            Code::no_theorem);
}

TEST(Cost, MixturesLieBetweenTheirParts) {
  const Mixture mixture{{Rational(1, 2), Rational(1, 2)},
                        {Mechanism(RandomisedResponse{Rational(1)}), Mechanism(RandomisedResponse{Rational(0)})}};
  // Half the time nothing is said.
  expect_holds(delta_of({{}, mixture, 1}, "0"), 0.5 * std::tanh(0.5), 1e-9);
}

// Spec: B-14
TEST(Cost, FixedSizeSamples) {
  const Event event{WithoutReplacement{100, 10000}, Gaussian{Rational(1)}, 1};
  const Certified epsilon = epsilon_of(event, "1e-6", Neighbours::replace_one);
  EXPECT_GE(epsilon.upper, 0.363947839615509 - 1e-4);
  EXPECT_LE(epsilon.upper, 0.363947839615509 + 1e-3);
  const Event again{WithReplacement{100, 10000}, Gaussian{Rational(1)}, 1};
  EXPECT_GT(epsilon_of(again, "1e-6", Neighbours::replace_one).upper, epsilon.upper);
}

// Spec: B-17
TEST(Cost, RandomAllocationCostsLessThanEveryStepAndMoreThanTruth) {
  const Event epoch{RandomAllocation{2}, Gaussian{Rational(1)}, 1};
  EXPECT_GE(delta_of(epoch, "1").upper, 0.0592065010859);
  EXPECT_GE(delta_of(epoch, "2").upper, 0.00474577763325);
}

// A number of releases beyond 10^12 is refused, also when it is a product that wraps around.
TEST(Cost, RunsInsideRunsDoNotWrapAround) {
  const std::uint64_t many = std::uint64_t{1} << 32;
  const Tuning inner{Mechanism(Laplace{Rational(1)}), Rational(1), {}, many};
  const Tuning outer{Mechanism(inner), Rational(1), {}, many};
  EXPECT_EQ(testing::refusal([&] { cost({{}, outer, 1}, Neighbours::add_remove); }), Code::bad_count);
  const KeyRelease keys{Mechanism(Laplace{Rational(1)}), many, Rational(40)};
  EXPECT_EQ(testing::refusal([&] {
              cost({{}, Tuning{Mechanism(keys), Rational(1), {}, many}, 1}, Neighbours::add_remove);
            }),
            Code::bad_count);
}

// Under both relations a Renyi curve after sampling is more than the add-remove theorem says.
TEST(Cost, SampledRenyiCurvesAreForAddRemoveAlone) {
  for (const Mechanism& mechanism : {Mechanism(Zcdp{decimal("0.5")}), Mechanism(Gdp{Rational(1)})}) {
    const Event event{Poisson{decimal("0.01"), {}}, mechanism, 1000};
    EXPECT_EQ(testing::refusal([&] { cost(event, Neighbours::both); }), Code::no_theorem);
    EXPECT_NO_THROW(cost(event, Neighbours::add_remove));
  }
}

// A sample of almost everybody costs what a sample of everybody costs, in every relation.
TEST(Cost, TheRateMayGoToOne) {
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace_one, Neighbours::both}) {
    const auto at = [&](const char* rate) {
      return epsilon_of({Poisson{decimal(rate), {}}, Gaussian{Rational(1)}, 1}, "1e-6", neighbours).upper;
    };
    EXPECT_NEAR(at("0.9999999"), at("1"), 1e-3);
    EXPECT_LE(at("0.99"), at("1"));
  }
}

// Spec: B-25
TEST(Cost, HiddenIteratesAreNotSampledAndSayWhomTheyCover) {
  const HiddenState run{Rational(4), Rational(1), Rational(1), Rational(1), 100, 1, true, true, true};
  EXPECT_EQ(testing::refusal([&] {
              cost({WithoutReplacement{5, 100}, run, 1}, Neighbours::replace_one);
            }),
            Code::no_theorem);
  const Guarantee guarantee = Composition(list_of({{}, run, 1}, Neighbours::replace_one)).epsilon_at(decimal("1e-6"));
  EXPECT_TRUE(std::any_of(guarantee.notes.begin(), guarantee.notes.end(),
                          [](const std::string& note) { return note.find("first 1 of 100") != std::string::npos; }));
}

// ln(1 + 0.01 (e - 1)) = 0.017036863236176549786: no lower end above it.
TEST(Cost, RoundedEpsilonsAreNoLowerEnds) {
  const Certified epsilon = epsilon_of({Poisson{decimal("0.01"), {}}, Laplace{Rational(1)}, 1}, "0");
  EXPECT_LE(epsilon.lower.value_or(0), 0.01703686323617654);
  EXPECT_GE(epsilon.upper, 0.017036863236176549);
}

TEST(Cost, SampledDiscreteGaussianHasATheorem) {
  EXPECT_GT(
      epsilon_of({WithoutReplacement{50, 1000}, DiscreteGaussian{Rational(5)}, 10}, "1e-6", Neighbours::replace_one)
          .upper,
      0);
  EXPECT_GT(epsilon_of({Poisson{decimal("0.01"), {}}, DiscreteGaussian{Rational(1000)}, 10}, "1e-6").upper, 0);
}

// Losses far beyond the doubles are summed, not lost.
TEST(Cost, HugeEpsilonsStayHuge) {
  for (const char* epsilon : {"1e4", "7.5e8", "1e12"}) {
    for (const std::uint64_t categories : {2, 3}) {
      const Certified plain = epsilon_of({{}, RandomisedResponse{decimal(epsilon), categories}, 1}, "1e-6");
      EXPECT_GE(plain.upper, 0.99 * decimal(epsilon).to_double_down());
      const Event event{Poisson{Rational(1, 2), {}}, RandomisedResponse{decimal(epsilon), categories}, 1};
      EXPECT_GE(epsilon_of(event, "1e-6").upper, 0.99 * decimal(epsilon).to_double_down());
    }
    EXPECT_GE(epsilon_of({Poisson{Rational(1, 2), {}}, Exponential{decimal(epsilon)}, 1}, "1e-6").upper, 1);
  }
  EXPECT_GT(epsilon_of({Poisson{Rational(1, 2), {}}, DiscreteGaussian{decimal("1e-5")}, 1}, "1e-6").upper, 1e3);
}

// Each combination that has no theorem is refused by that name, and no other error.
TEST(Cost, EveryCombinationIsAnsweredOrRefusedByName) {
  const std::vector<Mechanism> mechanisms{
      Gaussian{Rational(2)},
      DiscreteGaussian{Rational(3)},
      Laplace{Rational(2)},
      DiscreteLaplace{Rational(2)},
      RandomisedResponse{Rational(1), 3},
      Exponential{Rational(1)},
      PermuteAndFlip{Rational(1)},
      NoisyMax{Rational(1)},
      SparseVector{Rational(1)},
      Staircase{Rational(1), Rational(1, 2)},
      BlackBox{Rational(1), decimal("1e-9")},
      Zcdp{decimal("0.1")},
      Zcdp{decimal("0.1"), decimal("1e-9")},
      Renyi{{Rational(2), Rational(8)}, {decimal("0.1"), decimal("0.4")}},
      Gdp{decimal("0.5")},
      Tree{Rational(5), 16},
      Matrix{Rational(5), 16},
      HiddenState{Rational(4), Rational(1), Rational(1), Rational(1), 10, 2, true, true, true},
      Shuffle{Rational(1), 100},
      Mixture{{Rational(1, 3), Rational(2, 3)}, {Mechanism(Laplace{Rational(2)}), Mechanism(Gaussian{Rational(2)})}},
      KeyRelease{Mechanism(DiscreteLaplace{Rational(1)}), 2, Rational(40)},
      Tuning{Mechanism(Gaussian{Rational(3)}), Rational(0), decimal("0.1"), 0}};
  const std::vector<std::optional<Sampler>> samplers{std::nullopt,
                                                     Poisson{decimal("0.1"), {}},
                                                     Poisson{decimal("0.1"), Poisson::Cut{300, 1000}},
                                                     WithoutReplacement{10, 100},
                                                     WithReplacement{10, 100},
                                                     ShuffledBatches{10},
                                                     RandomAllocation{10},
                                                     AllOrNothing{decimal("0.1")}};
  int answered = 0;
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace_one, Neighbours::both}) {
    for (const auto& sampler : samplers) {
      for (const Mechanism& mechanism : mechanisms) {
        for (const std::uint64_t group : {1, 2}) {
          const EventList list = list_of({sampler, mechanism, 2}, neighbours, group);
          const std::string what = canonical_json(list);
          try {
            const Certified epsilon = Composition(list).epsilon_at(decimal("1e-5"), 1e-2).epsilon;
            EXPECT_GT(epsilon.upper, 0) << what;
            EXPECT_FALSE(std::isnan(epsilon.upper)) << what;
            EXPECT_LE(epsilon.lower.value_or(0), epsilon.upper) << what;
            ++answered;
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), Code::no_theorem) << what << "\n" << error.str();
          }
        }
      }
    }
  }
  EXPECT_GT(answered, 150);
}

}  // namespace
}  // namespace dither::accounting
