// Whether the time of a draw says anything about the value drawn.
#pragma once

#include <alloca.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/int128.h"

namespace dither::testing {

// Cycles passed when everything before is done and nothing after has begun.
inline std::uint64_t cycles_now() {
#ifdef __x86_64__
  __builtin_ia32_lfence();
  const std::uint64_t now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// What a correlation may be. Code that a sanitizer has instrumented is not the code that ships, and its checks take
// branches of their own: there the tests only see gross leaks.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kMostCorrelation = 0.1;
#else
inline constexpr double kMostCorrelation = 0.005;
#endif

struct TimedDraw {
  double cycles;
  double size;  // |value|
};

template <typename Draw>
TimedDraw timed(Draw& draw) {
  const std::uint64_t start = cycles_now();
  const auto value = draw();
  const std::uint64_t end = cycles_now();
  return {static_cast<double>(end - start), static_cast<double>(magnitude(static_cast<Int128>(value)))};
}

// The correlation of cycles with |value| over so many single draws. Cycles are cut at four times the median of the first
// draws, since refills and interrupts have nothing to do with the value. Sums are kept instead of lists: writing lists
// evicts lines of a table, always the same ones. `below` bytes of the stack are left free first.
template <typename Draw>
[[gnu::noinline]] double correlation(Draw& draw, int draws, std::size_t below) {
  *static_cast<volatile char*>(alloca(below)) = 0;
  std::array<double, 1001> first;
  for (double& cycles : first) cycles = timed(draw).cycles;
  std::nth_element(first.begin(), first.begin() + first.size() / 2, first.end());
  const double most = 4 * first[first.size() / 2];
  double c = 0, s = 0, cc = 0, ss = 0, cs = 0;
  for (int i = 0; i < draws; ++i) {
    const TimedDraw t = timed(draw);
    const double x = std::min(t.cycles, most);
    c += x, s += t.size, cc += x * x, ss += t.size * t.size, cs += x * t.size;
  }
  return (draws * cs - c * s) / std::sqrt((draws * cc - c * c) * (draws * ss - s * s));
}

// The median of the correlation over `layouts` new drawing functions that `make` returns, each with its own tables and
// its own place on the stack.
//
// A leak of the code shows in every layout. Where a table happens to lie, relative to the stack, the source and what
// other programs evict, shifts a single one by 0.01 either way and rarely by 0.1, and that is no leak of the code. A
// table that the program holds once, for all draws, stays where it is: there it is the stack that moves, by three lines
// of the cache from one layout to the next. Standard error about 1.25 / sqrt(layouts * draws).
template <typename Make>
double median_correlation(Make& make, int layouts, int draws) {
  std::vector<double> correlations;
  std::vector<std::vector<char>> padding;
  std::deque<decltype(make())> made;  // both kept, so that every layout's tables lie elsewhere
  for (int layout = 0; layout < layouts; ++layout) {
    for (std::size_t size = 16; size <= 1024; size += 16) padding.emplace_back(size);  // no freed piece is used again
    padding.emplace_back(400 + 592 * static_cast<std::size_t>(layout));
    auto& draw = made.emplace_back(make());
    correlations.push_back(correlation(draw, draws, 192 * (static_cast<std::size_t>(layout) + 1)));
  }
  const auto middle = correlations.begin() + layouts / 2;
  std::nth_element(correlations.begin(), middle, correlations.end());
  return *middle;
}

// The same, measured up to four times while it exceeds kMostCorrelation: a leak shows every time, a busy machine does
// not. Returns the smallest.
template <typename Make>
double cycles_follow_value(Make make, int layouts, int draws) {
  double least = median_correlation(make, layouts, draws);
  for (int again = 0; again < 3 && std::abs(least) >= kMostCorrelation; ++again) {
    const double next = median_correlation(make, layouts, draws);
    if (std::abs(next) < std::abs(least)) least = next;
  }
  return least;
}

}  // namespace dither::testing
