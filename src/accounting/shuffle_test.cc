#include "accounting/shuffle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "base/roots.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

double delta_at(const AtomLoss& law, double epsilon) {
  double sum = law.infinite_mass;
  for (const LossAtom& atom : law.atoms) {
    if (atom.loss > epsilon) sum -= atom.mass * std::expm1(epsilon - atom.loss);
  }
  return sum;
}

double solve(const std::function<double(double)>& delta_of, double delta, double most) {
  return find_root([&](double e) { return -delta_of(e); }, -delta, 0, most).holds;
}

double choose(int n, int k) { return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)); }

// The pair by the book: all numbers of clones, all outcomes, with their probabilities under both.
class Enumerated {
 public:
  Enumerated(double e0, int n, double clone_rate) {
    const double a = std::exp(e0) / (1 + std::exp(e0));
    for (int c = 0; c < n; ++c) {
      const double pc = choose(n - 1, c) * std::pow(clone_rate, c) * std::pow(1 - clone_rate, n - 1 - c);
      if (pc < 1e-60) continue;
      for (int x = 0; x <= c + 1; ++x) {
        const double one = x >= 1 ? pc * choose(c, x - 1) * std::pow(.5, c) : 0;
        const double zero = x <= c ? pc * choose(c, x) * std::pow(.5, c) : 0;
        pairs_.push_back({a * one + (1 - a) * zero, (1 - a) * one + a * zero});
      }
    }
  }
  double delta(double e) const {
    double sum = 0;
    for (const auto& [p, q] : pairs_) sum += std::max(0.0, p - std::exp(e) * q);
    return sum;
  }

 private:
  std::vector<std::pair<double, double>> pairs_;
};

// Spec: B-19, O-27, O-28
TEST(Shuffle, ClosedFormAndNumericalPair) {
  EXPECT_NEAR(shuffle_epsilon_up(1, 1000, 1e-6), .566201489483, 1e-11);
  EXPECT_NEAR(shuffle_epsilon_up(1, 10'000, 1e-6), .214025651931, 1e-11);
  EXPECT_NEAR(shuffle_epsilon_up(4, 100'000, 1e-6), .534633991652, 1e-11);
  EXPECT_NEAR(shuffle_epsilon_up(2, 1'000'000, 1e-8), .071160405304, 1e-11);
  EXPECT_NEAR(solve([](double e) { return shuffle_delta_up(1, 1000, e); }, 1e-6, 1), .1824123475, 2e-10);
}

TEST(Shuffle, NumericalPairIsTheEnumeratedOne) {
  for (const int n : {2, 3, 10, 40}) {
    for (const double e0 : {.3, 1., 4.}) {
      const Enumerated pair(e0, n, std::exp(-e0));
      for (double e = 0; e < .9 * e0; e += e0 / 7) {
        const double truth = pair.delta(e);
        EXPECT_NEAR(shuffle_delta_up(Rational::from_double(e0), static_cast<std::uint64_t>(n), e) / truth, 1, 1e-10)
            << n << " " << e0;
      }
    }
  }
}

// Binary randomised response by n people, shuffled, all other answers equal: the exact law of the number of ones.
double response_delta(double e0, int n, double e) {
  const double a = std::exp(e0) / (1 + std::exp(e0));
  double forward = 0;
  double backward = 0;
  for (int x = 0; x <= n; ++x) {
    const auto others = [&](int k) {
      return k < 0 || k > n - 1 ? 0 : choose(n - 1, k) * std::pow(1 - a, k) * std::pow(a, n - 1 - k);
    };
    const double p = a * others(x - 1) + (1 - a) * others(x);
    const double q = (1 - a) * others(x - 1) + a * others(x);
    forward += std::max(0.0, p - std::exp(e) * q);
    backward += std::max(0.0, q - std::exp(e) * p);
  }
  return std::max(forward, backward);
}

// Spec: O-27
TEST(Shuffle, BoundsWhatBinaryResponseReallyCosts) {
  const double exact = solve([](double e) { return response_delta(1, 1000, e); }, 1e-6, 1);
  EXPECT_NEAR(exact, .1266144810, 1e-8);
  // With more clones, Bin(n - 1, 2 / (e^epsilon + 1)): right for binary response alone.
  const Enumerated binary_pair(1, 1000, 2 / (M_E + 1));
  const double binary = solve([&](double e) { return binary_pair.delta(e); }, 1e-6, 1);
  EXPECT_NEAR(binary, .1486706164, 1e-8);
  const double any = solve([](double e) { return shuffle_delta_up(1, 1000, e); }, 1e-6, 1);
  EXPECT_LT(exact, binary);
  EXPECT_LT(binary, any);
}

// Three people and a randomiser that is silent half of the time: exhaustive over answers.
TEST(Shuffle, BoundsARandomiserThatIsOftenSilent) {
  const double e0 = 2;
  const int n = 3;
  // Person 1 answers 0 or 1, by its value, with odds e^e0, or 2; the others answer 0 and 1 as rarely as epsilon-DP
  // allows.
  const double p0 = 1 / (1 + std::exp(-e0)) * .5;  // person 1 with value x: answers 0, 1, 2
  const double p1 = p0 * std::exp(-e0);
  const double p2 = 1 - p0 - p1;
  const double r = p0 * std::exp(-e0);
  const auto pair_delta = [&](double e) {
    double delta = 0;
    for (int zeros = 0; zeros <= n; ++zeros) {
      for (int ones = 0; zeros + ones <= n; ++ones) {
        const auto others = [&](int i, int j) {
          const int k = n - 1 - i - j;
          if (i < 0 || j < 0 || k < 0) return 0.0;
          return 2.0 / (std::tgamma(i + 1) * std::tgamma(j + 1) * std::tgamma(k + 1)) * std::pow(r, i + j) *
                 std::pow(1 - 2 * r, k);
        };
        const double x = p0 * others(zeros - 1, ones) + p1 * others(zeros, ones - 1) + p2 * others(zeros, ones);
        const double y = p1 * others(zeros - 1, ones) + p0 * others(zeros, ones - 1) + p2 * others(zeros, ones);
        delta += std::max(0.0, x - std::exp(e) * y);
      }
    }
    return delta;
  };
  for (double e = 0; e < 2; e += .05) EXPECT_LE(pair_delta(e), shuffle_delta_up(2, n, e) + 1e-15) << e;
}

TEST(Shuffle, AtomsDominateThePair) {
  for (const auto& [e0, n] : {std::pair{1.0, 1000}, {.2, 50}, {3., 200}}) {
    const AtomLoss law = shuffle_loss(Rational::from_double(e0), static_cast<std::uint64_t>(n));
    double mass = 0;
    double other = 0;
    for (const LossAtom& atom : law.atoms) {
      mass += atom.mass;
      other += atom.mass * std::exp(-atom.loss);
    }
    EXPECT_NEAR(mass, 1, 1e-14);
    EXPECT_LE(other, 1 + 1e-14);
    EXPECT_NEAR(other, 1, 1e-9);
    EXPECT_LE(law.atoms.back().loss, e0);
    EXPECT_EQ(law.infinite_mass, 0);
    const Enumerated pair(e0, n, std::exp(-e0));
    for (double e = -e0; e < e0; e += e0 / 50) {
      const double truth = pair.delta(e);
      EXPECT_GE(delta_at(law, e), truth * (1 - 1e-9) - 1e-14) << e;
    }
  }
  const AtomLoss law = shuffle_loss(1, 1000);
  const double atoms = solve([&](double e) { return delta_at(law, e); }, 1e-6, 1);
  EXPECT_GE(atoms, .18241234);
  EXPECT_NEAR(atoms, .1824123475, 1e-6);
}

TEST(Shuffle, MillionsOfPeopleAreCheap) {
  const auto start = std::chrono::steady_clock::now();
  const AtomLoss law = shuffle_loss(1, 1'000'000);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), .5);
  const double grouped = solve([&](double e) { return delta_at(law, e); }, 1e-6, 1);
  EXPECT_LT(grouped, shuffle_epsilon_up(1, 1'000'000, 1e-6));
  const double fine = shuffle_delta_up(1, 1'000'000, grouped);  // fewer clones are lost here
  EXPECT_LE(fine, 1e-6);
  EXPECT_NEAR(fine, 1e-6, 2e-9);
  EXPECT_LT(delta_at(shuffle_loss(1, 10'000'000'000), 1e-4), 1e-6);
}

// Spec: A-71
TEST(Shuffle, HeuristicIsAnEstimateAndNoMore) {
  EXPECT_NEAR(shuffle_heuristic(1, 1000, 1e-6).value, .2868513990878, 1e-12);
  EXPECT_NEAR(std::log1p(std::expm1(1) / 1000), .0017168072711331, 1e-15);
  static_assert(!std::is_convertible_v<decltype(shuffle_heuristic(1, 2, .5)), Certified>);
}

TEST(Shuffle, RefusesWhatHasNoTheorem) {
  EXPECT_EQ(refusal([] { shuffle_epsilon_up(3, 1000, 1e-6); }), Code::no_theorem);
  // Between the two guards, ln(n / (16 ln(2/delta))) and ln(n / (16 ln(4/delta))), the careful one refuses.
  const double careful = std::log(1000 / (16 * std::log(4e6)));
  const double careless = std::log(1000 / (16 * std::log(2e6)));
  EXPECT_EQ(refusal([&] { shuffle_epsilon_up(Rational::from_double((careful + careless) / 2), 1000, 1e-6); }),
            Code::no_theorem);
  EXPECT_EQ(refusal([] { shuffle_epsilon_up(1, 1000, 0); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { shuffle_delta_up(1, 1, .1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { shuffle_loss(0, 10); }), Code::bad_number);
  EXPECT_EQ(refusal([] { shuffle_loss(-1, 10); }), Code::bad_number);
}

}  // namespace
}  // namespace dither::accounting
