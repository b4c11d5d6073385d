#include "random/subset.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.h"

namespace dither::random {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

// Puts the smaller number first, by masks.
void exchange(std::uint64_t& a, std::uint64_t& b) {
  const std::uint64_t difference = (a ^ b) & (std::uint64_t{0} - static_cast<std::uint64_t>(b < a));
  a ^= difference;
  b ^= difference;
}

// Compares all i with i + distance whose bit `block` is that of `phase`: runs of `block` places, every other one.
void exchange_runs(std::span<std::uint64_t> items, std::size_t block, std::size_t phase, std::size_t distance) {
  if (items.size() <= distance) return;
  const std::size_t end = items.size() - distance;
  for (std::size_t run = phase; run < end; run += 2 * block) {
    for (std::size_t i = run; i < std::min(run + block, end); ++i) exchange(items[i], items[i + distance]);
  }
}

}  // namespace

namespace detail {

void sort_in_fixed_steps(std::span<std::uint64_t> items) {
  const std::size_t top = std::bit_ceil(items.size()) / 2;
  for (std::size_t block = top; block > 0; block /= 2) {
    exchange_runs(items, block, 0, block);
    for (std::size_t span = top; span > block; span /= 2) exchange_runs(items, block, block, span - block);
  }
}

void require_range(std::uint64_t n) {
  if (n > kMost) {
    throw Error{Code::bad_count, "n is " + std::to_string(n) + ", but lists go up to 2^32 numbers",
                "treat the range in pieces"};
  }
}

void require_subset(std::uint64_t k, std::uint64_t n) {
  if (k > n) {
    throw Error{Code::bad_count, "cannot take " + std::to_string(k) + " different numbers out of " + std::to_string(n),
                "give k <= n"};
  }
  require_range(k);
  if (static_cast<UInt128>(k) * k > n) require_range(n);
}

}  // namespace detail

std::vector<std::uint64_t> permutation(std::uint64_t n, Source& source) {
  detail::require_range(n);
  std::vector<std::uint64_t> result(n);
  std::iota(result.begin(), result.end(), std::uint64_t{0});
  shuffle(std::span(result), source);
  return result;
}

}  // namespace dither::random
