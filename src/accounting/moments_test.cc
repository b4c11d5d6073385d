#include "accounting/moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "testing/seed.h"

namespace dither::accounting {
namespace {

using Direction = MixtureLoss::Direction;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Loss sampled(double rate, double sigma, Direction direction) {
  return MixtureLoss{1 / sigma, {1 - rate, rate}, direction};
}

Loss response(double epsilon) {
  return AtomLoss{{{-epsilon, 1 / (1 + std::exp(epsilon))}, {epsilon, 1 / (1 + std::exp(-epsilon))}}, 0};
}

// The Renyi divergence of an order lies within `digits` relative of a known value, and inside the bounds.
void expect_divergence(const Loss& loss, double alpha, double wanted, double relative) {
  const Bounds b = log_moment(loss, alpha - 1);
  EXPECT_LE(b.lower / (alpha - 1), wanted * (1 + relative)) << alpha;
  EXPECT_GE(b.upper / (alpha - 1), wanted * (1 - relative)) << alpha;
  EXPECT_LT(b.width(), 1e-12 * b.upper) << alpha;
}

// Spec: A-52
TEST(LogMoment, IntegerOrdersOfSampledGaussians) {
  const Loss loss = sampled(0.01, 1, Direction::remove);
  for (const auto& [alpha, wanted] : std::vector<std::pair<double, double>>{{2, 1.71813422074548e-4},
                                                                            {3, 2.64637574584661e-4},
                                                                            {8, 8.93643907606e-4},
                                                                            {16, 3.08785078369624},
                                                                            {64, 27.3217318745518}}) {
    expect_divergence(loss, alpha, wanted, 1e-11);
  }
}

// Spec: A-52
TEST(LogMoment, TinyRatesKeepTheirDigits) {
  const double tiny = 1.7182818284590451e-16;
  expect_divergence(sampled(1e-8, 1, Direction::remove), 2, tiny, 1e-13);
  // the naive form, ln of the summed moment, cannot see it
  const double q = 1e-8;
  const double naive = std::log((1 - q) * (1 - q) + 2 * q * (1 - q) + q * q * std::exp(1.0));
  EXPECT_GT(std::abs(naive - tiny), 0.2 * tiny);
}

// Spec: A-53, O-14
TEST(LogMoment, AllOrdersOfTheMnistSetting) {
  const Loss loss = sampled(256.0 / 60000, 1.1, Direction::remove);
  for (const auto& [alpha, wanted] : std::vector<std::pair<double, double>>{{1.25, 1.4538842929907e-5},
                                                                            {1.5, 1.74797844629e-5},
                                                                            {2.5, 2.93580702818e-5},
                                                                            {8.8, 1.08964300759525e-4},
                                                                            {10.5, 1.32165411307523e-4},
                                                                            {2, 2.33957760099e-5},
                                                                            {4, 4.75333523611e-5},
                                                                            {8, 9.8341061779926e-5},
                                                                            {16, 0.791891432781896},
                                                                            {32, 7.59018834621},
                                                                            {64, 20.90274077919}}) {
    expect_divergence(loss, alpha, wanted, 5e-12);
  }
}

// Spec
TEST(LogMoment, NearOrderOneAndTheOtherDirection) {
  expect_divergence(sampled(0.05, 1, Direction::remove), 1 + 1e-6, 0.00194341273411151, 1e-9);
  expect_divergence(sampled(0.05, 1, Direction::remove), 1.01, 0.00196460040925807, 1e-12);
  expect_divergence(sampled(0.05, 1, Direction::remove), 3, 0.0072612433, 1e-8);
  expect_divergence(sampled(0.05, 1, Direction::add), 3, 0.0046827135, 1e-8);
}

// Spec: A-47, B-11, A-20, A-26
TEST(LogMoment, ClosedForms) {
  expect_divergence(GaussianLoss{0.5}, 3, 0.375, 1e-15);
  expect_divergence(response(1), 2, 0.73532566405552, 1e-13);
  expect_divergence(LaplaceLoss{1}, 2, 0.61912362999859, 1e-13);
  expect_divergence(response(0.5), 10, 0.44733309609428, 1e-13);
  expect_divergence(LaplaceLoss{0.5}, 10, 0.42869038646727, 1e-13);
  for (const double theta : {0.1, 1.0, 7.0}) {  // an eps-DP loss is below the Gaussian of the same size
    EXPECT_LT(log_moment(response(0.3), theta).upper, theta * (theta + 1) * 0.09 / 2);
  }
}

// With weights {0, 1} a mixture is one Gaussian, and replace-one doubles its shift.
TEST(LogMoment, UnsampledMixturesAreGaussians) {
  for (const double theta : {-0.5, 0.25, 3.0, 40.0}) {
    const double one = theta * (theta + 1) * 0.49 / 2;
    for (const Direction direction : {Direction::remove, Direction::add, Direction::replace}) {
      const double wanted = direction == Direction::replace ? 4 * one : one;
      const Bounds b = log_moment(MixtureLoss{0.7, {0, 1}, direction}, theta);
      EXPECT_LE(b.lower, wanted + 1e-14 * std::abs(wanted)) << theta;
      EXPECT_GE(b.upper, wanted - 1e-14 * std::abs(wanted)) << theta;
      EXPECT_LT(b.width(), 1e-11 * (1 + std::abs(wanted))) << theta;
    }
  }
}

// The slow obvious way: E_P[expm1(theta Z)] by a fine rule in long double, over everything that could matter.
long double reference(const MixtureLoss& loss, long double theta) {
  const auto log_ratio = [&](long double y) {
    long double sum = 0;
    for (std::size_t j = 0; j < loss.weights.size(); ++j) {
      const long double shift = static_cast<long double>(j) * loss.mu;
      sum += static_cast<long double>(loss.weights[j]) * expm1l(shift * y - shift * shift / 2);
    }
    return log1pl(sum);
  };
  const long double top = static_cast<long double>(loss.weights.size()) * loss.mu;
  const long double h = 0.01L / (1 + top);
  const long double high = 14 + (2 + std::abs(theta)) * top;
  const bool add = loss.direction == Direction::add;
  long double total = 0;
  for (long double y = -high; y <= high; y += h) {
    const long double ahead = log_ratio(y);
    const long double z = loss.direction == Direction::replace ? ahead - log_ratio(-y) : add ? -ahead : ahead;
    const long double log_p = -y * y / 2 + (add ? 0 : ahead);
    total += theta * z > 20 ? expl(log_p + theta * z) - expl(log_p) : expl(log_p) * expm1l(theta * z);
  }
  return log1pl(total * h / sqrtl(2 * M_PIl));
}

// Spec: B-13, B-26
TEST(LogMoment, HoldsTheSlowReference) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = std::getenv("DITHER_NIGHTLY") ? 400 : 40;
  for (int i = 0; i < rounds; ++i) {
    const double q = std::pow(10, -4 * unit(draw)) * 0.95;
    const std::size_t top = 1 + draw() % 3;
    std::vector<double> weights(top + 1);
    double rest = 1;
    for (std::size_t j = top; j > 0; --j) rest -= weights[j] = q / std::pow(3, static_cast<double>(j)) + 1e-6;
    weights[0] = rest;
    const auto direction = static_cast<Direction>(draw() % 3);
    const MixtureLoss loss{0.2 + unit(draw), weights, direction};
    const double theta = i % 4 == 0 ? -unit(draw) : 12 * unit(draw);
    const double wanted = static_cast<double>(reference(loss, theta));
    const Bounds b = log_moment(loss, theta);
    const double trust = 1e-14 * (1e-3 + std::abs(wanted));  // of the reference: weights sum to 1 only to 1e-16
    EXPECT_LE(b.lower, wanted + trust) << i << " theta " << theta << " mu " << loss.mu << " q " << q;
    EXPECT_GE(b.upper, wanted - trust) << i << " theta " << theta << " mu " << loss.mu << " q " << q;
    EXPECT_LT(b.width(), 1e-10 * std::abs(wanted) + 1e-13) << i << " theta " << theta << " q " << q;
  }
}

// Bounds hold for every exact pair within 2^-50: both ends of that range must lie inside.
TEST(LogMoment, CoversTheTrustOfTheParameters) {
  const double up = 1 + 0x1p-50;
  const double down = 1 - 0x1p-50;
  const auto inside = [](const Loss& loss, const Loss& moved, double theta) {
    const Bounds wide = log_moment(loss, theta);
    const Bounds other = log_moment(moved, theta);
    const double middle = other.lower + other.width() / 2;
    return wide.lower <= middle && middle <= wide.upper;
  };
  for (const double f : {up, down}) {
    for (const double theta : {0.5, 3.0, 30.0, 300.0}) {
      EXPECT_TRUE(inside(GaussianLoss{0.7}, GaussianLoss{0.7 * f}, theta));
      EXPECT_TRUE(inside(LaplaceLoss{0.3}, LaplaceLoss{0.3 * f}, theta));
      EXPECT_TRUE(inside(LaplaceLoss{20}, LaplaceLoss{20 * f}, theta));
      const double q = 0.02;
      for (const Direction d : {Direction::remove, Direction::add, Direction::replace}) {
        const Loss loss = MixtureLoss{0.9, {1 - q, q}, d};
        EXPECT_TRUE(inside(loss, MixtureLoss{0.9 * f, {1 - q, q}, d}, theta)) << theta;
        EXPECT_TRUE(inside(loss, MixtureLoss{0.9, {1 - q * f, q * f}, d}, theta)) << theta;
      }
    }
  }
}

TEST(LogMoment, UnknownWhereNothingCanBeSaid) {
  const double nan = std::nan("");
  for (const Loss& loss : std::vector<Loss>{
           GaussianLoss{-1}, LaplaceLoss{nan}, MixtureLoss{1, {0.5, 0.4}, Direction::add},
           MixtureLoss{1, {}, Direction::add}, AtomLoss{{{1, 0.5}}, 0.2}, AtomLoss{{{1, 0.5}, {0, 0.5}}, 0}}) {
    EXPECT_EQ(log_moment(loss, 1).upper, kInfinite);
    EXPECT_EQ(greatest_loss(loss), kInfinite);
  }
  EXPECT_EQ(log_moment(GaussianLoss{1}, -1.5).upper, kInfinite);
  EXPECT_EQ(log_moment(GaussianLoss{1}, nan).upper, kInfinite);
  EXPECT_EQ(log_moment(GaussianLoss{1e200}, 1).upper, kInfinite);
  EXPECT_EQ(log_moment(sampled(0.5, 1e-6, Direction::replace), 1e5).upper, kInfinite);
}

// Spec, B-13
TEST(GreatestLoss, BoundsTheSupport) {
  EXPECT_EQ(greatest_loss(GaussianLoss{0.1}), kInfinite);
  EXPECT_EQ(greatest_loss(GaussianLoss{0}), 0);
  EXPECT_NEAR(greatest_loss(LaplaceLoss{0.3}), 0.3, 1e-15);
  EXPECT_GE(greatest_loss(LaplaceLoss{0.3}), 0.3);
  EXPECT_NEAR(greatest_loss(sampled(0.01, 1, Direction::add)), 0.010050335853501, 1e-14);
  EXPECT_EQ(greatest_loss(sampled(0.01, 1, Direction::remove)), kInfinite);
  EXPECT_NEAR(greatest_loss(AtomLoss{{{-1, 0.5}, {2, 0.4}}, 0.1}), 2, 1e-14);
}

// The loss of Gaussian noise is N(rho, 2 rho), rho = mu^2 / 2: its log moments are theta rho + theta^2 rho, and
// E e^-Z = 1.
// Spec: A-08
TEST(Moments, TheLossOfGaussianNoiseIsNormal) {
  for (const double mu : {0.01, 0.5, 1.0, 3.0}) {
    const double rho = mu * mu / 2;
    for (const double theta : {-1.0, -0.5, 0.25, 1.0, 7.0}) {
      const Bounds moment = log_moment(GaussianLoss{mu}, theta);
      EXPECT_NEAR(moment.lower, theta * rho + theta * theta * rho, 1e-13 * rho * theta * theta);
      EXPECT_NEAR(moment.upper, theta * rho + theta * theta * rho, 1e-13 * rho * theta * theta);
    }
    EXPECT_NEAR(std::exp(log_moment(GaussianLoss{mu}, -1).upper), 1, 1e-15);
  }
}

// Masses and parameters near the smallest doubles still give bounds on the right side.
TEST(Moments, TinyNumbersKeepTheirSide) {
  const AtomLoss tiny{{{0, 1}, {740, 1e-320}}, 0};
  const Bounds one = log_moment(tiny, 1);
  EXPECT_LE(one.lower, 3.21379343152838 + 1e-10);  // ln(1 + 9.99989e-321 e^740)
  EXPECT_GE(one.upper, 3.21379343152838 - 1e-10);
  EXPECT_GT(log_moment(GaussianLoss{1e-170}, 1).upper, 0);
  EXPECT_GT(log_moment(LaplaceLoss{1e-165}, 1).upper, 0);
  EXPECT_EQ(log_moment(GaussianLoss{1}, 0).upper, 0);
}

}  // namespace
}  // namespace dither::accounting
