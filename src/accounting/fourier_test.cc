#include "accounting/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "testing/seed.h"

namespace dither::accounting {
namespace {

using Direction = MixtureLoss::Direction;
using Steps = std::vector<Step>;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Loss sampled(double rate, double sigma, Direction direction) {
  return MixtureLoss{1 / sigma, {1 - rate, rate}, direction};
}

Loss response(double epsilon) {
  return AtomLoss{{{-epsilon, 1 / (1 + std::exp(epsilon))}, {epsilon, 1 / (1 + std::exp(-epsilon))}}, 0};
}

Steps one(Loss loss, std::uint64_t times = 1) { return {{std::move(loss), std::nullopt, times}}; }

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// The interval holds a value known to +-trust and is as narrow as asked.
void expect_epsilon(const Steps& steps, double delta, double width, double wanted, double trust) {
  const Bounds b = epsilon_by_fourier(steps, delta, width);
  EXPECT_LE(b.lower, wanted + trust) << wanted;
  EXPECT_GE(b.upper, wanted - trust) << wanted;
  EXPECT_LE(b.width(), width) << wanted;
}

void expect_delta(const Steps& steps, double epsilon, double relative_width, double wanted, double relative_trust) {
  const Bounds b = delta_by_fourier(steps, epsilon, relative_width);
  EXPECT_LE(b.lower, wanted * (1 + relative_trust)) << wanted;
  EXPECT_GE(b.upper, wanted * (1 - relative_trust)) << wanted;
  EXPECT_LE(b.width(), relative_width * b.lower) << wanted;
}

// Spec: O-19, O-21, O-22, O-23, B-02
TEST(Fourier, SampledGaussianOracles) {
  const double q = 256.0 / 60000;
  expect_epsilon(one(sampled(q, 1.1, Direction::remove), 14062), 1e-5, 1e-6, 2.3815969, 2e-7);
  expect_epsilon(one(sampled(q, 1.1, Direction::remove), 14063), 1e-5, 1e-6, 2.3816897, 2e-7);
  expect_epsilon(one(sampled(q, 1.1, Direction::add), 14062), 1e-5, 1e-6, 2.2435594, 2e-7);
  expect_epsilon(one(sampled(0.01, 4, Direction::remove), 10000), 1e-5, 1e-6, 0.9468668, 2e-7);
  expect_epsilon(one(sampled(0.01, 1, Direction::remove), 1000), 1e-6, 1e-6, 2.1245152, 2e-7);
  expect_epsilon(one(sampled(4096.0 / 50000, 3, Direction::remove), 2500), 1e-5, 1e-6, 6.5788958, 2e-7);
}

// Spec: O-25, B-13
TEST(Fourier, ReplaceOneOracle) {
  expect_epsilon(one(sampled(256.0 / 60000, 1.1, Direction::replace), 14062), 1e-5, 1e-6, 4.2212967, 2e-7);
}

// Spec: O-13, O-24, O-29, B-13
TEST(Fourier, SampledGaussianDeltas) {
  expect_delta(one(sampled(0.01, 1, Direction::remove), 2), 0.5, 1e-2, 4.49721218477e-7, 1e-10);
  expect_delta(one(sampled(0.01, 1, Direction::add), 2), 0.005, 1e-2, 0.00303540701296, 1e-10);
  expect_delta(one(sampled(1e-4, 0.4, Direction::remove), 10000), 4, 1e-3, 1.16832e-5, 1e-5);
  expect_delta(one(sampled(1e-4, 0.4, Direction::remove), 10000), 1, 1e-3, 0.00195978, 1e-5);
  expect_delta(one(sampled(0.2, 0.5, Direction::remove), 3), 1, 1e-3, 0.155932776, 1e-8);
  expect_epsilon(one(sampled(0.01, 1, Direction::remove)), 1e-6, 1e-3, 0.363947839615509, 1e-14);
  expect_delta(one(sampled(0.01, 1, Direction::add)), 0.005, 1e-2, 9.631443353053e-4, 1e-12);
}

// Spec: A-19
TEST(Fourier, TheNormalApproximationIsFarBelowTheCertificate) {
  EXPECT_GT(delta_by_fourier(one(sampled(1e-4, 0.4, Direction::remove), 10000), 4, 1e-2).lower, 1e-5);  // CLT: 1.3e-70
}

// Spec: O-03, A-18, B-06
TEST(Fourier, Gaussians) {
  expect_epsilon(one(GaussianLoss{1}), 1e-5, 1e-9, 4.3771780956812246, 1e-14);
  expect_epsilon(one(GaussianLoss{1}), 1e-6, 1e-9, 4.8865541174622120, 1e-14);
  expect_epsilon(one(GaussianLoss{1}), 1e-9, 1e-9, 6.1739350466709080, 1e-14);
  expect_delta(one(GaussianLoss{1}), 0, 1e-6, 0.38292492254802621, 1e-15);
  expect_delta(one(GaussianLoss{1}), 10, 1e-6, 9.8127058268e-23, 1e-10);  // B-06: far below the floor of a plain sum
  expect_delta(one(GaussianLoss{1}), 20, 1e-6, 2.6647067053655e-86, 1e-13);
  const Steps three{{GaussianLoss{0.5}, {}, 1}, {GaussianLoss{0.2}, {}, 1}, {GaussianLoss{0.1}, {}, 1}};
  expect_epsilon(three, 1e-6, 1e-9, 2.4919620486808, 1e-12);
}

// Spec: O-09, O-10, O-12, B-09
TEST(Fourier, LaplaceOracles) {
  for (const double width : {1e-3, 1e-5, 1e-7}) {
    expect_epsilon(one(LaplaceLoss{0.1}, 50), 1e-6, width, 3.1207095987489, 1e-12);
  }
  expect_epsilon(one(LaplaceLoss{0.1}, 10), 1e-6, 1e-5, 0.99897808944722, 1e-12);
  expect_epsilon(one(LaplaceLoss{0.1}, 30), 1e-5, 1e-5, 2.0628485485747, 1e-12);
  expect_epsilon(one(LaplaceLoss{0.1}, 100), 1e-6, 1e-5, 4.6926674146802, 1e-12);
  expect_delta(one(LaplaceLoss{0.5}, 10), 2, 1e-4, 0.1254768365627246, 1e-14);
  expect_delta(one(LaplaceLoss{0.1}, 50), 2, 1e-4, 9.1656959351159e-4, 1e-12);
  expect_delta(one(LaplaceLoss{0.1}, 100), 3, 1e-4, 1.171174121526298e-3, 1e-13);
  expect_delta(one(LaplaceLoss{1}, 2), 0.7, 1e-3, 0.308289345791653737, 1e-14);
}

// Spec: O-08, O-07, A-63
TEST(Fourier, RandomisedResponseOracles) {
  expect_epsilon(one(response(0.1), 100), 1e-6, 1e-5, 4.774567588108, 1e-11);
  expect_epsilon(one(response(0.1), 30), 1e-5, 1e-5, 2.110154422242382, 1e-13);
  expect_epsilon(one(response(1), 10), 1e-6, 1e-9, 9.999977065820733, 1e-13);  // next to the greatest loss
}

// Spec: O-26, A-16
TEST(Fourier, MixedListOracle) {
  const auto list = [](Direction direction) {
    return Steps{{GaussianLoss{0.2}, {}, 10},
                 {LaplaceLoss{0.1}, {}, 20},
                 {response(0.2), {}, 5},
                 {sampled(0.01, 1, direction), {}, 100}};
  };
  expect_epsilon(list(Direction::remove), 1e-6, 1e-6, 4.2229256, 2e-7);
  expect_epsilon(list(Direction::add), 1e-6, 1e-6, 4.2078159, 2e-7);
  expect_delta(list(Direction::remove), 2, 1e-5, 0.010007998, 1e-7);
}

TEST(Fourier, ManySteps) {
  expect_epsilon(one(sampled(0.01, 1, Direction::remove), 10000), 1e-6, 1e-8, 6.9073844958, 1e-9);
  expect_epsilon(one(sampled(1e-4, 4, Direction::remove), 1'000'000'000), 1e-6, 1e-6, 3.81392038, 2e-7);
  expect_epsilon(one(sampled(0.01, 1, Direction::remove), 10000), 1e-30, 1e-6, 17.63506101, 1e-7);
  const Bounds most = epsilon_by_fourier(one(sampled(1e-7, 1, Direction::remove), 1'000'000'000'000), 1e-6, 1e-5);
  EXPECT_LE(most.width(), 1e-5);
  const Bounds deep = epsilon_by_fourier(one(sampled(0.01, 1, Direction::remove), 10000), 1e-300, 1e-3);
  EXPECT_LE(deep.width(), 1e-3);
  EXPECT_GT(deep.lower, 17.7);
}

// A grouped list is the same composition as a list of single steps, and counts of equal losses add.
TEST(Fourier, OrderAndGroupingDoNotMatter) {
  Steps single, reversed;
  for (int i = 0; i < 30; ++i) single.push_back({i % 2 ? Loss(LaplaceLoss{0.1}) : response(0.15), {}, 1});
  reversed.assign(single.rbegin(), single.rend());
  const Steps grouped{{LaplaceLoss{0.1}, {}, 15}, {response(0.15), {}, 15}, {GaussianLoss{0}, {}, 7}};
  const Bounds wanted = epsilon_by_fourier(grouped, 1e-5, 1e-4);
  EXPECT_EQ(epsilon_by_fourier(single, 1e-5, 1e-4), wanted);
  EXPECT_EQ(epsilon_by_fourier(reversed, 1e-5, 1e-4), wanted);
}

// Spec
TEST(Fourier, InfiniteMassStandsApart) {
  const AtomLoss leaky{{{-0.1, (1 - 1e-6) / (1 + std::exp(0.1))}, {0.1, (1 - 1e-6) / (1 + std::exp(-0.1))}}, 1e-6};
  const Steps ten = one(leaky, 10);
  const double floor = 9.99995500012e-6;
  EXPECT_EQ(epsilon_by_fourier(ten, floor * 0.99, 1e-3), (Bounds{kInfinite, kInfinite}));
  EXPECT_LT(epsilon_by_fourier(ten, floor * 1.01, 1e-3).upper, 1.0001);
  EXPECT_GT(delta_by_fourier(ten, 0.9, 1e-3).lower, floor * (1 - 1e-9));
  const Bounds beyond = delta_by_fourier(ten, 2, 1e-3);
  EXPECT_NEAR(beyond.lower, floor, 1e-16);
  EXPECT_NEAR(beyond.upper, floor, 1e-16);
  EXPECT_EQ(epsilon_by_fourier(one(AtomLoss{{}, 1}), 0.5, 1e-3), (Bounds{kInfinite, kInfinite}));
  EXPECT_EQ(delta_by_fourier(one(AtomLoss{{}, 1}), 3, 1e-3), (Bounds{1, 1}));
}

// Spec
TEST(Fourier, DeltaZeroIsBasicComposition) {
  const Bounds b = epsilon_by_fourier(one(LaplaceLoss{0.1}, 10), 0, 1e-3);
  EXPECT_NEAR(b.lower, 1, 1e-13);
  EXPECT_GE(b.upper, 1);
  EXPECT_NEAR(b.upper, 1, 1e-13);
  EXPECT_EQ(epsilon_by_fourier(one(GaussianLoss{1}), 0, 1e-3), (Bounds{kInfinite, kInfinite}));
}

TEST(Fourier, EdgesAndRefusals) {
  const Bounds unknown{0, kInfinite};
  EXPECT_EQ(epsilon_by_fourier({}, 1e-6, 1e-3), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_fourier({}, 0, 1e-3), (Bounds{0, 0}));
  EXPECT_EQ(delta_by_fourier({}, 0, 1e-3), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_fourier(one(GaussianLoss{1}), 1, 1e-3), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_fourier(one(GaussianLoss{1}), 0.4, 1e-3), (Bounds{0, 0}));
  EXPECT_EQ(epsilon_by_fourier(one(GaussianLoss{1}), std::nan(""), 1e-3), unknown);
  EXPECT_EQ(epsilon_by_fourier(one(GaussianLoss{std::nan("")}), 1e-6, 1e-3), unknown);
  EXPECT_EQ(epsilon_by_fourier(one(MixtureLoss{1, {0.6, 0.6}, Direction::add}), 1e-6, 1e-3), unknown);
  EXPECT_EQ(epsilon_by_fourier(one(LaplaceLoss{0.1}, std::uint64_t{1} << 60), 1e-6, 1e-3), unknown);
  EXPECT_EQ(delta_by_fourier(one(GaussianLoss{1}), std::nan(""), 1e-3), (Bounds{0, 1}));
  EXPECT_EQ(delta_by_fourier(one(GaussianLoss{1}), kInfinite, 1e-3), (Bounds{0, 0}));
  // sizes far outside what the engine can resolve give wide bounds, never wrong ones
  for (const double sigma : {1e-4, 1e4}) {
    const Bounds b = epsilon_by_fourier(one(sampled(0.01, sigma, Direction::remove), 10), 1e-6, 1e-3);
    EXPECT_LE(b.lower, b.upper) << sigma;
  }
}

// The lower end comes from the losses below.
TEST(Fourier, LowerEndFollowsTheDominatedLoss) {
  const Steps steps{{LaplaceLoss{0.11}, Loss(LaplaceLoss{0.1}), 50}};
  const Bounds b = epsilon_by_fourier(steps, 1e-6, 1e-4);
  EXPECT_NEAR(b.lower, 3.1207095987489, 1e-4);
  EXPECT_NEAR(b.upper, epsilon_by_fourier(one(LaplaceLoss{0.11}, 50), 1e-6, 1e-4).upper, 1e-12);
  const Bounds d = delta_by_fourier(steps, 2, 1e-3);
  EXPECT_NEAR(d.lower, 9.1656959351159e-4, 1e-6);
  EXPECT_GT(d.upper, 1.2 * d.lower);
}

// The whole law of a composition of finite losses, by enumeration in long double.
std::map<long double, long double> enumerate(const Steps& steps) {
  std::map<long double, long double> law{{0, 1}};
  for (const Step& step : steps) {
    for (std::uint64_t i = 0; i < step.times; ++i) {
      std::map<long double, long double> next;
      for (const auto& [z, p] : law) {
        for (const LossAtom& a : std::get<AtomLoss>(step.above).atoms) {
          next[z + a.loss] += p * static_cast<long double>(a.mass);
        }
      }
      law = std::move(next);
    }
  }
  return law;
}

long double exact_delta(const std::map<long double, long double>& law, long double epsilon) {
  long double sum = 0;
  for (const auto& [z, p] : law) {
    if (z > epsilon) sum -= p * expm1l(epsilon - z);
  }
  return sum;
}

long double exact_epsilon(const std::map<long double, long double>& law, long double delta) {
  long double low = 0, high = 100;
  if (exact_delta(law, 0) <= delta) return 0;
  for (int i = 0; i < 80; ++i) {
    const long double middle = (low + high) / 2;
    (exact_delta(law, middle) > delta ? low : high) = middle;
  }
  return high;
}

// A pair of laws on a few outcomes, as a loss; the other direction when `swapped`.
AtomLoss random_atoms(std::mt19937_64& draw, bool swapped) {
  std::uniform_real_distribution<double> unit(0.05, 1);
  const std::size_t outcomes = 2 + draw() % 3;
  std::vector<double> p(outcomes), q(outcomes);
  double p_sum = 0, q_sum = 0;
  for (std::size_t i = 0; i < outcomes; ++i) {
    p_sum += p[i] = unit(draw);
    q_sum += q[i] = unit(draw);
  }
  std::map<double, double> atoms;
  for (std::size_t i = 0; i < outcomes; ++i) {
    const double z = std::log(p[i] / p_sum) - std::log(q[i] / q_sum);
    atoms[swapped ? -z : z] += swapped ? q[i] / q_sum : p[i] / p_sum;
  }
  AtomLoss result;
  for (const auto& [z, mass] : atoms) result.atoms.push_back({z, mass});
  return result;
}

// Spec: A-13
TEST(Fourier, HoldsExactEnumerations) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = nightly() ? 300 : 25;
  for (int round = 0; round < rounds; ++round) {
    const Steps steps{{random_atoms(draw, false), {}, 1 + draw() % 5},
                      {random_atoms(draw, round % 2), {}, 1 + draw() % 5}};
    const auto law = enumerate(steps);
    const double epsilon = 3 * unit(draw);
    const long double exact = exact_delta(law, epsilon);
    const Bounds delta = delta_by_fourier(steps, epsilon, 1e-2);
    EXPECT_LE(delta.lower, exact * (1 + 1e-13L)) << round;
    EXPECT_GE(delta.upper, exact * (1 - 1e-13L)) << round;
    const double target = std::pow(10, -1 - 7 * unit(draw));
    const long double wanted = exact_epsilon(law, target);
    const Bounds b = epsilon_by_fourier(steps, target, 1e-3);
    EXPECT_LE(b.lower, wanted + 1e-12L) << round << " delta " << target;
    EXPECT_GE(b.upper, wanted - 1e-12L) << round << " delta " << target;
    EXPECT_LE(b.upper, exact_epsilon(law, target / 4) + 1) << round;
  }
}

// One step's curve by a fine sum over the output, E_P[(1 - e^(epsilon - Z))+].
long double one_step_delta(const MixtureLoss& loss, long double epsilon) {
  const auto ratio = [&](long double y) {
    long double sum = 0;
    for (std::size_t j = 0; j < loss.weights.size(); ++j) {
      const long double shift = static_cast<long double>(j) * loss.mu;
      sum += loss.weights[j] * std::exp(shift * y - shift * shift / 2);
    }
    return sum;
  };
  const long double h = 2e-4L;
  long double total = 0;
  for (long double y = -14; y < 16 + 3 * loss.mu; y += h) {
    const long double r = ratio(y);
    const long double p = loss.direction == Direction::add ? 1 : r;
    const long double q = loss.direction == Direction::add ? r : loss.direction == Direction::remove ? 1 : ratio(-y);
    total += std::exp(-y * y / 2) * std::max(0.0L, p - std::exp(epsilon) * q);
  }
  return total * h / sqrtl(2 * M_PIl);
}

// Spec: B-13, B-26
TEST(Fourier, HoldsTheCurveOfOneStep) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = nightly() ? 60 : 9;
  for (int round = 0; round < rounds; ++round) {
    const double q = 0.02 + 0.9 * unit(draw);
    std::vector<double> weights{1 - q, q};
    if (round % 2) weights = {(1 - q) * (1 - q), 2 * q * (1 - q), q * q};
    const MixtureLoss loss{0.3 + unit(draw), weights, static_cast<Direction>(round % 3)};
    const double epsilon = unit(draw) * (loss.direction == Direction::add ? -std::log(weights[0]) : 1);
    const double exact = static_cast<double>(one_step_delta(loss, epsilon));
    const Bounds b = delta_by_fourier(one(loss), epsilon, 0.1);
    EXPECT_LE(b.lower, exact * (1 + 1e-6)) << round << " q " << q << " epsilon " << epsilon;
    EXPECT_GE(b.upper, exact * (1 - 1e-6)) << round << " q " << q << " epsilon " << epsilon;
    EXPECT_LE(b.upper, 2 * exact + 1e-6) << round << " q " << q << " epsilon " << epsilon;
  }
}

// Spec: A-66
TEST(Fourier, HeterogeneousOptimalComposition) {
  Steps steps;
  for (const double e : {0.1, 0.2, 0.3, 0.4, 0.5}) steps.push_back({response(e), {}, 1});
  expect_delta(steps, 1.0, 1e-2, 0.0436188546899, 1e-11);
  expect_epsilon(steps, 0.01, 1e-2, 1.3234614747173, 1e-12);
}

// Spec: C-10
TEST(Fourier, PlantedSingleDirectionIsCaught) {
  // P = (0.1, 0.9), Q = (0.3, 0.7) on two outcomes: P against Q is far easier to bear than Q against P
  const AtomLoss forward{{{std::log(1.0 / 3), 0.1}, {std::log(9.0 / 7), 0.9}}, 0};
  const AtomLoss backward{{{std::log(7.0 / 9), 0.7}, {std::log(3.0), 0.3}}, 0};
  const double one_sided = epsilon_by_fourier(one(forward, 5), 1e-4, 1e-3).upper;  // the slip: this order alone
  EXPECT_LT(one_sided, epsilon_by_fourier(one(backward, 5), 1e-4, 1e-3).lower);
}

TEST(Fourier, EpsilonFallsWithDeltaAndGrowsWithSteps) {
  const Loss loss = sampled(0.02, 1.2, Direction::remove);
  double before = kInfinite;
  for (double delta = 1e-12; delta < 0.5; delta *= 20) {
    const Bounds b = epsilon_by_fourier(one(loss, 3000), delta, 1e-5);
    EXPECT_LE(b.lower, before) << delta;
    before = b.upper;
  }
  before = 0;
  for (const std::uint64_t times : {200, 400, 800, 5000}) {
    const Bounds b = epsilon_by_fourier(one(loss, times), 1e-6, 1e-5);
    EXPECT_GE(b.upper, before) << times;
    before = b.lower;
  }
}

// Answers to the two questions, and at two widths, never contradict each other.
TEST(Fourier, EndsAgreeWithEachOther) {
  std::mt19937_64 draw(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  const int rounds = nightly() ? 200 : 15;
  for (int round = 0; round < rounds; ++round) {
    const double rate = 0.004 + 0.056 * unit(draw);
    const double sigma = 0.9 + 2.3 * unit(draw);
    const auto times = static_cast<std::uint64_t>(500 + 9500 * unit(draw));
    const auto direction = static_cast<Direction>(round % 3);
    const Steps steps = one(sampled(rate, sigma, direction), times);
    const double delta = std::pow(10, -4 - 4 * unit(draw));
    const Bounds b = epsilon_by_fourier(steps, delta, 1e-4);
    EXPECT_LE(b.width(), 1e-4) << rate << " " << sigma << " " << times;
    // round trip through the other question
    EXPECT_LE(delta_by_fourier(steps, b.upper, 1e-3).lower, delta);
    EXPECT_GE(delta_by_fourier(steps, b.lower, 1e-3).upper, delta);
    // a thousand times narrower lies inside
    const Bounds narrow = epsilon_by_fourier(steps, delta, 1e-7);
    EXPECT_LE(b.lower, narrow.upper);
    EXPECT_GE(b.upper, narrow.lower);
    EXPECT_LE(narrow.width(), 1e-7) << rate << " " << sigma << " " << times;
  }
}

}  // namespace
}  // namespace dither::accounting
