#include "engine/detail/bounding_least.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dither::engine::detail {

namespace {

constexpr std::size_t kSmall = 8;

// Keeps the least so far, sorted, without a branch that depends on them.
template <std::size_t Nth>
std::uint64_t quick(const std::uint64_t* numbers, std::size_t count) {
  std::array<std::uint64_t, Nth> least;
  least.fill(~std::uint64_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t number = numbers[i];
    for (std::uint64_t& one : least) {
      const std::uint64_t more = one > number ? one : number;
      one = one < number ? one : number;  // compared again: so it is two moves, and no jump
      number = more;
    }
  }
  return least[Nth - 1];
}

template <std::size_t... Before>
auto quick_for(std::size_t nth, std::index_sequence<Before...>) {
  using Function = std::uint64_t (*)(const std::uint64_t*, std::size_t);
  constexpr std::array<Function, sizeof...(Before)> all{quick<Before + 1>...};
  return nth <= all.size() ? all[nth - 1] : nullptr;
}

}  // namespace

NthLeast::NthLeast(std::size_t nth) : nth_(nth), quick_(quick_for(nth, std::make_index_sequence<kSmall>())) {}

std::uint64_t NthLeast::of_many(const std::uint64_t* numbers, std::size_t count) {
  room_.assign(numbers, numbers + count);
  const auto nth = room_.begin() + static_cast<std::ptrdiff_t>(nth_ - 1);
  std::nth_element(room_.begin(), nth, room_.end());
  return *nth;
}

}  // namespace dither::engine::detail
