#include "accounting/detail/fourier_spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <vector>

#include "accounting/detail/fourier_plan.h"
#include "accounting/moments.h"
#include "testing/seed.h"

namespace dither::accounting::detail {
namespace {

using Direction = MixtureLoss::Direction;
using Complex = std::complex<long double>;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

MixtureLoss sampled(double rate, double sigma, Direction direction) {
  return MixtureLoss{1 / sigma, {1 - rate, rate}, direction};
}

// A group of two records, each sampled at the rate (B-26).
MixtureLoss group(double rate, double sigma, Direction direction) {
  return MixtureLoss{1 / sigma, {(1 - rate) * (1 - rate), 2 * rate * (1 - rate), rate * rate}, direction};
}

AtomLoss response(double epsilon) {
  return {{{-epsilon, 1 / (1 + std::exp(epsilon))}, {epsilon, 1 / (1 + std::exp(-epsilon))}}, 0};
}

// phi(u) - 1 in long double, the slow obvious way.
Complex reference(const LaplaceLoss& loss, long double theta, long double u) {
  const long double e = loss.epsilon;
  const auto moment = [e](Complex t) {
    return ((1.0L + t) * std::exp(t * e) + t * std::exp(-(1.0L + t) * e)) / (1.0L + 2.0L * t);
  };
  return moment({theta, u}) / moment(theta) - 1.0L;
}

Complex reference(const AtomLoss& loss, long double theta, long double u) {
  Complex sum = 0;
  long double total = 0;
  for (const LossAtom& a : loss.atoms) {
    const long double z = a.loss;
    const long double w = a.mass * std::exp(theta * z);
    sum += w * Complex{std::cos(u * z) - 1, std::sin(u * z)};
    total += w;
  }
  return sum / total;
}

Complex reference(const MixtureLoss& loss, long double theta, long double u) {
  const long double h = 0.004L / (1 + loss.mu);
  Complex sum = 0;
  long double total = 0;
  const auto log_ratio = [&](long double y) {
    long double above_one = 0;
    for (std::size_t j = 1; j < loss.weights.size(); ++j) {
      const long double shift = static_cast<long double>(j) * loss.mu;
      above_one += loss.weights[j] * expm1l(shift * y - shift * shift / 2);
    }
    return log1pl(above_one);
  };
  const long double top = static_cast<long double>(loss.weights.size() - 1) * loss.mu;
  for (long double y = -12 - theta * top; y < 13 + (2 * theta + 2) * top; y += h) {
    const long double ahead = log_ratio(y);
    const bool add = loss.direction == Direction::add;
    const long double z = loss.direction == Direction::replace ? ahead - log_ratio(-y) : add ? -ahead : ahead;
    const long double w = std::exp(-y * y / 2 + (add ? 0 : ahead) + theta * z);
    sum += w * Complex{std::cos(u * z) - 1, std::sin(u * z)};
    total += w;
  }
  return sum / total;
}

template <typename L>
void expect_within_its_error(const L& loss, double theta, double spacing, std::size_t block) {
  const double reach = spacing * static_cast<double>(kBlock * (block + 1));
  const Factor factor(loss, 1, theta, reach, 30);
  Walker walker(factor, spacing);
  Block result;
  for (std::size_t b = block >= 5 ? block - 5 : 0; b <= block; ++b)
    walker.at(b, result);  // some by turning, some fresh
  for (std::size_t i = 0; i < kBlock; i += 3) {
    const double u = spacing * static_cast<double>(block * kBlock + i);
    const Complex wanted = reference(loss, theta, u);
    const Complex got{result.real[i], result.imaginary[i]};
    EXPECT_LE(std::abs(got - wanted), factor.error(u) + 1e-17L * u) << "u " << u << " theta " << theta;
    EXPECT_LE(factor.error(u), 1e-11 * (1 + u)) << "u " << u;
  }
}

TEST(Walker, StaysWithinItsError) {
  for (const double theta : {0.3, 6.0}) {
    for (const std::size_t block : {0, 3, 12}) {
      expect_within_its_error(LaplaceLoss{0.1}, theta, 0.7, block);
      expect_within_its_error(LaplaceLoss{3}, theta, 0.7, block);
      expect_within_its_error(response(0.2), theta, 1.3, block);
      expect_within_its_error(AtomLoss{{{-2, 0.1}, {0, 0.2}, {1e-3, 0.3}, {0.4, 0.4}}, 0}, theta, 0.9, block);
      for (const Direction direction : {Direction::remove, Direction::add, Direction::replace}) {
        expect_within_its_error(sampled(0.01, 1, direction), theta, 0.6, block);
        if (block == 3) expect_within_its_error(group(0.1, 1.5, direction), theta, 0.6, block);
      }
    }
  }
}

// The certificate of fourier_decay.cc against the transform itself, on a fine rule.
TEST(Factor, BoundsItsOwnTransform) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = nightly() ? 100 : 12;
  int telling = 0;  // rounds in which the bound is worth something where the transform has begun to fall
  for (int round = 0; round < rounds; ++round) {
    const double q = std::pow(10, -3 * unit(draw)) * 0.9;
    const double sigma = 0.6 + 3 * unit(draw);
    const auto direction = static_cast<Direction>(round % 3);
    const MixtureLoss loss = round % 4 == 3 ? group(q, 1 + sigma, direction) : sampled(q, sigma, direction);
    const double theta = 0.5 + 8 * unit(draw);
    const Factor coarse(loss, 1, theta, 20, 30);
    const auto moment = [&](double t) { return accounting::log_moment(loss, t).upper; };
    const double variance = (moment(theta + 0.1) - 2 * moment(theta) + moment(theta - 0.1)) / 0.01;
    const double start = 0.3 / std::sqrt(variance);
    std::vector<double> edge;
    for (int i = 0; i < 20; ++i) edge.push_back(start * (1 + 0.25 * i));
    for (int i = 0; i < 12; ++i) edge.push_back(edge.back() * 1.15);
    std::vector<double> bound(edge.size(), 0);
    coarse.tighten_decay(edge, 20, 1e9, bound);
    if (bound[3] < -0.05) ++telling;
    const Factor fine(loss, 1, theta, 2 * edge.back(), 30);
    for (std::size_t i = 0; i < edge.size(); ++i) {
      const double end = i + 1 < edge.size() ? edge[i + 1] : 1.5 * edge[i];
      for (const double u : {edge[i], edge[i] + 0.37 * (end - edge[i]), end}) {
        Walker at(fine, u / 8);
        Block block;
        at.at(1, block);
        const double size = std::hypot(1 + block.real[0], block.imaginary[0]);
        EXPECT_LE(std::log(size), bound[i] + 1e-9) << round << " u " << u << " theta " << theta << " q " << q;
      }
    }
  }
  EXPECT_GT(telling, rounds / 3);
}

// Growth of the hockey stick at one value, by its definition, against the bound (3) of fourier_spectrum.h.
long double growth(long double y, long double s) {
  const auto cdf = [](long double x) { return erfcl(-x / sqrtl(2)) / 2; };
  const long double smoothed = cdf(y / s + s / 2) - std::exp(-y) * cdf(y / s - s / 2);
  return smoothed - (y > 0 ? -expm1l(-y) : 0);
}

TEST(Smoothing, GrowsByAtMostTheLemma) {
  long double worst = 0;
  for (const long double s : {0.3L, 0.1L, 0.01L, 1e-3L}) {
    for (long double x = -6; x <= 6; x += 0.01L) {
      const long double y = x * s;
      const long double density = std::exp(-(y / s + s / 2) * (y / s + s / 2) / 2) / (s * sqrtl(2 * M_PIl));
      const long double ratio = growth(y, s) / (s * s * (1 + 0.8L * s) * density);
      EXPECT_GE(ratio, -1e-12L) << static_cast<double>(s) << " " << static_cast<double>(x);
      EXPECT_LE(ratio, 1 + 1e-12L) << static_cast<double>(s) << " " << static_cast<double>(x);
      worst = std::max(worst, ratio);
    }
  }
  EXPECT_GT(worst, 0.99L);  // so half the correction would be caught
}

// Spec: A-24
TEST(Chernoff, ImprovedConversion) {
  const double rho = 0.5;
  const double t = 3.737114411;
  EXPECT_NEAR(std::exp(log_chernoff({t, t * (t + 1) * rho}) - 4 * t), 1.9579541695772e-4, 1e-16);
  // eps form at delta 1e-6
  const double order = 4.9070094;
  EXPECT_NEAR((log_chernoff({order, order * (order + 1) * rho}) - std::log(1e-6)) / order, 5.2215344445302, 1e-12);
}

Composition many(const Loss& loss, double times) { return {{{loss, times}}, 0}; }

// A spectrum made by hand: no planning, and a tail of frequencies that is bounded by `log_tail` instead of a
// certificate.
Spectrum by_hand(const Composition& composition, const Grid& grid, std::vector<Order> orders, double log_tail = 0) {
  std::vector<Factor> factors;
  const double reach = grid.spacing * static_cast<double>(kBlock * grid.blocks);
  for (const Group& g : composition.groups) factors.emplace_back(g.loss, g.times, grid.theta, reach, 40);
  return Spectrum(composition, factors, grid, Decay{{0}, {log_tail}}, std::move(orders));
}

Spectrum by_hand(const Composition& composition, const Grid& grid, double order) {
  return by_hand(composition, grid, std::vector<Order>{{order, total_log_moment(composition, order).upper}});
}

// The exact curve lies inside the smoothed one.
// Spec: B-06
TEST(Spectrum, ExactModeLiesInsideSmoothingMode) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = nightly() ? 60 : 8;
  for (int round = 0; round < rounds; ++round) {
    const double rate = 0.004 + 0.056 * unit(draw);
    const Composition c = many(sampled(rate, 0.9 + 2.3 * unit(draw), static_cast<Direction>(round % 3)),
                               std::floor(500 + 9500 * unit(draw)));
    const double planned = 1e-6;  // the delta that accuracy is for; at the estimated epsilon it may be far smaller
    const Plan plan = make_plan(c, {true, std::log(planned), std::nan(""), 1e-6, 0});
    ASSERT_TRUE(plan.usable);
    const double epsilon = plan.epsilon;
    const Bounds exact = make_spectrum(c, plan).delta(epsilon);
    const double s = std::min(0.05, 0.3 / (1 + plan.theta));
    const auto blocks = static_cast<std::size_t>(std::ceil(8 / s / plan.spacing / kBlock));
    const Spectrum smoothed = by_hand(c, {plan.theta, plan.spacing, blocks, s}, plan.orders);
    const Bounds wide = smoothed.delta(epsilon);
    EXPECT_LT(exact.width(), 1e-4 * std::max(exact.upper, planned)) << round;
    EXPECT_LE(wide.lower, exact.lower) << round;
    EXPECT_GE(wide.upper, exact.upper) << round;
    EXPECT_LT(wide.width(), 0.5 * std::max(exact.upper, planned)) << round;
  }
}

// What a slip would return: a part of the certificate left out.
struct Case {
  Composition composition;
  double epsilon;
  double exact;
};

// 50 Laplace releases of 0.1 (O-10), 100 randomised responses of 0.1 by their binomial law.
Case laplace_case() { return {many(LaplaceLoss{0.1}, 50), 2, 9.1656959351159e-4}; }
Case response_case(double epsilon) {
  double delta = 0;
  for (int l = 0; l <= 100; ++l) {
    const double z = 0.1 * (2 * l - 100);
    const double log_mass =
        std::lgamma(101) - std::lgamma(l + 1) - std::lgamma(101 - l) + l * 0.1 - 100 * std::log1p(std::exp(0.1));
    if (z > epsilon) delta -= std::exp(log_mass) * std::expm1(epsilon - z);
  }
  return {many(response(0.1), 100), epsilon, delta};
}

bool holds(const CurveParts& parts, double exact) {
  const Bounds b = parts.bounds();
  return b.lower <= exact * (1 + 1e-11) && exact * (1 - 1e-11) <= b.upper;
}

// A window of L = 2 pi / spacing that is too short is paid for by the alias terms; without them the truth is outside.
TEST(Spectrum, PlantedMissingAliasIsCaught) {
  for (const Case& c : {laplace_case(), response_case(2.05)}) {
    const Grid grid{3, 1.5, 2000, 0.003};
    CurveParts parts = by_hand(c.composition, grid, 6).parts(c.epsilon);
    EXPECT_TRUE(holds(parts, c.exact));
    parts.alias_below = parts.alias_above = 0;
    EXPECT_FALSE(holds(parts, c.exact));
  }
  // each of the two alone: a short window seen from below, and from above
  const Case c = laplace_case();
  CurveParts below = by_hand(c.composition, {1.5, 1, 2000, 0.003}, 6).parts(c.epsilon);
  EXPECT_TRUE(holds(below, c.exact));
  below.alias_below = 0;
  EXPECT_FALSE(holds(below, c.exact));
  CurveParts above = by_hand(c.composition, {9, 4, 800, 0.003}, 12).parts(c.epsilon);
  EXPECT_TRUE(holds(above, c.exact));
  above.alias_above = 0;
  EXPECT_FALSE(holds(above, c.exact));
}

TEST(Spectrum, PlantedMissingSmoothingCorrectionIsCaught) {
  for (const Case& c : {laplace_case(), response_case(2.05), response_case(2)}) {
    const Grid grid{6, 0.5, 200, 0.03};
    CurveParts parts = by_hand(c.composition, grid, 9).parts(c.epsilon);
    EXPECT_TRUE(holds(parts, c.exact));
    EXPECT_LT(parts.alias_below + parts.alias_above + parts.sum_error, 1e-3 * parts.smoothing);
    parts.smoothing = 0;
    EXPECT_FALSE(holds(parts, c.exact));
  }
  // at an atom of the loss half the correction is not enough either
  CurveParts parts = by_hand(response_case(2).composition, {6, 0.5, 1600, 0.004}, 9).parts(2);
  EXPECT_TRUE(holds(parts, response_case(2).exact));
  parts.smoothing /= 2.1;
  EXPECT_FALSE(holds(parts, response_case(2).exact));
}

// Too few frequencies are paid for by the tail; a tail that starts one block late is not.
TEST(Spectrum, PlantedMissingFrequenciesAreCaught) {
  const Composition gaussian{{}, 1};
  const double exact = 4.7122412007931199e-5;  // O-01, epsilon 4
  for (const std::size_t blocks : {1, 2}) {
    const Grid grid{4, 0.25, blocks, 0};
    const Decay decay{{0}, {0}};
    const Spectrum spectrum(gaussian, {}, grid, decay, {{8, 36 + 1e-10}});
    CurveParts parts = spectrum.parts(4);
    EXPECT_TRUE(holds(parts, exact)) << blocks;
    const double u = grid.spacing * static_cast<double>(blocks * kBlock);
    const double scale = std::exp(10 - 16);  // e^(ln M(4) - 4 epsilon)
    const FrequencyTail tail = frequency_tail(decay, grid, 1, u);
    const FrequencyTail late = frequency_tail(decay, grid, 1, u + 2 * kBlock * grid.spacing);
    parts.sum_error -= scale * (tail.curve - late.curve);
    EXPECT_FALSE(holds(parts, exact)) << blocks;
  }
}

// One run is certified for all exact parameters within 2^-50: the sums of two such runs differ by less than the bound.
TEST(Spectrum, CoversTheTrustOfTheParameters) {
  const double f = 1 + 0x1p-50;
  const double q = 1e-4;
  for (const Direction direction : {Direction::remove, Direction::add, Direction::replace}) {
    const Composition base = many(MixtureLoss{1, {1 - q, q}, direction}, 1e8);
    const Plan plan = make_plan(base, {true, std::log(1e-6), std::nan(""), 1e-6, 0});
    const Grid grid{plan.theta, plan.spacing, 8, 0};
    const double negligible = -100;  // the tail is not what is tested here
    const CurveParts here = by_hand(base, grid, plan.orders, negligible).parts(plan.epsilon);
    for (const Composition& moved :
         {many(MixtureLoss{f, {1 - q, q}, direction}, 1e8), many(MixtureLoss{1, {1 - q * f, q * f}, direction}, 1e8)}) {
      const CurveParts there = by_hand(moved, grid, plan.orders, negligible).parts(plan.epsilon);
      EXPECT_LE(std::abs(here.sum - there.sum), here.sum_error);
      EXPECT_NE(here.sum, there.sum);
    }
    EXPECT_LT(here.sum_error, 1e-5 * here.sum);
  }
}

}  // namespace
}  // namespace dither::accounting::detail
