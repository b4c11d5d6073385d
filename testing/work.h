// Whether the time of a draw says anything about the value drawn.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
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

// The correlation of cycles with |value| over single draws. `make()` returns a new drawing function with its own
// tables, and the result is the mean over `layouts` of them: where a table happens to lie, relative to the stack and
// the source, shifts a single one by up to 0.01 either way. Cycles are cut at four times the median of the first draws,
// since refills and interrupts have nothing to do with the value and would only add noise. Sums are kept instead of
// lists: writing lists evicts lines of a sampler's table, always the same ones, and that shows. Standard error
// 1 / sqrt(layouts * draws).
template <typename Make>
double cycles_follow_value(Make make, int layouts, int draws) {
  double total = 0;
  std::vector<std::vector<char>> padding;  // kept, so that every layout's tables lie elsewhere
  for (int layout = 0; layout < layouts; ++layout) {
    padding.emplace_back(1 << 14);
    padding.emplace_back(400 + 592 * static_cast<std::size_t>(layout));
    auto draw = make();
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
    total += (draws * cs - c * s) / std::sqrt((draws * cc - c * c) * (draws * ss - s * s));
  }
  return total / layouts;
}

}  // namespace dither::testing
