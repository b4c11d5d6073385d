#include "accounting/loss_distribution.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <type_traits>

#include "accounting/lattice.h"
#include "accounting/lattice_check.h"
#include "accounting/native_atoms.h"
#include "testing/refusal.h"

namespace dither::accounting {

namespace {

using Kind = LossDistribution::Kind;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Both {
  LossDistribution high;
  LossDistribution low;
};

Both both(const Loss& loss, double step, double tail = 1e-18) {
  return {LossDistribution::discretise(loss, step, tail, Kind::pessimistic),
          LossDistribution::discretise(loss, step, tail, Kind::optimistic)};
}

// A random loss with atoms on multiples of 1/8 whose masses under Q sum to 1 as well: a mixture of binary responses.
AtomLoss random_atoms() {
  std::vector<double> p(33, 0);
  double total = 0;
  const int parts = *rc::gen::inRange(1, 5);
  for (int i = 0; i < parts; ++i) {
    const int size = *rc::gen::inRange(1, 16);
    const double weight = *rc::gen::inRange(1, 100);
    const double epsilon = size / 8.0;
    p[16 + static_cast<std::size_t>(size)] += weight / (1 + std::exp(-epsilon));
    p[16 - static_cast<std::size_t>(size)] += weight / (1 + std::exp(epsilon));
    total += weight;
  }
  AtomLoss loss;
  for (int i = 0; i < 33; ++i) {
    const double mass = p[static_cast<std::size_t>(i)];
    if (mass > 0) loss.atoms.push_back({(i - 16) / 8.0, mass / total});
  }
  return loss;
}

}  // namespace

static_assert(!std::is_convertible_v<TailProbability, double>, "a tail probability is not a delta");

// Spec, C-08
TEST(LossDistribution, GaussianDeltaAndTail) {
  const auto [high, low] = both(GaussianLoss{1}, 1e-3);
  const double exact = 4.7122412007931e-5;
  EXPECT_GE(high.delta(4), exact);
  EXPECT_LE(low.delta(4), exact);
  EXPECT_LE(high.delta(4) / low.delta(4), 1 + 1e-5);
  const double tail = 2.32629079035525e-4;  // P(Z > 4): five times the delta
  EXPECT_NEAR(high.tail_delta(4).value, tail, 5e-3 * tail);
  EXPECT_GT(low.tail_delta(4).value, 4 * high.delta(4));
}

// The three forms of A-13: probabilities under both laws, the mean of positive parts, and the integral of the tail.
// Spec: A-13
TEST(LossDistribution, ThreeFormsAgree) {
  const LossDistribution loss = LossDistribution::discretise(GaussianLoss{1}, 1e-3, 1e-18, Kind::pessimistic);
  const double epsilon = 1;
  double first = 0;
  double third = 0;
  double tail = 0;
  for (std::size_t i = loss.size(); i-- > 0 && loss.loss_at(i) > epsilon;) {
    first += loss.mass_at(i) - std::exp(epsilon) * loss.other_mass_at(i);
    tail += loss.mass_at(i);
    const double below = std::max(loss.loss_at(i) - loss.step(), epsilon);
    third += tail * (std::exp(epsilon - below) - std::exp(epsilon - loss.loss_at(i)));
  }
  EXPECT_NEAR(first, 0.12693673750664395, 1e-6);
  EXPECT_NEAR(first, loss.delta(epsilon), 1e-10);
  EXPECT_NEAR(third, loss.delta(epsilon), 1e-10);
}

// Spec
TEST(LossDistribution, DistancesOfKnownPairs) {
  const auto gaussian = both(GaussianLoss{1}, 1e-3);
  EXPECT_NEAR(gaussian.high.total_variation(), 0.382924922548026, 1e-6);
  EXPECT_GE(gaussian.high.total_variation(), 0.382924922548026);
  EXPECT_LE(gaussian.low.total_variation(), 0.382924922548026);
  EXPECT_NEAR(gaussian.high.kl(), 0.5, 1e-6);
  EXPECT_NEAR(gaussian.high.accuracy(), 0.69146246127, 1e-6);
  const auto response = both(worst_case(1), 0.125);
  EXPECT_NEAR(response.high.kl(), 0.46211715726, 1e-11);
  EXPECT_NEAR(response.high.accuracy(), 0.73105857863, 1e-11);
  EXPECT_NEAR(both(LaplaceLoss{1}, 1e-3).high.kl(), 0.36787944117, 1e-6);
  EXPECT_NEAR(both(worst_case(1, 0.01), 0.125).high.accuracy(), 0.73374799284, 1e-11);
  EXPECT_EQ(both(worst_case(1, 0.01), 0.125).high.kl(), kInfinite);
}

// Spec
TEST(LossDistribution, InfiniteMassStays) {
  const LossDistribution leak =
      LossDistribution::discretise(black_box(Rational(1, 10), Rational(1, 10'000'000)), 0.05, 1e-18, Kind::pessimistic);
  EXPECT_NEAR(leak.infinite_mass(), 1e-7, 1e-20);
  EXPECT_GE(leak.delta(100), 1e-7);
  EXPECT_EQ(leak.epsilon(0.5e-7), kInfinite);
  const Bounds again = delta_by_lattice(std::vector<Step>{{leak.atoms(), std::nullopt, 1}}, 0.05, 1e-9);
  EXPECT_NEAR(again.upper, leak.delta(0.05), 1e-13);
  const LossDistribution ten = leak.self_compose(10);
  EXPECT_NEAR(ten.infinite_mass(), 9.9999955e-7, 1e-15);
  EXPECT_LE(ten.epsilon(1e-3), 1);
}

// Spec: A-10, B-10
TEST(LossDistribution, TradeoffCurves) {
  const auto gaussian = both(GaussianLoss{1}, 1e-3);
  EXPECT_NEAR(gaussian.high.tradeoff(0.05), 0.74048897715856, 1e-6);
  EXPECT_LE(gaussian.high.tradeoff(0.05), 0.74048897715856);
  EXPECT_GE(gaussian.low.tradeoff(0.05), 0.74048897715856);
  EXPECT_NEAR(both(GaussianLoss{0.5}, 1e-3).high.tradeoff(0.01), 0.96610106087716, 1e-6);
  const auto response = both(worst_case(1, 0.01), 0.25);
  EXPECT_NEAR(response.high.tradeoff(0.1), 0.7181718171541, 1e-11);  // inside the top atom: a randomised test
  double before = 1;
  double slope_before = -kInfinite;
  for (int i = 0; i <= 100; ++i) {
    const double alpha = i / 100.0;
    const double now = gaussian.high.tradeoff(alpha);
    EXPECT_LE(now, 1 - alpha);
    if (i > 0) {
      EXPECT_LE(now, before);
      EXPECT_GE(now - before, slope_before - 1e-9);
      slope_before = now - before;
    }
    before = now;
  }
}

// Spec: A-12
TEST(LossDistribution, MassUnderTheOtherLawIsOne) {
  const Loss step = MixtureLoss{1 / 1.1, {1 - 256 / 60000.0, 256 / 60000.0}, Direction::remove};
  const LossDistribution loss = LossDistribution::discretise(step, 1e-3, 1e-18, Kind::pessimistic);
  double under_q = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) under_q += loss.other_mass_at(i);
  EXPECT_NEAR(under_q, 1, 1e-12);
  // A pair that is none: P = Q up to a loss of 1 everywhere.
  EXPECT_EQ(testing::refusal([] {
              LossDistribution::discretise(AtomLoss{{{-1, 0.5}, {0.1, 0.5}}, 0}, 0.1, 1e-18, Kind::pessimistic);
            }),
            Code::bad_weights);
}

// Spec: A-17
TEST(LossDistribution, PureLossesHaveACappedTopAtom) {
  both(worst_case(1), 0.25).high.require_pure(1);
  both(LaplaceLoss{1}, 0.01).high.require_pure(1);
  const AtomLoss heavy{{{-2, (1 - 0.75) * 0.5}, {0, (1 - 0.75) * 0.5}, {1, 0.75}}, 0};
  EXPECT_EQ(testing::refusal([&] { both(heavy, 0.25).high.require_pure(1); }), Code::bad_weights);
  EXPECT_EQ(testing::refusal([&] { both(worst_case(1.25), 0.25).high.require_pure(1); }), Code::bad_weights);
  EXPECT_EQ(testing::refusal([&] { both(worst_case(1, 1e-9), 0.25).high.require_pure(1); }), Code::bad_weights);
}

// Spec: A-11
TEST(LossDistribution, DualTwiceIsTheSame) {
  const Loss remove = MixtureLoss{1, {0.9, 0.1}, Direction::remove};
  const Loss add = MixtureLoss{1, {0.9, 0.1}, Direction::add};
  for (const Kind kind : {Kind::pessimistic, Kind::optimistic}) {
    const LossDistribution loss = LossDistribution::discretise(remove, 1e-3, 1e-18, kind);
    EXPECT_EQ(loss.dual().dual(), loss);
    const LossDistribution other = LossDistribution::discretise(add, 1e-3, 1e-18, kind);
    for (const double epsilon : {-0.2, 0.01, 0.05, 0.1}) {
      EXPECT_NEAR(loss.dual().delta(epsilon), other.delta(epsilon), 1e-9) << epsilon;
    }
  }
}

// One order of the neighbours alone is no guarantee: each of the two is the larger one somewhere.
// Spec: C-10
TEST(LossDistribution, BothDirectionsMatter) {
  const AtomLoss skewed{{{std::log(0.5 / 0.9), 0.5}, {std::log(0.5 / 0.1), 0.5}}, 0};
  const LossDistribution one = LossDistribution::discretise(skewed, 1e-3, 1e-18, Kind::pessimistic);
  EXPECT_GT(one.delta(1), one.dual().delta(1) + 0.1);
  const LossDistribution other = one.dual();
  EXPECT_GT(other.dual().delta(1), other.delta(1) + 0.1);  // planted: asking `other` alone misses 0.1
  // The top atom 2^-k of A-04 belongs to one direction too.
  EXPECT_NEAR(one.self_compose(10).tail_delta(10 * std::log(5) - 0.01).value, std::ldexp(1, -10), 1e-7);
}

// Spec: A-16, O-12
TEST(LossDistribution, CompositionOfTwo) {
  const auto once = both(LaplaceLoss{1}, 1e-3);
  const double exact = 0.308289345791653737;
  EXPECT_GE(once.high.compose(once.high).delta(0.7), exact);
  EXPECT_LE(once.low.compose(once.low).delta(0.7), exact);
  EXPECT_NEAR(once.high.compose(once.high).delta(0.7), exact, 1e-6);
  EXPECT_EQ(testing::refusal([&] { once.high.compose(once.low); }), Code::wrong_type);
  EXPECT_EQ(testing::refusal([&] { once.high.compose(both(LaplaceLoss{1}, 2e-3).high); }), Code::bad_grid);
  EXPECT_EQ(testing::refusal([&] { once.high.self_compose(0); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { once.high.self_compose(1'000'000); }), Code::out_of_range);
}

// Spec: B-06
TEST(LossDistribution, UntiltedTransformsKnowTheirFloor) {
  const auto half = both(GaussianLoss{std::sqrt(0.5)}, 5e-4);
  const LossDistribution whole = half.high.compose(half.high);
  ASSERT_GT(whole.floor(), 0);
  EXPECT_LT(whole.floor(), 1e-7);
  EXPECT_GE(whole.delta(4), 4.7122412007931e-5);
  EXPECT_NEAR(whole.delta(4), 4.7122412007931e-5, 1e-8);
  EXPECT_EQ(testing::refusal([&] { whole.epsilon(9.8127058268e-23); }), Code::below_floor);
  EXPECT_LE(half.low.compose(half.low).delta(10), 9.8127058268e-23);
}

// Rounding every loss down or up, against connect-the-dots, on one grid.
// Spec: B-04
TEST(LossDistribution, RoundingOrder) {
  const double step = 0.01;
  AtomLoss down{{{-0.1, std::exp(-0.1) / 2}}, 0};
  AtomLoss up = down;
  for (int i = 0; i < 20; ++i) {
    const double low = -0.1 + i * step;
    const double mass = (std::exp((low + step - 0.1) / 2) - std::exp((low - 0.1) / 2)) / 2;
    if (i == 0) down.atoms[0].mass += mass;
    if (i > 0) down.atoms.push_back({low, mass});
    up.atoms.push_back({low + step, mass});
  }
  down.atoms.push_back({0.1, 0.5});
  up.atoms.back().mass += 0.5;
  const double exact = 0.99897808944722;  // ten releases at 1e-6
  const auto at = [](const AtomLoss& loss) {
    return epsilon_by_lattice(std::vector<Step>{{loss, std::nullopt, 10}}, 1e-6, 1e-9);
  };
  const LossDistribution dots = LossDistribution::discretise(LaplaceLoss{0.1}, step, 1e-18, Kind::pessimistic);
  const double connected = dots.self_compose(10).epsilon(1e-6);
  EXPECT_LT(at(down).upper, exact);
  EXPECT_LE(exact, connected);
  EXPECT_LT(connected, at(up).lower);
}

// Spec: A-30
RC_GTEST_PROP(LossDistribution, MergingAtomsNeverHelpsTheAttacker, ()) {
  const AtomLoss loss = random_atoms();
  const auto first = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(loss.atoms.size()) - 1));
  const AtomLoss merged = merge_atoms(loss, first, 2);
  RC_ASSERT(merged.atoms.size() + 1 == loss.atoms.size());
  const double epsilon = *rc::gen::inRange(-160, 160) / 100.0;
  const auto delta = [&](const AtomLoss& atoms) {
    return delta_by_lattice(std::vector<Step>{{atoms, std::nullopt, 1}}, epsilon, 1e-9);
  };
  RC_ASSERT(delta(merged).lower <= delta(loss).upper);
  // Renyi moments do not grow either.
  const double order = *rc::gen::inRange(1, 80) / 10.0;
  const auto moment = [&](const AtomLoss& atoms) {
    double sum = 0;
    for (const LossAtom& atom : atoms.atoms) sum += atom.mass * std::exp(order * atom.loss);
    return sum;
  };
  RC_ASSERT(moment(merged) <= moment(loss) * (1 + 1e-12));
}

RC_GTEST_PROP(LossDistribution, AlgebraHolds, ()) {
  const LossDistribution a = LossDistribution::discretise(random_atoms(), 0.125, 1e-18, Kind::pessimistic);
  const LossDistribution b = LossDistribution::discretise(random_atoms(), 0.125, 1e-18, Kind::pessimistic);
  const double epsilon = *rc::gen::inRange(-300, 600) / 100.0;
  const double ab = a.compose(b).delta(epsilon);
  RC_ASSERT(std::abs(ab - b.compose(a).delta(epsilon)) <= 1e-13);
  RC_ASSERT(std::abs(a.self_compose(5).delta(epsilon) - a.self_compose(2).compose(a.self_compose(3)).delta(epsilon)) <=
            1e-12);
  RC_ASSERT(a.dual().dual() == a);
  RC_ASSERT(std::abs(a.compose(b).dual().delta(epsilon) - a.dual().compose(b.dual()).delta(epsilon)) <= 1e-12);
  // Convex and falling in e^epsilon, between (1 - e^epsilon)+ and 1.
  const auto at = [&](double ratio) { return a.delta(std::log(ratio)); };
  const double ratio = std::exp(epsilon / 4);
  RC_ASSERT(at(ratio) + at(1.2 * ratio) >= 2 * at(1.1 * ratio) - 1e-12);
  RC_ASSERT(at(ratio) >= at(1.1 * ratio) - 1e-15);
  RC_ASSERT(at(ratio) >= 1 - ratio - 1e-12);
  // From epsilon to delta and back.
  const double delta = a.delta(0.3);
  if (delta > 1e-9) RC_ASSERT(a.epsilon(delta) <= 0.3 + 1e-9);
}

// Spec: A-13
TEST(LossDistribution, InversionIsExactBetweenAtoms) {
  const LossDistribution three =
      LossDistribution::discretise(worst_case(1), 1, 1e-18, Kind::pessimistic).self_compose(3);
  EXPECT_NEAR(three.epsilon(0.1), 2.70436219895168, 1e-12);
  EXPECT_GE(three.epsilon(0.1), 2.70436219895168 - 1e-15);
  EXPECT_EQ(three.epsilon(1), 0);
  EXPECT_NEAR(three.epsilon(0), 3, 1e-9);
  EXPECT_EQ(testing::refusal([&] { three.epsilon(-1); }), Code::bad_probability);
}

}  // namespace dither::accounting
