#include "random/subset.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <set>
#include <vector>

#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using testing::Tape;
using List = std::vector<std::uint64_t>;

// An order of up to eight numbers, or a set of up to 64, as one number.
Int128 order_code(const List& order) {
  Int128 code = 0;
  for (std::uint64_t x : order) code = code * 8 + static_cast<Int128>(x);
  return code;
}
Int128 set_code(const List& members) {
  Int128 code = 0;
  for (std::uint64_t x : members) code |= Int128{1} << x;
  return code;
}

// Whether all of `outcomes` have the same probability, and there are no others.
bool equally_likely(const std::set<Int128>& outcomes, int depth, double unresolved,
                    const std::function<Int128(Tape&)>& draw) {
  const auto law = testing::enumerate(draw, depth);
  const auto pmf = [&](Int128 k, long bits) {
    const Rational p(1, static_cast<long>(outcomes.size()));
    return outcomes.contains(k) ? BigInterval(p, bits) : BigInterval(bits);
  };
  for (Int128 k : outcomes) {
    if (!law.resolved.contains(k)) return false;
  }
  return law.unresolved_share() <= unresolved && testing::follows(law, pmf, 0, -1);
}

std::set<Int128> all_orders(std::uint64_t n) {
  List order(n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::set<Int128> result;
  do {
    result.insert(order_code(order));
  } while (std::next_permutation(order.begin(), order.end()));
  return result;
}

std::set<Int128> all_subsets(int k, int n) {
  std::set<Int128> result;
  for (unsigned set = 0; set < (1u << n); ++set) {
    if (std::popcount(set) == k) result.insert(Int128{set});
  }
  return result;
}

using Shuffle = std::function<void(std::span<std::uint64_t>, Tape&)>;

bool shuffles_evenly(std::uint64_t n, int depth, const Shuffle& shuffle) {
  return equally_likely(all_orders(n), depth, 0.05, [&](Tape& tape) {
    List order(n);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    shuffle(order, tape);
    return order_code(order);
  });
}

// Words of 6 bits: three orders from two words, 4! from three.
// Spec: D-68
TEST(Shuffle, EveryTapeGivesEveryOrderItsShare) {
  const auto shipped = [](auto items, Tape& tape) { detail::shuffle(items, 6, tape); };
  EXPECT_TRUE(shuffles_evenly(3, 18, shipped));
  EXPECT_TRUE(shuffles_evenly(4, 24, shipped));
}

TEST(Shuffle, PlantedNaiveSwapIsCaught) {
  const auto naive = [](auto items, Tape& tape) { planted::biased_shuffle(items, 6, tape); };
  EXPECT_FALSE(shuffles_evenly(3, 18, naive));
}

// A network that sorts all lists of zeros and ones sorts everything (Knuth, 5.3.4, theorem Z); the network is fixed by
// the number of items, so this is a proof for these numbers. Larger ones against std::sort.
TEST(FixedSort, SortsEveryListOfZerosAndOnes) {
  for (std::size_t n = 0; n <= 14; ++n) {
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << n); ++bits) {
      List items(n);
      for (std::size_t i = 0; i < n; ++i) items[i] = bits >> i & 1;
      detail::sort_in_fixed_steps(items);
      ASSERT_TRUE(std::is_sorted(items.begin(), items.end())) << n << " " << bits;
      ASSERT_EQ(std::accumulate(items.begin(), items.end(), std::uint64_t{0}),
                static_cast<std::uint64_t>(std::popcount(bits)));
    }
  }
}

TEST(FixedSort, AgreesWithTheLibrary) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  for (std::size_t n : {15u, 16u, 17u, 100u, 1000u, 1023u, 4097u}) {
    List items(n);
    for (std::uint64_t& x : items) x = source.word() >> source.bits(6);  // with equal ones among them
    List expected = items;
    std::sort(expected.begin(), expected.end());
    detail::sort_in_fixed_steps(items);
    ASSERT_EQ(items, expected) << n;
  }
}

// k^2 <= n draws distinct numbers, otherwise the walk takes them; both over every tape.
// Spec: D-68
TEST(Choose, EveryTapeGivesEverySubsetItsShare) {
  const auto evenly = [](std::uint64_t k, std::uint64_t n, int width, int depth, double unresolved) {
    return equally_likely(all_subsets(static_cast<int>(k), static_cast<int>(n)), depth, unresolved,
                          [&](Tape& tape) { return set_code(detail::choose(k, n, width, tape)); });
  };
  EXPECT_TRUE(evenly(0, 3, 4, 8, 0));
  EXPECT_TRUE(evenly(1, 7, 8, 16, 0.001));
  EXPECT_TRUE(evenly(2, 5, 4, 16, 0.15));  // distinct numbers, two rounds
  EXPECT_TRUE(evenly(2, 3, 6, 18, 0.05));  // walk
  EXPECT_TRUE(evenly(3, 4, 4, 20, 0.1));
  EXPECT_TRUE(evenly(4, 4, 4, 20, 0.1));
}

TEST(Choose, PlantedMissingLastElementIsCaught) {
  EXPECT_FALSE(equally_likely(all_subsets(2, 5), 16, 0.15,
                              [](Tape& tape) { return set_code(planted::subset_without_last(2, 5, 4, tape)); }));
}

// Whether each of three numbers is kept independently with probability 1/3.
bool keeps_a_third(const std::function<List(const Bernoulli&, Tape&)>& subsample) {
  const Rational q(1, 3);
  const auto coin = Bernoulli::with_probability(q, 4);
  const auto law = testing::enumerate([&](Tape& tape) { return set_code(subsample(coin, tape)); }, 20);
  const auto pmf = [&](Int128 set, long bits) {
    const auto size = static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(set)));
    return BigInterval(pow(q, size) * pow(Rational(1) - q, 3 - size), bits);
  };
  return law.unresolved_share() < 0.01 && testing::follows(law, pmf, 0, 7);
}

// Spec: D-68
TEST(PoissonSubsample, EveryTapeKeepsEachIndependently) {
  EXPECT_TRUE(keeps_a_third([](const auto& coin, Tape& tape) { return detail::poisson_subsample(3, coin, tape); }));
}

// One toss decides for two neighbours: each is kept as often as it should be, but not independently.
TEST(PoissonSubsample, PlantedSharedTossIsCaught) {
  EXPECT_FALSE(keeps_a_third([](const auto& coin, Tape& tape) {
    List kept;
    const bool both = coin.draw(tape);
    if (both) kept = {0, 1};
    if (coin.draw(tape)) kept.push_back(2);
    return kept;
  }));
}

// Shipped width. Where the first and the last element land, and who is chosen: two tests at 1e-9 a law.
// Spec: D-73
TEST(Subsets, ShippedFormsFollowTheLaw) {
  Source source = testing::seeded_source(testing::run_seed());
  const std::size_t n = 20;
  const std::vector<double> even(n, 1.0 / n);
  const auto fits = [&](const std::vector<std::int64_t>& counts) {
    return testing::chi_square_accepts(counts, even, 1e-9) && testing::ks_accepts(counts, even, 1e-9);
  };
  std::vector<std::int64_t> first(n), last(n), chosen(n), walked(n);
  for (int i = 0; i < 20'000; ++i) {
    const List order = permutation(n, source);
    ++first.at(order.front());
    ++last.at(order.back());
    ++chosen.at(choose(3, n, source)[static_cast<std::size_t>(i) % 3]);    // distinct numbers; each rank in turn
    ++walked.at(choose(10, n, source)[static_cast<std::size_t>(i) % 10]);  // walk
  }
  EXPECT_TRUE(fits(first));
  EXPECT_TRUE(fits(last));
  EXPECT_TRUE(fits(chosen));
  EXPECT_TRUE(fits(walked));
}

TEST(Subsets, PoissonSubsampleHasBinomialSizeAndIncreases) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  const List kept = poisson_subsample(100'000, Rational(1, 10), source);
  EXPECT_TRUE(testing::binomial_accepts(static_cast<std::int64_t>(kept.size()), 100'000, 0.1, 1e-9));
  EXPECT_TRUE(std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) == kept.end());
  EXPECT_LT(kept.back(), 100'000u);
  EXPECT_EQ(source.bytes_used(), 800'000u) << "8 bytes for each number, kept or not";
  EXPECT_EQ(poisson_subsample(10, 0, source), List{});
  EXPECT_EQ(poisson_subsample(3, 1, source), (List{0, 1, 2}));
}

TEST(Subsets, HugeRangesAndEnds) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const List few = choose(1000, std::uint64_t{1} << 60, source);
  EXPECT_EQ(few.size(), 1000u);
  EXPECT_EQ(std::set<std::uint64_t>(few.begin(), few.end()).size(), 1000u);
  EXPECT_EQ(choose(0, 0, source), List{});
  EXPECT_EQ(choose(5, 5, source), (List{0, 1, 2, 3, 4}));
  EXPECT_EQ(permutation(0, source), List{});
  EXPECT_EQ(permutation(1, source), List{0});
}

TEST(Subsets, BadParametersAreRefused) {
  Source source = testing::seeded_source(1);
  using testing::refusal;
  const std::uint64_t too_many = (std::uint64_t{1} << 32) + 1;
  EXPECT_EQ(refusal([&] { choose(3, 2, source); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { choose(1'000'000, too_many, source); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { permutation(too_many, source); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { poisson_subsample(too_many, Rational(1, 2), source); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { poisson_subsample(5, Rational(3, 2), source); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::random
