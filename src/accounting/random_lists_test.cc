// Random mixed lists: what must hold between accountants, and when parameters change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "accounting/accountant.h"
#include "base/error.h"
#include "testing/seed.h"

namespace dither::accounting {
namespace {

constexpr double kWidth = 1e-5;

class Lists {
 public:
  explicit Lists(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  std::uint64_t below(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random_); }
  // Three digits, so that parameters look like people's and are no doubles.
  Rational number(double low, double high) {
    const double x = uniform(low, high);
    return Rational::parse(std::to_string(static_cast<long>(x * 1000)) + "/1000");
  }

  Event event() {
    const std::uint64_t times = 1 + below(below(2) == 0 ? 5 : 60);
    switch (below(7)) {
      case 0:
        return {{}, Gaussian{number(2, 40)}, times};
      case 1:
        return {{}, Laplace{number(5, 80)}, times};
      case 2:
        return {{}, RandomisedResponse{number(0.05, 0.8), 2 + below(3)}, times};
      case 3:
        return {{}, DiscreteLaplace{number(5, 80)}, times};
      case 4:
        return {{}, BlackBox{number(0.05, 0.5), Rational::parse("1e-14")}, times};
      case 5:
        return {Poisson{number(0.002, 0.2), {}}, Gaussian{number(0.8, 4)}, 30 + 20 * times};
      default:
        return {{}, Staircase{number(0.05, 0.8), number(0.1, 0.9)}, times};
    }
  }

  EventList list(bool only_pure = false) {
    EventList list{Neighbours::add_remove, {"record"}, 1, {}};
    const std::uint64_t size = 1 + below(4);
    while (list.events.size() < size) {
      Event next = event();
      const bool pure = !next.sample && !std::holds_alternative<Gaussian>(next.mechanism.kind);
      if (pure || !only_pure) list.events.push_back(next);
    }
    return list;
  }
  Rational delta() { return Rational::parse("1e-" + std::to_string(4 + below(8))); }

 private:
  std::mt19937_64 random_;
};

constexpr int kLists = 1000;

// How often the slower comparisons are made.
int rounds() { return std::getenv("DITHER_NIGHTLY") != nullptr ? kLists : kLists / 5; }

Certified epsilon_of(const EventList& list, const Rational& delta) {
  return Composition(list).epsilon_at(delta, kWidth).epsilon;
}

// Spec: B-02, A-16
TEST(RandomLists, LowerIsAtMostUpperAndBothEnginesAgree) {
  Lists lists(testing::run_seed());
  for (int i = 0; i < kLists; ++i) {
    const Composition composition(lists.list());
    const Rational delta = lists.delta();
    const Certified best = composition.epsilon_at(delta, kWidth).epsilon;
    ASSERT_TRUE(best.lower.has_value()) << canonical_json(composition.list());
    ASSERT_LE(*best.lower, best.upper) << canonical_json(composition.list());
    ASSERT_LE(best.upper - *best.lower, 1e-3) << canonical_json(composition.list());
    if (i % 10 != 0) continue;
    const Certified fourier = composition.epsilon_by(Accountant::fourier, delta, 1e-3).epsilon;
    const Certified lattice = composition.epsilon_by(Accountant::lattice, delta, 1e-3).epsilon;
    ASSERT_LE(std::max(*fourier.lower, *lattice.lower), std::min(fourier.upper, lattice.upper))
        << canonical_json(composition.list());
  }
}

// Spec: A-67
TEST(RandomLists, BetterAccountantsAreNeverWorse) {
  Lists lists(testing::run_seed() + 1);
  for (int i = 0; i < kLists; ++i) {
    const Composition composition(lists.list(i % 2 == 0));
    const Rational delta = lists.delta();
    const double exact = composition.epsilon_by(Accountant::fourier, delta, kWidth).epsilon.upper;
    const double renyi = composition.epsilon_by(Accountant::renyi, delta).epsilon.upper;
    ASSERT_LE(exact, renyi + kWidth) << canonical_json(composition.list());
    if (i % 2 != 0) continue;
    const double optimal = composition.epsilon_by(Accountant::optimal, delta, kWidth).epsilon.upper;
    const double advanced = composition.epsilon_by(Accountant::advanced, delta).epsilon.upper;
    const double basic = composition.epsilon_by(Accountant::basic, delta).epsilon.upper;
    ASSERT_LE(exact, optimal + kWidth) << canonical_json(composition.list());
    ASSERT_LE(optimal, advanced + kWidth) << canonical_json(composition.list());
    ASSERT_LE(optimal, basic + kWidth) << canonical_json(composition.list());
  }
}

TEST(RandomLists, LossGrowsWithReleasesAndRateAndFallsWithNoiseAndDelta) {
  Lists lists(testing::run_seed() + 2);
  for (int i = 0; i < rounds(); ++i) {
    const EventList list = lists.list();
    const Rational delta = lists.delta();
    const double here = *epsilon_of(list, delta).lower;
    ASSERT_LE(*epsilon_of(list, delta * Rational(10)).lower, epsilon_of(list, delta).upper);
    EventList more = list;
    more.events.front().times += 1;
    ASSERT_GE(epsilon_of(more, delta).upper, here) << canonical_json(more);
    EventList other = list;
    Event& event = other.events.front();
    if (auto* gaussian = std::get_if<Gaussian>(&event.mechanism.kind)) gaussian->sigma *= Rational(9, 10);
    if (auto* laplace = std::get_if<Laplace>(&event.mechanism.kind)) laplace->scale *= Rational(9, 10);
    if (event.sample) std::get<Poisson>(*event.sample).rate *= Rational(11, 10);
    ASSERT_GE(epsilon_of(other, delta).upper, here) << canonical_json(other);
  }
}

TEST(RandomLists, OrderAndSplittingDoNotMatter) {
  Lists lists(testing::run_seed() + 3);
  for (int i = 0; i < rounds() / 4; ++i) {
    const EventList list = lists.list();
    const Rational delta = lists.delta();
    const Certified here = epsilon_of(list, delta);
    EventList reversed = list;
    std::reverse(reversed.events.begin(), reversed.events.end());
    EventList split = list;
    if (split.events.front().times > 1) {
      split.events.push_back(split.events.front());
      split.events.front().times = 1;
      split.events.back().times -= 1;
    }
    for (const EventList& same : {reversed, split}) {
      const Certified there = epsilon_of(same, delta);
      ASSERT_LE(*there.lower, here.upper) << canonical_json(same);
      ASSERT_GE(there.upper, *here.lower) << canonical_json(same);
    }
  }
}

// delta(epsilon) at the epsilon of a delta is that delta, to the widths of both.
TEST(RandomLists, ThereAndBackAgain) {
  Lists lists(testing::run_seed() + 4);
  for (int i = 0; i < rounds() / 4; ++i) {
    const Composition composition(lists.list());
    const Rational delta = lists.delta();
    const Certified epsilon = composition.epsilon_at(delta, kWidth).epsilon;
    if (epsilon.upper == 0) continue;
    const Rational above = Rational::from_double(epsilon.upper);
    ASSERT_LE(*composition.delta_at(above).delta.lower, delta.to_double_up());
    if (*epsilon.lower == 0) continue;
    const Rational below = Rational::from_double(*epsilon.lower);
    ASSERT_GE(composition.delta_at(below).delta.upper, delta.to_double_down());
  }
}

}  // namespace
}  // namespace dither::accounting
