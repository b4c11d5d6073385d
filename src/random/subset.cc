#include "random/subset.h"

#include <numeric>

#include "base/error.h"

namespace dither::random {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

}  // namespace

namespace detail {

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
