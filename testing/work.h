// Whether the time of a draw says anything about the value drawn.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/int128.h"

namespace dither::testing {

inline std::uint64_t cycles_now() {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// The correlation of cycles with |value| over single draws. `make()` returns a new drawing function with its own
// tables, and the result is the mean over `layouts` of them: where a table happens to lie, relative to the stack and
// the source, shifts a single one by up to 0.01 either way. Cycles are cut at four times their median, since refills
// and interrupts have nothing to do with the value and would only add noise. Standard error 1 / sqrt(layouts * draws).
template <typename Make>
double cycles_follow_value(Make make, int layouts, int draws) {
  double total = 0;
  std::vector<std::vector<char>> padding;  // kept, so that every layout's tables lie elsewhere
  const auto n = static_cast<std::size_t>(draws);
  std::vector<double> cycles(n);  // made before the clock runs: growing them would disturb the caches
  std::vector<Int128> values(n);
  for (int layout = 0; layout < layouts; ++layout) {
    padding.emplace_back(1 << 14);
    padding.emplace_back(400 + 592 * static_cast<std::size_t>(layout));
    auto draw = make();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t start = cycles_now();
      values[i] = static_cast<Int128>(draw());
      cycles[i] = static_cast<double>(cycles_now() - start);
    }
    std::vector<double> order = cycles;
    std::nth_element(order.begin(), order.begin() + draws / 2, order.end());
    const double most = 4 * order[n / 2];
    double c = 0, s = 0, cc = 0, ss = 0, cs = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = std::min(cycles[i], most);
      const auto size = static_cast<double>(magnitude(values[i]));
      c += x, s += size, cc += x * x, ss += size * size, cs += x * size;
    }
    total += (draws * cs - c * s) / std::sqrt((draws * cc - c * c) * (draws * ss - s * s));
  }
  return total / layouts;
}

}  // namespace dither::testing
