#include "accounting/cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/gaussian.h"
#include "accounting/lattice.h"
#include "accounting/lattice_check.h"
#include "accounting/native_atoms.h"
#include "testing/refusal.h"

namespace dither::accounting {

namespace {

double delta_of(const AtomLoss& loss, double epsilon) {
  double sum = loss.infinite_mass;
  for (const LossAtom& atom : loss.atoms) {
    if (atom.loss > epsilon) sum += atom.mass * -std::expm1(epsilon - atom.loss);
  }
  return sum;
}

double above_delta(const Step& step, double epsilon) { return delta_of(std::get<AtomLoss>(step.above), epsilon); }
double below_delta(const Step& step, double epsilon) { return delta_of(std::get<AtomLoss>(*step.below), epsilon); }

// Exact up to rounding on the one side, and close on the other.
void expect_between(const Step& step, double epsilon, double exact, double relative) {
  EXPECT_GE(above_delta(step, epsilon), exact * (1 - 1e-12)) << epsilon;
  EXPECT_LE(above_delta(step, epsilon), exact * (1 + relative) + 1e-12) << epsilon;
  if (!step.below || !std::holds_alternative<AtomLoss>(*step.below)) return;
  EXPECT_LE(below_delta(step, epsilon), exact * (1 + 1e-12)) << epsilon;
}

// delta of one Laplace release, for all real epsilon: 1 - e^{(epsilon - epsilon0)/2} for |epsilon| <= epsilon0.
double laplace_delta(double size, double epsilon) {
  if (epsilon >= size) return 0;
  if (epsilon <= -size) return -std::expm1(epsilon);
  return -std::expm1((epsilon - size) / 2);
}

double gaussian_delta(double mu, double epsilon) {
  const auto upper = [](double x) { return std::erfc(x / std::sqrt(2)) / 2; };
  return upper(epsilon / mu - mu / 2) - std::exp(epsilon) * upper(epsilon / mu + mu / 2);
}

// The curve after sampling, from the curve before: remove direction, for all real epsilon (B-13).
template <class Curve>
double sampled_curve(double rate, double epsilon, const Curve& curve) {
  const double ratio = 1 + std::expm1(epsilon) / rate;
  return ratio <= 0 ? -std::expm1(epsilon) : rate * curve(std::log(ratio));
}

// The same pair in the other order: delta'(epsilon) = 1 - e^epsilon + e^epsilon delta(-epsilon).
template <class Curve>
double other_order(double epsilon, const Curve& curve) {
  return -std::expm1(epsilon) + std::exp(epsilon) * curve(-epsilon);
}

double masses(const AtomLoss& loss, bool under_q) {
  double sum = under_q ? 0 : loss.infinite_mass;
  for (const LossAtom& atom : loss.atoms) sum += under_q ? atom.mass * std::exp(-atom.loss) : atom.mass;
  return sum;
}

// The pair for samples of fixed size dominates at rate 1/2 for large mu, out to its end, where the density is tiny.
TEST(Cells, LargeMuLosesNoMass) {
  for (const long mu : {1, 10, 22, 23, 24, 26, 30}) {
    const AtomLoss pair = std::get<AtomLoss>(fixed_size_gaussian(Rational(mu), Rational(1, 2)).above);
    for (double epsilon = 0; epsilon < 700; epsilon += 13.3) {
      // rate * delta(ln(1 + (e^epsilon - 1) / rate)), the exponent written without overflow.
      const double inner = epsilon + std::log1p(-std::exp(-epsilon) / 2) + std::log(2);
      const double least = gaussian_delta_down(static_cast<double>(mu), inner) / 2;
      double sum = pair.infinite_mass;
      for (const LossAtom& atom : pair.atoms) sum += atom.mass * std::max(0.0, -std::expm1(epsilon - atom.loss));
      ASSERT_GE(sum * (1 + 1e-9), least) << "mu " << mu << " at " << epsilon;
    }
  }
}

// At rate 1 the mass of Q alone becomes infinite loss: rounded to its side in each pair.
TEST(Cells, InfiniteMassBelowIsNotMoreThanExact) {
  const Step step = poisson_atoms(AtomLoss{{{0.5, 1}}, 0}, 0, Rational(1), MixtureLoss::Direction::add);
  const double exact = -std::expm1(-0.5);
  EXPECT_LE(std::get<AtomLoss>(*step.below).infinite_mass, exact);
  EXPECT_GE(std::get<AtomLoss>(step.above).infinite_mass, exact);
}

}  // namespace

// Spec: B-13, A-40
TEST(Cells, PoissonLaplaceFollowsTheProfile) {
  for (const int percent : {1, 20, 100}) {
    const double rate = percent / 100.0;
    const auto curve = [&](double e) { return sampled_curve(rate, e, [](double x) { return laplace_delta(1, x); }); };
    const Step remove = poisson_laplace(Rational(1), Rational(percent, 100), Direction::remove);
    const Step add = poisson_laplace(Rational(1), Rational(percent, 100), Direction::add);
    EXPECT_NEAR(masses(std::get<AtomLoss>(remove.above), false), 1, 1e-13);
    EXPECT_NEAR(masses(std::get<AtomLoss>(remove.above), true), 1, 1e-13);
    for (const double part : {-0.9, -0.3, 0.0, 0.2, 0.7, 0.95}) {
      const double epsilon = std::log1p(rate * std::expm1(part));
      expect_between(remove, epsilon, curve(epsilon), 1e-5);
      EXPECT_GE(below_delta(remove, epsilon), curve(epsilon) * (1 - 1e-4));
      const double reverse = other_order(-epsilon, curve);
      expect_between(add, -epsilon, reverse, 1e-5);
      EXPECT_GE(below_delta(add, -epsilon), reverse * (1 - 1e-4) - 1e-15);
    }
    // The two supports of A-40.
    EXPECT_NEAR(std::get<AtomLoss>(remove.above).atoms.back().loss, std::log1p(rate * std::expm1(1)), 1e-14);
    EXPECT_NEAR(std::get<AtomLoss>(add.above).atoms.back().loss, -std::log1p(rate * std::expm1(-1)), 1e-14);
  }
}

// Spec, C-01
TEST(Cells, PoissonResponseIsExact) {
  const AtomLoss response = lazy_response(Rational(1), Rational(1));
  const Step remove = poisson_atoms(response, 0, Rational(1, 100), Direction::remove);
  const Step add = poisson_atoms(response, 0, Rational(1, 100), Direction::add);
  EXPECT_NEAR(std::get<AtomLoss>(remove.above).atoms.back().loss, 0.017036863236177, 1e-15);
  EXPECT_NEAR(std::get<AtomLoss>(add.above).atoms.back().loss, 0.0063412690, 1e-10);
  expect_holds(epsilon_by_lattice(std::vector<Step>{remove}, 0, 1e-9), 0.017036863236177, 1e-15, 1e-15);
  // With the misprinted denominator e - 1 the masses are no law at all.
  const double misprinted = std::exp(1) / (std::exp(1) - 1);
  EXPECT_GT(misprinted, 1);
  EXPECT_EQ(testing::refusal([&] {
              poisson_atoms(AtomLoss{{{-1, 1 / (std::exp(1) - 1)}, {1, misprinted}}, 0}, 0, Rational(1, 100),
                            Direction::remove);
            }),
            Code::bad_weights);
}

// An (epsilon, delta) black box: each order keeps what the other cannot produce.
// Spec
TEST(Cells, PoissonBlackBox) {
  const AtomLoss box = black_box(Rational(1), Rational(1, 1000));
  const Step remove = poisson_atoms(box, 1e-3, Rational(1, 10), Direction::remove);
  const Step add = poisson_atoms(box, 1e-3, Rational(1, 10), Direction::add);
  EXPECT_NEAR(std::get<AtomLoss>(remove.above).infinite_mass, 1e-4, 1e-16);
  EXPECT_NEAR(above_delta(remove, std::log1p(0.1 * std::expm1(1))), 1e-4, 1e-15);
  EXPECT_EQ(std::get<AtomLoss>(add.above).infinite_mass, 0);
  EXPECT_NEAR(std::get<AtomLoss>(add.above).atoms.back().loss, -std::log(0.9), 1e-14);
  EXPECT_NEAR(masses(std::get<AtomLoss>(add.above), false), 1, 1e-13);
  // What the atoms leave of Q counts, said or not.
  EXPECT_NEAR(above_delta(poisson_atoms(box, 0, Rational(1, 10), Direction::add), 0.1), above_delta(add, 0.1), 1e-13);
  EXPECT_EQ(testing::refusal([&] { poisson_atoms(box, 0.1, Rational(1, 10), Direction::add); }), Code::bad_weights);
  EXPECT_EQ(testing::refusal([&] { poisson_atoms(box, 1e-3, Rational(2), Direction::add); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([&] { poisson_atoms(box, 1e-3, Rational(1, 2), Direction::replace); }),
            Code::out_of_range);
}

// Spec: A-36, B-14
TEST(Cells, FixedSizeFollowsTheProfile) {
  const double rate = 0.1;
  const auto laplace_curve = [&](double e) {
    return sampled_curve(rate, e, [](double x) { return laplace_delta(1, x); });
  };
  const auto gaussian_curve = [&](double e) {
    return sampled_curve(rate, e, [](double x) { return gaussian_delta(0.5, x); });
  };
  const Step laplace = fixed_size_laplace(Rational(1), Rational(1, 10));
  const Step gaussian = fixed_size_gaussian(Rational(1, 2), Rational(1, 10));
  const Step response = fixed_size_atoms(lazy_response(Rational(1), Rational(1)), Rational(1, 10));
  for (const double epsilon : {0.0, 0.01, 0.05, 0.1, 0.15}) {
    expect_between(laplace, epsilon, laplace_curve(epsilon), 1e-4);
    expect_between(gaussian, epsilon, gaussian_curve(epsilon), 1e-4);
    // The mirrored half.
    expect_between(laplace, -epsilon, other_order(-epsilon, laplace_curve), 1e-4);
    expect_between(gaussian, -epsilon, other_order(-epsilon, gaussian_curve), 1e-4);
    const double two_points =
        rate * std::max(0.0, 1 / (1 + std::exp(-1)) - (1 + std::expm1(epsilon) / rate) / (1 + std::exp(1)));
    EXPECT_NEAR(above_delta(response, epsilon), two_points, 1e-14);
  }
  for (const Step* step : {&laplace, &gaussian, &response}) {
    EXPECT_NEAR(masses(std::get<AtomLoss>(step->above), false), 1, 1e-12);
    EXPECT_NEAR(masses(std::get<AtomLoss>(step->above), true), 1, 1e-12);
  }
  EXPECT_NEAR(std::get<AtomLoss>(response.above).atoms.back().loss, std::log1p(0.1 * std::expm1(1)), 1e-14);
  EXPECT_EQ(testing::refusal([] {
              fixed_size_atoms(AtomLoss{{{-1, 0.4}, {0.5, 0.6}}, 0}, Rational(1, 2));
            }),
            Code::no_theorem);
}

// Ends of the range of rates: nothing sampled is no loss, everything sampled is the release itself.
TEST(Cells, RatesNoneAndAll) {
  EXPECT_NEAR(above_delta(poisson_laplace(Rational(1), Rational(0), Direction::remove), 0), 0, 1e-13);
  EXPECT_NEAR(above_delta(fixed_size_gaussian(Rational(1), Rational(1)), 1), 0.12693673750664395, 1e-5);
  EXPECT_NEAR(above_delta(fixed_size_laplace(Rational(2), Rational(1)), 1), laplace_delta(2, 1), 1e-6);
  const Step far = poisson_laplace(Rational(50), Rational(1), Direction::add);
  EXPECT_NEAR(std::get<AtomLoss>(far.above).atoms.back().loss, 50, 1e-11);
}

// Spec: B-03
TEST(Cells, NarrowerCellsAreTighter) {
  const auto cells = [](int count) {
    std::vector<LossCell> made;
    for (int i = 0; i < count; ++i) {  // density e^{(z + 1)/2} / (2 (e - 1)): losses of range 1
      const double a = -1 + 2.0 * i / count;
      const double b = -1 + 2.0 * (i + 1) / count;
      const double p = (std::exp((b + 1) / 2) - std::exp((a + 1) / 2)) / std::expm1(1);
      const double q = (std::exp((1 - a) / 2) - std::exp((1 - b) / 2)) / std::expm1(1);
      made.push_back({a, b, Interval(p * (1 - 1e-13), p * (1 + 1e-13)), Interval(q * (1 - 1e-13), q * (1 + 1e-13))});
    }
    return step_from_cells(made, 0);
  };
  const double root = std::exp(0.5) - std::exp(0.1);
  const double exact = root * root / std::expm1(1);
  double before = 1;
  for (const int count : {10, 20, 40, 80}) {
    const Step step = cells(count);
    expect_between(step, 0.2, exact, 1);
    EXPECT_LT(above_delta(step, 0.23) - below_delta(step, 0.23), before);
    before = (above_delta(step, 0.23) - below_delta(step, 0.23)) * 0.7;
  }
  const std::vector<LossCell> wrong{{1, 0, Interval(0.5), Interval(0.5)}};
  EXPECT_EQ(testing::refusal([&] { step_from_cells(wrong, 0); }), Code::out_of_range);
}

// Spec: B-15
TEST(Cells, FixedSizeIsNeverThePoissonNumber) {
  const std::vector<Step> fixed{{fixed_size_gaussian(Rational(1), Rational(1, 100)).above, std::nullopt, 100}};
  const std::vector<Step> poisson{sampled_gaussian(0.01, 1, 100)};
  EXPECT_GT(epsilon_by_lattice(fixed, 1e-6, 1e-2).lower, epsilon_by_lattice(poisson, 1e-6, 1e-3).upper);
}

}  // namespace dither::accounting
