// Orders and subsets of 0 .. n-1, all equally likely or kept independently.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "random/bernoulli.h"
#include "random/source.h"
#include "random/uniform.h"

namespace dither::random {

namespace detail {

// Words of `width` bits; 64 as shipped.
template <typename T, BitSource S>
void shuffle(std::span<T> items, int width, S& source) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[uniform_below(i, width, source)]);
}

void require_subset(std::uint64_t k, std::uint64_t n);
void require_range(std::uint64_t n);

// Sorts by a network of compare-exchanges that the number of items fixes (Batcher's merge exchange), each without a
// branch: what is compared with what, and how long it takes, says nothing about the items. About k log2(k)^2 / 4 steps.
void sort_in_fixed_steps(std::span<std::uint64_t> items);

// k independent numbers below n, all drawn again until they differ: what is kept is uniform over the subsets, and how
// often they were drawn is independent of it. About exp(k^2 / 2n) rounds.
template <BitSource S>
std::vector<std::uint64_t> distinct_numbers(std::uint64_t k, std::uint64_t n, int width, S& source) {
  std::vector<std::uint64_t> result(k);
  do {
    for (std::uint64_t& x : result) x = uniform_below(n, width, source);
    sort_in_fixed_steps(result);
  } while (std::adjacent_find(result.begin(), result.end()) != result.end());
  return result;
}

// Walks over 0 .. n-1 and takes each with probability (still wanted) / (still to come): n draws, whatever comes.
template <BitSource S>
std::vector<std::uint64_t> walk_and_take(std::uint64_t k, std::uint64_t n, int width, S& source) {
  std::vector<std::uint64_t> result(k + 1);  // one more, so that the last write needs no test
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    result[taken] = i;
    taken += static_cast<std::uint64_t>(uniform_below(n - i, width, source) < k - taken);
  }
  result.pop_back();
  return result;
}

template <BitSource S>
std::vector<std::uint64_t> choose(std::uint64_t k, std::uint64_t n, int width, S& source) {
  require_subset(k, n);
  const bool sparse = static_cast<UInt128>(k) * k <= n;
  return sparse ? distinct_numbers(k, n, width, source) : walk_and_take(k, n, width, source);
}

// The coin's word width decides how often its exact comparison runs.
template <BitSource S>
std::vector<std::uint64_t> poisson_subsample(std::uint64_t n, const Bernoulli& coin, S& source) {
  require_range(n);
  std::vector<std::uint64_t> result(n + 1);
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    result[taken] = i;
    taken += static_cast<std::uint64_t>(coin.draw(source));
  }
  result.resize(taken);
  return result;
}

}  // namespace detail

// Puts the items in random order, all orders equally likely. Fisher-Yates: 8 bytes an item.
template <typename T>
void shuffle(std::span<T> items, Source& source) {
  detail::shuffle(items, 64, source);
}

// 0 .. n-1 in random order. Refuses n > 2^32 (bad-count).
std::vector<std::uint64_t> permutation(std::uint64_t n, Source& source);

// k different numbers below n in increasing order, all subsets of size k equally likely.
//
// Refuses    k > n, k > 2^32, and n > 2^32 when k^2 > n (bad-count).
// Cost       8 k bytes a round and less than two rounds on average when k^2 <= n; otherwise 8 n bytes. How long it
//            takes is independent of what is drawn.
inline std::vector<std::uint64_t> choose(std::uint64_t k, std::uint64_t n, Source& source) {
  return detail::choose(k, n, 64, source);
}

// The numbers below n that are kept when each is kept independently with probability q, in increasing order.
//
// Refuses    q outside [0, 1] (bad-probability); n > 2^32 (bad-count).
// Cost       8 bytes and the same steps for each number, kept or not; room for n numbers.
// Spec       D-68.
inline std::vector<std::uint64_t> poisson_subsample(std::uint64_t n, const Rational& q, Source& source) {
  return detail::poisson_subsample(n, Bernoulli::with_probability(q), source);
}

}  // namespace dither::random
