#include "accounting/lattice.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "accounting/detail/lattice_atoms.h"
#include "accounting/detail/lattice_nodes.h"
#include "accounting/detail/lattice_parts.h"
#include "accounting/detail/lattice_sum.h"
#include "accounting/fourier.h"
#include "accounting/gaussian.h"
#include "accounting/lattice_check.h"
#include "base/big_interval.h"
#include "base/roots.h"
#include "testing/refusal.h"

namespace dither::accounting {

namespace {

using detail::LatticePart;
using detail::LatticeSum;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// One grid, no refinement: both bounds on epsilon at this step.
Bounds on_grid(const Step& step, double delta, double grid, double anchor) {
  const detail::Lattice lattice{grid, anchor, delta * 1e-12 / static_cast<double>(step.times)};
  std::vector<LatticePart> above{detail::part_above(step.above, lattice)};
  std::vector<LatticePart> below{detail::part_below(step.above, lattice)};
  above[0].times = below[0].times = step.times;
  const double tilt = detail::saddle_for_delta(above, delta).tilt;
  const LatticeSum high(above, tilt);
  const LatticeSum low(below, tilt);
  const Turn upper = find_turn([&](double x) { return high.delta_upper(x) <= delta; }, 0.0, 100.0);
  const Turn lower = find_turn([&](double x) { return low.delta_lower(x) < delta; }, 0.0, 100.0);
  return {lower.fails, upper.holds};
}

// k-fold Laplace, exactly: with nu = (atoms 1/2 at +-epsilon0 and density 1/4 between) its transform is
// (e^{s e}(1 + 1/2s) + e^{-s e}(1 - 1/2s))/2, whose k-th power expands into shifts c = (k - 2j) e of the kernels
// (c - z)_+^{m-1}/(m-1)!; each integral against e^{z/2} - e^{epsilon - z/2} is a series of positive terms (B-09).
double laplace_delta(int k, const Rational& each, const Rational& epsilon) {
  constexpr long bits = 700;
  BigInterval total(bits);
  BigInterval binomial(Rational(1), bits);
  for (int j = 0; j <= k; ++j) {
    if (j > 0) binomial = binomial * BigInterval(Rational(k - j + 1, j), bits);
    const Rational reach = Rational(k - 2 * j) * each - epsilon;
    if (reach.sign() <= 0) break;
    std::vector<Rational> coefficients{Rational(1)};  // of (1 + x/2)^(k-j) (1 - x/2)^j
    for (int factor = 0; factor < k; ++factor) {
      const Rational half(factor < k - j ? 1 : -1, 2);
      coefficients.push_back(Rational(0));
      for (std::size_t m = coefficients.size() - 1; m > 0; --m) coefficients[m] += half * coefficients[m - 1];
    }
    const BigInterval length(reach, bits);
    std::vector<BigInterval> powers{BigInterval(Rational(1), bits), length};  // length^i / i!
    for (long i = 2; i <= k + 120; ++i) powers.push_back(powers.back() * length / BigInterval(Rational(i), bits));
    BigInterval sum(bits);
    for (std::size_t m = 0; m < coefficients.size(); ++m) {
      BigInterval series(bits);
      Rational weight(1);  // 2^(1 - n), n odd
      for (std::size_t n = 1; n + m < powers.size(); n += 2, weight /= Rational(4)) {
        series += powers[n + m] * BigInterval(weight, bits);
      }
      sum += series * BigInterval(coefficients[m], bits);
    }
    total += sum * binomial;
  }
  const BigInterval scale = exp(BigInterval((epsilon - Rational(k) * each) / Rational(2), bits));
  return (total * scale / BigInterval(pow(Rational(2), static_cast<unsigned>(k)), bits)).low_double();
}

}  // namespace

// Spec: O-07, O-08, A-63, W-17
TEST(Lattice, AtomsAloneAreComposedTermByTerm) {
  const auto tight = [](const std::vector<Step>& steps, double delta, double value, double digits) {
    expect_holds(epsilon_by_lattice(steps, delta, 1e-9), value, digits, 1e-9);
  };
  tight({response(0.1, 10)}, 1e-6, 0.9993709057218, 1e-12);
  tight({response(0.1, 50)}, 1e-6, 3.172902734019, 1e-11);
  tight({response(0.1, 100)}, 1e-6, 4.774567588108, 1e-11);
  tight({response(0.1, 200)}, 1e-6, 7.185594457672, 1e-11);
  tight({response(0.1, 1000)}, 1e-6, 19.34467144799, 1e-10);
  tight({response(1, 10)}, 1e-6, 9.999977065820733, 1e-14);
  tight({response(0.1, 30)}, 1e-5, 2.110154422242382, 1e-14);
  tight({response(0.1, 1), response(0.2, 1), response(0.3, 1)}, 0.05, 0.32766, 1e-5);
  tight({response(0.1, 1), response(0.2, 1), response(0.3, 1)}, 1e-3, 0.59395, 1e-5);
  tight({response(0.1, 14)}, 1e-4, 1.15086, 1e-5);
}

// Spec: O-11, A-66, A-64
TEST(Lattice, DifferentWorstCasesAgreeWithEnumeration) {
  const std::vector<Step> five{response(0.1, 1), response(0.2, 1), response(0.3, 1), response(0.4, 1),
                               response(0.5, 1)};
  expect_holds(delta_by_lattice(five, 1, 1e-9), 0.0436188546899, 1e-13, 1e-12);
  expect_holds(epsilon_by_lattice(five, 0.01, 1e-9), 1.3234614747173, 1e-13, 1e-12);
  const std::vector<Step> ten{response(0.1, 4, 1e-7), response(0.2, 3, 1e-7), response(0.5, 2, 1e-7),
                              response(1, 1, 1e-7)};
  expect_holds(epsilon_by_lattice(ten, 1e-4, 1e-9), 2.9719275727495, 1e-13, 1e-11);
  expect_holds(delta_by_lattice(ten, 2, 1e-9), 0.044814908761043, 1e-15, 1e-12);
  expect_holds(delta_by_lattice(std::vector<Step>{response(0.5, 10)}, 2, 1e-9), 0.145466446441117, 1e-15, 1e-12);
  expect_holds(delta_by_lattice(std::vector<Step>{response(0.5, 10, 1e-4)}, 2, 1e-9), 0.1463205955571029, 1e-16, 1e-12);
  // Below the infinite mass no epsilon will do.
  EXPECT_EQ(epsilon_by_lattice(std::vector<Step>{response(0.1, 10, 1e-6)}, 9.9e-6, 1e-6),
            (Bounds{kInfinite, kInfinite}));
  EXPECT_LT(epsilon_by_lattice(std::vector<Step>{response(0.1, 10, 1e-6)}, 1.01e-5, 1e-6).upper, 1.0001);
  EXPECT_EQ(epsilon_by_lattice(std::vector<Step>{response(0.1, 10, 1e-6), laplace(0.3, 2)}, 9.9e-6, 1e-6),
            (Bounds{kInfinite, kInfinite}));
}

// Spec: O-09, O-10, O-12, A-67
TEST(Lattice, LaplaceOracles) {
  expect_holds(epsilon_by_lattice(std::vector<Step>{laplace(0.1, 10)}, 1e-6, 1e-7), 0.99897808944722, 1e-14, 1e-7);
  expect_holds(epsilon_by_lattice(std::vector<Step>{laplace(0.1, 30)}, 1e-5, 1e-7), 2.0628485485747, 1e-13, 1e-7);
  expect_holds(epsilon_by_lattice(std::vector<Step>{laplace(0.1, 50)}, 1e-6, 1e-7), 3.1207095987489, 1e-13, 1e-7);
  expect_holds(epsilon_by_lattice(std::vector<Step>{laplace(0.1, 100)}, 1e-6, 1e-7), 4.6926674146802, 1e-13, 1e-7);
  expect_holds(delta_by_lattice(std::vector<Step>{laplace(0.5, 10)}, 2, 1e-6), 0.1254768365627246, 1e-16, 1e-6);
  expect_holds(delta_by_lattice(std::vector<Step>{laplace(0.1, 50)}, 2, 1e-6), 9.1656959351159e-4, 1e-17, 1e-9);
  expect_holds(delta_by_lattice(std::vector<Step>{laplace(0.1, 100)}, 3, 1e-6), 1.171174121526298e-3, 1e-18, 1e-9);
  expect_holds(delta_by_lattice(std::vector<Step>{laplace(1, 2)}, 0.7, 1e-7), 0.308289345791653737, 1e-17, 1e-7);
}

// Spec: B-09
TEST(Lattice, LaplaceHoldsTheExactComposition) {
  EXPECT_NEAR(laplace_delta(2, Rational(1), Rational(7, 10)), 0.308289345791653737, 1e-15);
  for (const int k : {1, 2, 3, 7, nightly() ? 60 : 20}) {
    for (const Rational& each : {Rational(1, 10), Rational(37, 100), Rational(9, 7)}) {
      for (const int part : {1, 5, 9}) {
        const Rational epsilon = Rational(k * part, 10) * each;
        const double exact = laplace_delta(k, each, epsilon);
        const double e = each.to_double_up();
        const Bounds found = delta_by_lattice(std::vector<Step>{laplace(e, static_cast<std::uint64_t>(k))},
                                              epsilon.to_double_up(), 1e-6);
        expect_holds(found, exact, 1e-15 * exact, 2e-6 * exact);
      }
    }
  }
}

// Spec: O-13, O-21, O-29, B-13
TEST(Lattice, SampledGaussianFewSteps) {
  const auto one = [](double rate, double sigma, std::uint64_t times, Direction direction = Direction::remove) {
    return std::vector<Step>{sampled_gaussian(rate, sigma, times, direction)};
  };
  expect_holds(delta_by_lattice(one(0.01, 1, 1), 0.5, 1e-6), 2.21451901315e-7, 1e-18, 3e-13);
  expect_holds(epsilon_by_lattice(one(0.01, 1, 1), 1e-6, 1e-7), 0.363947839615509, 1e-15, 1e-7);
  expect_holds(delta_by_lattice(one(0.01, 1, 1, Direction::add), 0.005, 1e-5), 9.631443353053e-4, 1e-16, 1e-8);
  expect_holds(delta_by_lattice(one(0.01, 1, 2), 0.5, 1e-5), 4.49721218477e-7, 1e-18, 1e-11);
  expect_holds(delta_by_lattice(one(0.01, 1, 2, Direction::add), 0.005, 1e-4), 0.00303540701296, 1e-14, 1e-6);
  expect_holds(delta_by_lattice(one(0.2, 0.5, 3), 1, 1e-6), 0.155932776, 1e-9, 1e-6);
  expect_holds(epsilon_by_lattice(one(0.01, 1, 10), 1e-6, 1e-6), 0.5923495, 1e-7, 1e-6);
  expect_holds(epsilon_by_lattice(one(0.01, 1, 1000), 1e-6, 1e-4), 2.1245152, 2e-7, 1e-4);
  // No loss of the add direction exceeds -ln(1 - rate), so from there on delta is 0.
  EXPECT_EQ(delta_by_lattice(one(0.01, 1, 3, Direction::add), 3 * 0.010050336, 1e-4), (Bounds{0, 0}));
  EXPECT_GT(delta_by_lattice(one(0.01, 1, 3, Direction::add), 0.02, 1e-2).lower, 0);
}

// Several records at once, and replacement, against quadrature with 30 digits.
// Spec: B-13, B-26
TEST(Lattice, MixturesOfThree) {
  const auto delta = [](Direction direction, double epsilon) {
    return delta_by_lattice(std::vector<Step>{{MixtureLoss{0.7, {0.5, 0.3, 0.2}, direction}, std::nullopt, 1}}, epsilon,
                            1e-6);
  };
  expect_holds(delta(Direction::remove, 0.8), 0.047642643264960183, 1e-17, 1e-7);
  expect_holds(delta(Direction::remove, -0.4), 0.34309456719966303, 1e-16, 1e-6);
  expect_holds(delta(Direction::add, 0.3), 0.047927411077334951, 1e-17, 1e-7);
  expect_holds(delta(Direction::add, -0.5), 0.44188767428365106, 1e-16, 1e-6);
  expect_holds(delta(Direction::replace, 1.1), 0.074995501646698608, 1e-17, 1e-7);
}

// Spec: O-22, O-23, O-24, O-25, B-02
TEST(Lattice, SampledGaussianManySteps) {
  const double rate = 256 / 60000.0;
  const std::vector<Step> remove{sampled_gaussian(rate, 1.1, 14062)};
  const std::vector<Step> add{sampled_gaussian(rate, 1.1, 14062, Direction::add)};
  expect_holds(epsilon_by_lattice(remove, 1e-5, 2e-4), 2.3815969, 2e-7, 2e-4);
  expect_holds(epsilon_by_lattice(std::vector<Step>{sampled_gaussian(rate, 1.1, 14063)}, 1e-5, 2e-4), 2.3816897, 2e-7,
               2e-4);
  expect_holds(epsilon_by_lattice(add, 1e-5, 2e-4), 2.2435594, 2e-7, 2e-4);
  expect_holds(
      epsilon_by_lattice(std::vector<Step>{sampled_gaussian(rate, 1.1, 14062, Direction::replace)}, 1e-5, 2e-3),
      4.2212967, 2e-7, 2e-3);
  expect_holds(epsilon_by_lattice(std::vector<Step>{sampled_gaussian(4096 / 50000.0, 3, 2500)}, 1e-5, 1e-3), 6.5788958,
               2e-7, 1e-3);
  // Small rate and little noise: a compound Poisson loss, on which the central limit theorem is off by 65 digits.
  const std::vector<Step> rare{sampled_gaussian(1e-4, 0.4, 10000)};
  expect_holds(delta_by_lattice(rare, 4, 1e-2), 1.16832e-5, 5e-11, 1.2e-7);
  expect_holds(delta_by_lattice(rare, 1, 1e-2), 0.00195978, 5e-9, 2e-5);
}

// Spec: O-26
TEST(Lattice, MixedLedger) {
  std::vector<Step> steps{
      {GaussianLoss{0.2}, std::nullopt, 10}, laplace(0.1, 20), response(0.2, 5), sampled_gaussian(0.01, 1, 100)};
  expect_holds(epsilon_by_lattice(steps, 1e-6, 1e-4), 4.2229256, 2e-7, 1e-4);
  expect_holds(delta_by_lattice(steps, 2, 1e-4), 0.010007998, 2e-9, 1e-6);
  steps[3] = sampled_gaussian(0.01, 1, 100, Direction::add);
  expect_holds(epsilon_by_lattice(steps, 1e-6, 1e-4), 4.2078159, 2e-7, 1e-4);
}

// Spec: B-02
TEST(Lattice, ConnectTheDotsReproducesThePublishedColumn) {
  const double printed[] = {2.383021, 2.381953, 2.381686, 2.381619};
  double grid = 4e-4;
  double before = kInfinite;
  for (const double value : printed) {
    const Bounds found = on_grid(sampled_gaussian(256 / 60000.0, 1.1, 14062), 1e-5, grid, 0);
    EXPECT_NEAR(found.upper, value, 6e-7) << grid;
    EXPECT_LE(found.lower, 2.3815969 + 2e-7) << grid;
    EXPECT_LT(found.upper, before);
    before = found.upper;
    grid /= 2;
  }
}

// Spec: B-03
TEST(Lattice, ErrorIsOfSecondOrderOnBothSides) {
  const double exact = 3.1207095987489;
  EXPECT_NEAR(on_grid(laplace(0.1, 50), 1e-6, 1e-3, 0).upper, 3.12071114904, 1e-10);
  EXPECT_NEAR(on_grid(laplace(0.1, 50), 1e-6, 5e-4, 0).upper, 3.12071002128, 2e-10);
  EXPECT_NEAR(on_grid(laplace(0.1, 50), 1e-6, 2.5e-4, 0).upper, 3.12070967949, 4e-8);
  const Bounds coarse = on_grid(laplace(0.1, 50), 1e-6, 1e-3, 0);
  const Bounds fine = on_grid(laplace(0.1, 50), 1e-6, 2.5e-4, 0);
  EXPECT_GT((exact - coarse.lower) / (exact - fine.lower), 10);  // 16, less what rounding adds to the fine one
}

// Spec: B-06
TEST(Lattice, TiltingReachesTinyDeltas) {
  const std::vector<Step> gaussian{{GaussianLoss{1}, std::nullopt, 1}};
  expect_holds(delta_by_lattice(gaussian, 10, 1e-4), 9.8127058268e-23, 1e-32, 1e-26);
  expect_holds(delta_by_lattice(gaussian, 20, 1e-3), 2.6647067053655e-86, 1e-98, 3e-89);
  const std::vector<Step> halves{{GaussianLoss{std::sqrt(0.25)}, std::nullopt, 4}};
  expect_holds(delta_by_lattice(halves, 10, 1e-3), 9.8127058268e-23, 1e-32, 1e-25);
}

// Spec: B-07
TEST(Lattice, LongCompositionsComeBackWiderButHold) {
  const Bounds million = epsilon_by_lattice(std::vector<Step>{sampled_gaussian(0.31623e-3, 1, 1'000'000)}, 1e-6, 1e-2);
  expect_holds(million, 1.84363243, 2e-7, 1e-2);
  const Bounds endless =
      epsilon_by_lattice(std::vector<Step>{sampled_gaussian(1e-4, 4, 1'000'000'000'000'000)}, 1e-6, 1e-3);
  EXPECT_EQ(endless, (Bounds{0, kInfinite}));
}

// Far out the normal density leaves the normal doubles, and no mass may be lost there: at the epsilon that is returned
// the exact delta is small enough.
TEST(Lattice, FarTailsAreNotLost) {
  for (const auto& [mu, delta] : {std::pair{15.0, 1e-150}, {12.0, 1e-170}, {20.5, 1e-64}, {20.5, 1e-68}}) {
    const double upper = epsilon_by_lattice(std::vector<Step>{{GaussianLoss{mu}, {}, 1}}, delta, 1e-3).upper;
    if (std::isfinite(upper)) {
      EXPECT_LE(gaussian_delta_down(mu, upper), delta) << mu << " at " << delta;
    }
  }
  const std::vector<Step> many{
      {MixtureLoss{0.25, std::vector<double>(65, 1.0 / 65), MixtureLoss::Direction::remove}, {}, 1}};
  EXPECT_GE(epsilon_by_lattice(many, 1e-120, 1e-3).upper, epsilon_by_fourier(many, 1e-120, 1e-3).lower);
}

TEST(Lattice, WhatIsNoLawIsRefused) {
  const double nan = std::nan("");
  for (const Loss& loss : {Loss(AtomLoss{{{0, 0.5}}, nan}), Loss(GaussianLoss{nan}), Loss(LaplaceLoss{-1}),
                           Loss(MixtureLoss{1, {}, MixtureLoss::Direction::remove}), Loss(AtomLoss{{{1, 2}}, 0})}) {
    const std::vector<Step> steps{{loss, {}, 1}};
    EXPECT_THROW(epsilon_by_lattice(steps, 1e-6, 1e-3), Error);
    EXPECT_THROW(delta_by_lattice(steps, 1, 1e-3), Error);
  }
}

// Spec
TEST(Lattice, SupportBoundsEverything) {
  const std::vector<Step> steps{laplace(0.1, 10), response(0.25, 4)};
  const Bounds pure = epsilon_by_lattice(steps, 0, 1e-6);
  EXPECT_NEAR(pure.lower, 2, 1e-13);
  EXPECT_NEAR(pure.upper, 2, 1e-13);
  EXPECT_LE(pure.lower, 2);
  EXPECT_GE(pure.upper, 2);
  EXPECT_EQ(delta_by_lattice(steps, 2.0000001, 1e-6), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_lattice({}, 1e-6, 1e-6), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_lattice(std::vector<Step>{laplace(1, 0)}, 1e-6, 1e-6), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_lattice(steps, 1, 1e-6), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_lattice(std::vector<Step>{laplace(0.1, 3)}, 0.9, 1e-6), (Bounds{0, 0}));
}

// Spec: B-01
TEST(Lattice, BelowIsUsedForTheLowerEndOnly) {
  const std::vector<Step> between{{GaussianLoss{1.1}, GaussianLoss{0.9}, 1}};
  const Bounds found = epsilon_by_lattice(between, 1e-6, 1e-6);
  const Bounds high = epsilon_by_lattice(std::vector<Step>{{GaussianLoss{1.1}, std::nullopt, 1}}, 1e-6, 1e-6);
  const Bounds low = epsilon_by_lattice(std::vector<Step>{{GaussianLoss{0.9}, std::nullopt, 1}}, 1e-6, 1e-6);
  EXPECT_NEAR(found.upper, high.upper, 2e-6);
  EXPECT_NEAR(found.lower, low.lower, 2e-5);
}

TEST(Lattice, RefusesWhatIsNoQuestion) {
  const std::vector<Step> steps{laplace(1, 1)};
  EXPECT_EQ(testing::refusal([&] { epsilon_by_lattice(steps, -0.1, 1e-6); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([&] { epsilon_by_lattice(steps, std::nan(""), 1e-6); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([&] { epsilon_by_lattice(steps, 1e-6, 0); }), Code::bad_number);
  EXPECT_EQ(testing::refusal([&] { delta_by_lattice(steps, std::nan(""), 1e-6); }), Code::bad_number);
  // Out of reach, so nothing is claimed.
  EXPECT_EQ(epsilon_by_lattice(std::vector<Step>{{GaussianLoss{50}, std::nullopt, 1}}, 1e-6, 1e-3),
            (Bounds{0, kInfinite}));
}

// A random pair on a few outcomes: P and Q as masses, and its loss.
struct Pair {
  std::vector<double> p;
  std::vector<double> q;

  AtomLoss loss() const {
    std::vector<LossAtom> atoms;
    for (std::size_t i = 0; i < p.size(); ++i) atoms.push_back({std::log(p[i] / q[i]), p[i]});
    std::sort(atoms.begin(), atoms.end(), [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
    for (std::size_t i = 1; i < atoms.size(); ++i) atoms[i].loss = std::max(atoms[i].loss, atoms[i - 1].loss + 1e-12);
    return {atoms, 0};
  }
};

Pair random_pair() {
  Pair pair;
  double p = 0;
  double q = 0;
  const int outcomes = *rc::gen::inRange(2, 6);
  for (int i = 0; i < outcomes; ++i) {
    pair.p.push_back(*rc::gen::inRange(1, 1000));
    pair.q.push_back(*rc::gen::inRange(1, 1000));
    p += pair.p.back();
    q += pair.q.back();
  }
  for (double& mass : pair.p) mass /= p;
  for (double& mass : pair.q) mass /= q;
  return pair;
}

// delta of the product of pairs, over all outcomes.
double product_delta(const std::vector<Pair>& pairs, double epsilon) {
  std::vector<double> p{1};
  std::vector<double> q{1};
  for (const Pair& pair : pairs) {
    std::vector<double> next_p;
    std::vector<double> next_q;
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t j = 0; j < pair.p.size(); ++j) {
        next_p.push_back(p[i] * pair.p[j]);
        next_q.push_back(q[i] * pair.q[j]);
      }
    }
    p = next_p;
    q = next_q;
  }
  double delta = 0;
  for (std::size_t i = 0; i < p.size(); ++i) delta += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return delta;
}

// Spec, B-01
RC_GTEST_PROP(Lattice, RandomAtomsAgreeWithEnumeration, ()) {
  const std::vector<Pair> pairs{random_pair(), random_pair(), random_pair()};
  std::vector<Step> steps;
  for (const Pair& pair : pairs) steps.push_back({pair.loss(), std::nullopt, 1});
  const double epsilon = *rc::gen::inRange(-200, 300) / 100.0;
  const double exact = product_delta(pairs, epsilon);
  const Bounds found = delta_by_lattice(steps, epsilon, 1e-6);
  RC_ASSERT(found.lower <= exact + 1e-11 && exact - 1e-11 <= found.upper);
  RC_ASSERT(found.upper - found.lower <= 1e-11 + 1e-9 * exact);
  // The grid itself, which atoms alone do not reach.
  std::vector<LatticePart> above;
  std::vector<LatticePart> below;
  for (const Step& step : steps) {
    const detail::Lattice lattice{0.01, detail::natural_anchor(step.above), 1e-12};
    above.push_back(detail::part_above(step.above, lattice));
    below.push_back(detail::part_below(step.above, lattice));
  }
  const double tilt = *rc::gen::inRange(1, 60) / 10.0;
  RC_ASSERT(LatticeSum(above, tilt).delta_upper(epsilon) >= exact - 1e-12);
  RC_ASSERT(LatticeSum(below, tilt).delta_lower(epsilon) <= exact + 1e-12);
}

// Spec: B-01, B-13
RC_GTEST_PROP(Lattice, RandomSampledGaussiansKeepTheirOrder, ()) {
  const double rate = *rc::gen::inRange(1, 300) / 1000.0;
  const double sigma = *rc::gen::inRange(6, 40) / 10.0;
  const auto times = static_cast<std::uint64_t>(*rc::gen::inRange(1, 200));
  const auto direction = *rc::gen::element(Direction::remove, Direction::add, Direction::replace);
  const double grid = *rc::gen::element(2e-2, 1e-2, nightly() ? 5e-4 : 5e-3);
  const double epsilon = *rc::gen::inRange(1, 300) / 100.0;
  const Step step = sampled_gaussian(rate, sigma, times, direction);
  const detail::Lattice coarse{grid, detail::natural_anchor(step.above), 1e-30};
  const detail::Lattice fine{grid / 3, detail::natural_anchor(step.above), 1e-30};
  const auto sum = [&](LatticePart part) {
    part.times = times;
    const std::vector<LatticePart> parts{part};
    return LatticeSum(parts, detail::saddle_for_epsilon(parts, epsilon).tilt);
  };
  // Both grids hold the same truth, so any lower end lies below any upper one.
  const double up_coarse = sum(detail::part_above(step.above, coarse)).delta_upper(epsilon);
  const double up_fine = sum(detail::part_above(step.above, fine)).delta_upper(epsilon);
  const double low_coarse = sum(detail::part_below(step.above, coarse)).delta_lower(epsilon);
  const double low_fine = sum(detail::part_below(step.above, fine)).delta_lower(epsilon);
  RC_ASSERT(low_coarse <= up_fine);
  RC_ASSERT(low_fine <= up_coarse);
  RC_ASSERT(low_fine <= up_fine);
}

// Planted bugs. Each is the construction with one safeguard left out; the checks above would fail on it.

// The lowered polyline without the clips at its ends: what falls below the lines comes back as mass from nowhere.
double planted_unclipped_epsilon(const Step& step, double delta, double grid) {
  const detail::Nodes nodes = detail::make_nodes(step.above, {grid, 0, 1e-25});
  const std::size_t count = nodes.kink.size();
  std::vector<double> cut(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    cut[i] = std::max(i > 0 ? nodes.gap[i - 1] : 0, i + 1 < count ? nodes.gap[i] : 0);
  }
  LatticePart part{nodes.step, nodes.anchor, nodes.first, {}, 0, 0, 0, step.times};
  for (std::size_t i = 0; i < count; ++i) {
    double mass = nodes.kink[i];
    if (i > 0) mass += (cut[i] - cut[i - 1]) / nodes.rise[i - 1];
    if (i + 1 < count) mass -= (cut[i + 1] - cut[i]) / nodes.rise[i];
    part.mass.push_back(std::max(0.0, mass) * nodes.ratio[i]);
  }
  const std::vector<LatticePart> parts{part};
  const LatticeSum sum(parts, detail::saddle_for_delta(parts, delta).tilt);
  return find_turn([&](double x) { return sum.delta_lower(x) < delta; }, 0.0, 100.0).fails;
}

TEST(Lattice, PlantedMissingEndClipIsCaught) {
  const Step step = laplace(0.1, 50);
  const Bounds sound = on_grid(step, 1e-6, 1e-2, 0);
  EXPECT_LE(sound.lower, 3.1207095987489);
  EXPECT_GT(planted_unclipped_epsilon(step, 1e-6, 1e-2), 3.1207095987489);
}

// Rounding losses down is optimistic; taken for an upper bound it is too small by up to a step a release.
TEST(Lattice, PlantedFloorAsPessimisticIsCaught) {
  std::vector<LossAtom> floor{{-0.1, 0.5 * std::exp(-0.1)}};
  for (int i = 0; i < 20; ++i) {
    const double low = -0.1 + i * 0.01;
    floor.push_back({low, (std::exp((low + 0.01 - 0.1) / 2) - std::exp((low - 0.1) / 2)) / 2});
  }
  floor[1].mass += floor[0].mass;
  floor.erase(floor.begin());
  floor.push_back({0.1, 0.5});
  const Bounds planted = delta_by_lattice(std::vector<Step>{{AtomLoss{floor, 0}, std::nullopt, 10}}, 0.5, 1e-6);
  const double exact = laplace_delta(10, Rational(1, 10), Rational(1, 2));
  EXPECT_LT(planted.upper, exact);
  EXPECT_GE(delta_by_lattice(std::vector<Step>{laplace(0.1, 10)}, 0.5, 1e-6).upper, exact);
}

// A law folded onto a short cycle, as a Fourier transform folds it: delta from the places above epsilon.
double folded_delta(int flips, double each, double epsilon, int cycle, bool count_aliases) {
  const double up = 1 / (1 + std::exp(-each));
  std::vector<double> law{1};
  for (int i = 0; i < flips; ++i) {
    law.push_back(0);
    for (std::size_t k = law.size() - 1; k > 0; --k) law[k] = law[k] * (1 - up) + law[k - 1] * up;
    law[0] *= 1 - up;
  }
  // The window is the top of the support; what lies below it is folded in.
  const int start = flips + 1 - cycle;
  double delta = 0;
  double folded = 0;
  for (int k = 0; k <= flips; ++k) {
    const int place = start + ((k - start) % cycle + cycle) % cycle;
    const double loss = (2 * place - flips) * each;
    if (loss > epsilon) delta += law[static_cast<std::size_t>(k)] * -std::expm1(epsilon - loss);
    if (k < start) folded += law[static_cast<std::size_t>(k)];
  }
  return count_aliases ? delta - folded : delta;
}

TEST(Lattice, PlantedDroppedAliasIsCaught) {
  const double exact = delta_by_lattice(std::vector<Step>{response(0.5, 40)}, 4, 1e-9).upper;
  EXPECT_LE(folded_delta(40, 0.5, 4, 18, true), exact);
  EXPECT_GT(folded_delta(40, 0.5, 4, 18, false), exact);
}

}  // namespace dither::accounting
