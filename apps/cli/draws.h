// A law with its parameters, ready to draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/int128.h"
#include "base/progress.h"
#include "base/rational.h"
#include "random/moments.h"
#include "random/real_law.h"
#include "random/source.h"

namespace dither::cli {

struct Draws {
  // Overwrite the span with independent draws. One of the two is there: 64 bits where the sampler has that form.
  std::function<void(std::span<std::int64_t>, random::Source&)> narrow;
  std::function<void(std::span<Int128>, random::Source&)> wide;

  bool fits_int64 = true;  // a draw beyond 64 bits practically never comes
  Rational grid = 1;       // a draw k stands for the number k * grid
  bool rounded = false;    // a real law, rounded to that grid
  std::function<random::Moments()> exact;
};

// Draws block after block until `count` numbers are drawn and hands each block to `take`, a function of a span of
// std::int64_t and of Int128. Memory does not grow with the count. Cancelled when `progress` says so.
template <typename Take>
void draw_in_blocks(const Draws& draws, std::uint64_t count, Progress& progress, const Take& take) {
  constexpr std::uint64_t kBlock = 1 << 14;
  const auto all = [&](const auto& fill, auto block) {
    for (std::uint64_t done = 0; done < count; done += block.size()) {
      block.resize(std::min<std::uint64_t>(kBlock, count - done));
      fill(std::span(block), random::Source::this_thread());
      take(std::span(block));
      progress.update(done + block.size(), count);
    }
  };
  if (draws.narrow) {
    all(draws.narrow, std::vector<std::int64_t>());
  } else {
    all(draws.wide, std::vector<Int128>());
  }
}

// Real noise on a grid.
Draws real_draws(const random::RealLaw& law, const Rational& scale, const Rational& grid);

}  // namespace dither::cli
