#include "mechanisms/release_in_pieces.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

#include "calculus/combinators.h"
#include "calculus/vectors.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/skellam.h"
#include "testing/refusal.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const Metric kL1{MetricKind::l1};

// The noisy numbers of the whole vector 0, 1000, 2000, ...
std::vector<Int128> released(const InPieces& pieces, std::size_t size) {
  std::vector<Int128> all(size, -1);
  pieces.release(
      size,
      [](std::size_t begin, std::size_t end) {
        Integers exact;
        for (std::size_t i = begin; i < end; ++i) exact.push_back(static_cast<Int128>(1000 * i));
        return Data(exact);
      },
      [&](std::size_t begin, const Integers& noisy) {
        std::copy(noisy.begin(), noisy.end(), all.begin() + static_cast<std::ptrdiff_t>(begin));
      });
  return all;
}

// Every number is released once, at its place: noise of scale 1 leaves 1000 apart with probability below 1e-200.
TEST(InPieces, EveryNumberIsReleasedAtItsPlace) {
  for (const bool declared : {false, true}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, InPieces::kPiece, InPieces::kPiece + 1,
                                   3 * InPieces::kPiece - 1, std::size_t{600'000}}) {
      VectorDomain domain;
      if (declared) domain.dimension = size;
      const InPieces pieces(make_discrete_laplace(domain, 1, MetricKind::l1));
      const std::vector<Int128> noisy = released(pieces, size);
      for (std::size_t i = 0; i < size; ++i) ASSERT_LT(magnitude(noisy[i] - static_cast<Int128>(1000 * i)), 500U);
    }
  }
}

// P(noise = 0) at scale 2 is (1 - q) / (1 + q) = tanh(1/4), q = exp(-1/2). False alarm <= 1e-9 (exact binomial tails).
// Noise that is 5% too narrow shows 0 with probability tanh(1/3.8), and is missed with probability below 1e-100.
bool zeros_are_right(const AnyMeasurement& mechanism) {
  constexpr std::int64_t kSize = 600'000;  // more than one thread's share
  std::atomic<std::int64_t> zeros{0};
  InPieces(mechanism).release(
      kSize, [](std::size_t begin, std::size_t end) { return Data(Integers(end - begin, 7)); },
      [&](std::size_t, const Integers& noisy) { zeros += std::count(noisy.begin(), noisy.end(), 7); });
  return testing::binomial_accepts(zeros, kSize, std::tanh(0.25), 1e-9);
}

// Spec: F-67, W-12
TEST(InPieces, NoiseFollowsTheLawOnAllThreads) {
  EXPECT_TRUE(zeros_are_right(make_discrete_laplace({}, 2).any()));
  EXPECT_TRUE(zeros_are_right(make_discrete_laplace({600'000}, 2).any()));
}
TEST(InPieces, PlantedNarrowNoiseIsCaught) {
  EXPECT_FALSE(zeros_are_right(make_discrete_laplace({}, Rational(19, 10)).any()));
}

// Two numbers of one vector, in pieces of different threads, never share their noise: at scale 10^6 two draws are equal
// with probability below 1e-6, so that 100 or more of 300,000 pairs have probability below 1e-100.
TEST(InPieces, PiecesHaveNoiseOfTheirOwn) {
  const InPieces pieces(make_discrete_laplace({}, 1'000'000).any());
  const std::vector<Int128> noisy = released(pieces, 600'000);
  int equal = 0;
  for (std::size_t i = 0; i < 300'000; ++i)
    equal += noisy[i] - 1000 * Int128(i) == noisy[i + 300'000] - 1000 * Int128(i + 300'000);
  EXPECT_LT(equal, 100);
}

TEST(InPieces, ChainsOfSuchStepsToo) {
  for (const std::size_t size : {std::size_t{5000}, 2 * InPieces::kPiece, 3 * InPieces::kPiece}) {
    const auto grid = make_reals_to_grid({size}, kL1, Rational(1, 2));
    const auto domain = std::get<VectorDomain>(grid.output());
    const InPieces pieces(chain(grid, make_discrete_laplace(domain, 1, MetricKind::l1)));
    std::size_t taken = 0;
    pieces.release(
        size, [](std::size_t begin, std::size_t end) { return Data(Reals(end - begin, 1000.25)); },
        [&](std::size_t, const Integers& noisy) {
          taken += noisy.size();
          for (const Int128 steps : noisy) ASSERT_LT(magnitude(steps - 2000), 500U);
        });
    EXPECT_EQ(taken, size);  // too few for a second thread
  }
}

TEST(InPieces, RefusesWhatIsNotDoneNumberByNumber) {
  const auto noise = make_discrete_laplace({}, 2).any();
  EXPECT_FALSE(InPieces::possible(compose({noise, noise}).recipe()));
  EXPECT_EQ(testing::refusal([&] { InPieces{compose({noise, noise})}; }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { InPieces{make_skellam({1}, 4, 1).any()}; }), Code::no_theorem);
  const auto total = make_total({3}, kL1);
  EXPECT_EQ(testing::refusal([&] { InPieces{chain(total, make_discrete_laplace({1}, 2).any())}; }), Code::no_theorem);
  const InPieces three(make_gaussian({3}, 2, MetricKind::l2));
  EXPECT_EQ(testing::refusal([&] { released(three, 4); }), Code::wrong_type);
  EXPECT_EQ(testing::refusal([&] {
              three.release(
                  3,
                  [](std::size_t, std::size_t) -> Data {
                    throw Error{Code::cancelled, "stop", ""};
                  },
                  [](std::size_t, const Integers&) {});
            }),
            Code::cancelled);
}

}  // namespace
}  // namespace dither::mechanisms
