#include "accounting/native_atoms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/big_interval.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

constexpr long kBits = 200;

BigInterval exact(const Rational& value) { return {value, kBits}; }

// Within 2^-51 of the exact number.
bool close(double value, const BigInterval& truth) {
  return std::abs(value - truth.low_double()) <= 0x1p-51 * std::abs(value);
}

double total(const AtomLoss& law) {
  double sum = law.infinite_mass;
  for (const LossAtom& atom : law.atoms) sum += atom.mass;
  return sum;
}

double other_total(const AtomLoss& law) {
  double sum = 0;
  for (const LossAtom& atom : law.atoms) sum += atom.mass * std::exp(-atom.loss);
  return sum;
}

double delta_at(const AtomLoss& law, double epsilon) {
  double sum = law.infinite_mass;
  for (const LossAtom& atom : law.atoms) {
    if (atom.loss > epsilon) sum -= atom.mass * std::expm1(epsilon - atom.loss);
  }
  return sum;
}

double renyi(const AtomLoss& law, double order) {
  double sum = 0;
  for (const LossAtom& atom : law.atoms) sum += atom.mass * std::expm1((order - 1) * atom.loss);
  return std::log1p(sum) / (order - 1);
}

const AtomLoss& atoms(const Loss& loss) { return std::get<AtomLoss>(loss); }

const std::vector<double> kOrders{1.5, 2, 8, 32};

void expect_rdp(const AtomLoss& law, const std::function<double(double)>& rdp) {
  for (const double order : kOrders) {
    EXPECT_NEAR(rdp(order) / renyi(law, order), 1, 1e-10) << "at order " << order;
  }
}

// Whether `high` dominates `low`: on a dense grid of epsilons, also negative ones (B-01).
bool dominates(const AtomLoss& high, const AtomLoss& low, double reach) {
  for (int i = -400; i <= 400; ++i) {
    const double epsilon = reach * i / 400;
    if (delta_at(high, epsilon) < delta_at(low, epsilon) - 1e-12) return false;
  }
  return true;
}

// Spec: B-11, B-31
TEST(NativeAtoms, KAryResponseHasThreeLosses) {
  const AtomLoss law = k_ary_response(1, 5);
  ASSERT_EQ(law.atoms.size(), 3u);
  const BigInterval e = exp(exact(1));
  EXPECT_EQ(law.atoms[0].loss, -1);
  EXPECT_TRUE(close(law.atoms[0].mass, exact(1) / (e + exact(4))));
  EXPECT_TRUE(close(law.atoms[1].mass, exact(3) / (e + exact(4))));
  EXPECT_TRUE(close(law.atoms[2].mass, e / (e + exact(4))));
  EXPECT_NEAR(k_ary_response_rdp(1, 2, 2), .73532566405552, 1e-13);
  EXPECT_NEAR(k_ary_response_rdp(Rational(1, 2), 2, 10), .44733309609428, 1e-13);
  EXPECT_NEAR(k_ary_response_rdp(1, 2, 4), .89588325964518, 1e-13);
  for (const std::uint64_t k : {2, 3, 7}) {
    for (const Rational& e0 : {Rational(1, 10), Rational(1), Rational(8)}) {
      const AtomLoss k_law = k_ary_response(e0, k);
      EXPECT_NEAR(total(k_law), 1, 1e-15);
      EXPECT_NEAR(other_total(k_law), 1, 1e-15);
      expect_rdp(k_law, [&](double order) { return k_ary_response_rdp(e0, k, order); });
    }
  }
}

TEST(NativeAtoms, HugeEpsilonFoldsUpwards) {
  const AtomLoss law = k_ary_response(1000, 2);
  ASSERT_EQ(law.atoms.size(), 1u);
  EXPECT_EQ(law.atoms[0], (LossAtom{1000, 1}));
  EXPECT_EQ(k_ary_response(0, 2), no_loss());
  EXPECT_EQ(k_ary_response_rdp(0, 2, 2), 0);
  EXPECT_LE(k_ary_response_rdp(1000, 2, 100), 1000);
}

// Spec: A-64
TEST(NativeAtoms, BlackBoxIsTheWorstMechanism) {
  const AtomLoss law = black_box(Rational(1, 2), Rational::parse("1e-4"));
  ASSERT_EQ(law.atoms.size(), 2u);
  EXPECT_EQ(law.infinite_mass, 1e-4);
  const BigInterval rest = exact(Rational::parse("0.9999"));
  EXPECT_TRUE(close(law.atoms[1].mass, rest / (exact(1) + exp(exact(Rational(-1, 2))))));
  EXPECT_NEAR(total(law), 1, 1e-15);
  EXPECT_NEAR(delta_at(law, .5), 1e-4, 1e-19);
  EXPECT_EQ(black_box(3, 1).infinite_mass, 1);
}

// Spec: A-32
// min(N(1,1), e N(0,1)) has mass 1 - delta, so the part of the pair beyond delta is the black box's response.
TEST(NativeAtoms, BlackBoxDominatesTheGaussianItDescribes) {
  const double delta = .12693673750664395;  // of N(1, 1) and N(0, 1) at epsilon 1
  const AtomLoss law = black_box(1, Rational::from_double(delta));
  EXPECT_NEAR(total(law) - law.infinite_mass, .87306326249336, 1e-13);
  const auto gaussian = [](double e) {
    return .5 * std::erfc((e - .5) / M_SQRT2) - std::exp(e) * .5 * std::erfc((e + .5) / M_SQRT2);
  };
  for (double e = -3; e < 1; e += .01) EXPECT_GE(delta_at(law, e), gaussian(e) - 1e-12) << e;
}

// The density itself, integrated over a fine grid whose cells hold the breaks when 64 gamma is whole.
AtomLoss staircase_by_hand(double epsilon, double gamma, double shift) {
  const auto level = [gamma](double x) { return std::floor(std::abs(x) + 1 - gamma); };
  const double a = -std::expm1(-epsilon) / (2 * (gamma + std::exp(-epsilon) * (1 - gamma)));
  std::vector<double> mass(3);
  const int cells = 64;
  for (int i = -60 * cells; i < 60 * cells; ++i) {
    const double x = (i + .5) / cells;
    const double p = a * std::exp(-epsilon * level(x - shift)) / cells;
    mass[static_cast<std::size_t>(level(x) - level(x - shift) + 1)] += p;
  }
  return {{{-epsilon, mass[0]}, {0, mass[1]}, {epsilon, mass[2]}}, 0};
}

// Spec: B-31
TEST(NativeAtoms, StaircaseIsTheDensityAtFullShiftAndDominatesSmallerOnes) {
  for (const int sixteenths : {0, 3, 5, 8, 11, 16}) {
    const AtomLoss law = staircase(1, Rational(sixteenths, 16));
    const AtomLoss direct = staircase_by_hand(1, sixteenths / 16.0, 1);
    for (double e = -1.5; e < 1.5; e += .1) EXPECT_NEAR(delta_at(law, e), delta_at(direct, e), 1e-12);
    for (int shift = 1; shift < 16; ++shift) {
      EXPECT_TRUE(dominates(law, staircase_by_hand(1, sixteenths / 16.0, shift / 16.0), 1.5))
          << sixteenths << " " << shift;
    }
    expect_rdp(law, [&](double order) { return staircase_rdp(1, Rational(sixteenths, 16), order); });
  }
  EXPECT_EQ(staircase(1, Rational(1, 2)), k_ary_response(1, 2));
}

// Twin: taking every outcome between the peaks for silent is wrong.
TEST(NativeAtoms, PlantedStaircaseWithTooLittleWeightIsCaught) {
  EXPECT_FALSE(dominates(lazy_response(1, Rational(3, 4)), staircase_by_hand(1, .25, 1), 1.5));
}

// Spec: A-49, B-31
TEST(NativeAtoms, MixturesMixTheMasses) {
  const std::vector<Rational> weights{Rational(1, 4), Rational(3, 4)};
  const AtomLoss law = mixture(weights, {k_ary_response(1, 3), black_box(1, Rational(1, 100))});
  EXPECT_NEAR(total(law), 1, 1e-15);
  EXPECT_EQ(law.atoms.size(), 3u);
  EXPECT_NEAR(law.infinite_mass, .0075, 1e-17);
  const std::vector<Rational> coin{Rational(99, 100), Rational(1, 100)};
  EXPECT_NEAR(mixture_rdp(coin, {.1, 5}, 2), .947111184471, 1e-11);
  EXPECT_EQ(mixture_rdp(coin, {.1, kInfinity}, 2), kInfinity);
  const AtomLoss two = mixture(weights, {k_ary_response(1, 3), k_ary_response(2, 2)});
  expect_rdp(two, [&](double order) {
    return mixture_rdp(weights, {k_ary_response_rdp(1, 3, order), k_ary_response_rdp(2, 2, order)}, order);
  });
}

// Spec: B-31, F-67
TEST(NativeAtoms, DiscreteLaplaceIsExact) {
  for (const std::uint64_t d : {1, 2, 5, 40}) {
    const Rational scale(7, 2);
    const Step step = discrete_laplace(scale, d);
    EXPECT_FALSE(step.below);
    const AtomLoss& law = atoms(step.above);
    ASSERT_EQ(law.atoms.size(), d + 1);
    const BigInterval r = exp(exact(-1 / scale));
    const BigInterval top = exact(1) / (exact(1) + r);
    EXPECT_TRUE(close(law.atoms[d].mass, top));
    for (std::uint64_t y = 1; y < d; ++y) {
      const Rational away(static_cast<long>(d - y));
      EXPECT_TRUE(close(law.atoms[y].mass, (exact(1) - r) * top * exp(exact(-away / scale))));
      EXPECT_TRUE(close(law.atoms[y].loss,
                        exact((Rational(static_cast<long>(2 * y)) - Rational(static_cast<long>(d))) / scale)));
    }
    EXPECT_NEAR(other_total(law), 1, 1e-14);
    expect_rdp(law, [&](double order) { return discrete_laplace_rdp(scale, d, order); });
  }
  EXPECT_EQ(atoms(discrete_laplace(2, 1).above), k_ary_response(Rational(1, 2), 2));
}

TEST(NativeAtoms, CoarseDiscreteLaplaceEnclosesTheExactOne) {
  for (const std::size_t most : {4, 5, 11, 30}) {
    const AtomLoss whole = atoms(discrete_laplace(50, 100).above);
    const Step coarse = discrete_laplace(50, 100, most);
    EXPECT_LE(atoms(coarse.above).atoms.size(), most);
    EXPECT_NEAR(total(atoms(coarse.above)), 1, 1e-14);
    EXPECT_NEAR(other_total(atoms(coarse.above)), 1, 1e-14);
    EXPECT_NEAR(total(atoms(*coarse.below)), 1, 1e-14);
    EXPECT_NEAR(other_total(atoms(*coarse.below)), 1, 1e-14);
    EXPECT_TRUE(dominates(atoms(coarse.above), whole, 3)) << most;
    EXPECT_TRUE(dominates(whole, atoms(*coarse.below), 3)) << most;
  }
  const Step large = discrete_laplace(1'000'000'000, 1'000'000'000);
  const double above = delta_at(atoms(large.above), .5);
  EXPECT_NEAR(above, 1 - std::exp(-.25), 1e-7);  // continuous Laplace noise: B-09
  EXPECT_LE(delta_at(atoms(*large.below), .5), above);
}

// Spec: B-31, F-70
TEST(NativeAtoms, DiscreteGaussianIsExact) {
  for (const auto& [sigma, d] : {std::pair{Rational(1, 3), 1}, {Rational(2), 1}, {Rational(2), 3}, {Rational(10), 7}}) {
    const std::vector<Step> steps = discrete_gaussian(sigma, static_cast<std::uint64_t>(d));
    ASSERT_EQ(steps.size(), 1u);
    const AtomLoss& law = atoms(steps[0].above);
    BigInterval theta = exact(0);
    const Rational c = 1 / (2 * sigma * sigma);
    for (long k = -400; k <= 400; ++k) theta += exp(exact(-c * Rational(k * k)));
    for (const LossAtom& atom : law.atoms) {
      const long x = std::lround((atom.loss / (c.to_double_up() * d) - d) / 2);
      EXPECT_TRUE(close(atom.loss, exact(c * Rational(d) * Rational(2 * x + d))));
      EXPECT_TRUE(close(atom.mass, exp(exact(-c * Rational(x * x))) / theta)) << x;
    }
    EXPECT_LE(law.infinite_mass, 1e-150);
    EXPECT_NEAR(other_total(law), 1, 1e-13);
    EXPECT_NEAR(total(atoms(*steps[0].below)), 1, 1e-13);
    EXPECT_TRUE(dominates(law, atoms(*steps[0].below), 10));
    for (const double order : {2., 8., 32.}) {
      if (order * d > Rational(18 * sigma).to_double_down()) continue;  // the moment lives where no atoms are kept
      EXPECT_NEAR(discrete_gaussian_rdp(sigma, static_cast<std::uint64_t>(d), order) / renyi(law, order), 1, 1e-10);
    }
  }
  expect_rdp(atoms(discrete_gaussian(3, 1)[0].above), [](double order) { return discrete_gaussian_rdp(3, 1, order); });
}

TEST(NativeAtoms, FarShiftsOfTheDiscreteGaussianAreAlmostSurelySeen) {
  for (const std::uint64_t d : {60, 120, 1'000'000}) {
    const AtomLoss law = atoms(discrete_gaussian(1, d)[0].above);
    EXPECT_NEAR(total(law), 1, 1e-13);
    EXPECT_NEAR(delta_at(law, 10), 1, 1e-13);
  }
}

// The exact atoms at sigma = 200 lie between the Gaussians that stand for them when fewer atoms are allowed.
TEST(NativeAtoms, GaussianSandwichHoldsTheDiscreteGaussian) {
  const auto delta = [](double mu, double e) {
    return .5 * std::erfc((e / mu - mu / 2) / M_SQRT2) - std::exp(e) * .5 * std::erfc((e / mu + mu / 2) / M_SQRT2);
  };
  const AtomLoss whole = atoms(discrete_gaussian(200, 200)[0].above);
  const std::vector<Step> steps = discrete_gaussian(200, 200, 1000);
  ASSERT_EQ(steps.size(), 2u);
  const double above = std::get<GaussianLoss>(steps[0].above).mu;
  const double below = std::get<GaussianLoss>(*steps[0].below).mu;
  EXPECT_NEAR(above / below, 1, 37.0 / 200 / 200);
  for (double e = -3; e < 6; e += .01) {
    EXPECT_LE(delta_at(whole, e), delta(above, e) + 1e-14) << e;
    EXPECT_GE(delta_at(whole, e), delta(below, e) - 1e-14) << e;
  }
  EXPECT_EQ(atoms(steps[1].above).infinite_mass, 1e-150);
}

// Twin: the continuous Gaussian of the same sigma is not an upper bound.
TEST(NativeAtoms, PlantedContinuousStandInIsCaught) {
  const auto delta = [](double mu, double e) {
    return .5 * std::erfc((e / mu - mu / 2) / M_SQRT2) - std::exp(e) * .5 * std::erfc((e / mu + mu / 2) / M_SQRT2);
  };
  const AtomLoss whole = atoms(discrete_gaussian(1, 1)[0].above);
  bool below = false;
  for (double e = 0; e < 3; e += .01) below = below || delta(1, e) < delta_at(whole, e);
  EXPECT_TRUE(below);
}

TEST(NativeAtoms, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { k_ary_response(-1, 2); }), Code::bad_number);
  EXPECT_EQ(refusal([] { k_ary_response(1, 1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { black_box(1, 2); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { staircase(0, Rational(1, 2)); }), Code::bad_number);
  EXPECT_EQ(refusal([] { staircase(1, 2); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { discrete_laplace(0, 1); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { discrete_laplace(1, 0); }), Code::bad_count);
  EXPECT_EQ(refusal([] { discrete_gaussian(1, 1, 10); }), Code::bad_count);
  EXPECT_EQ(refusal([] { discrete_gaussian(-1, 1); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { mixture({Rational(1, 2)}, {no_loss()}); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { k_ary_response_rdp(1, 2, 1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
