// From choices that made something fail to fewer and smaller ones that do.
#pragma once

#include <algorithm>
#include <functional>

#include "testing/choices.h"

namespace dither::testing {

// Leaves out runs of choices, makes others 0, then less, as long as `fails` says so of what that gives; asks it `most` times at
// most. Generators whose first alternatives are the simplest shrink well: what is left out makes later choices answer other
// questions, and what is missing at the end is 0.
inline Made shrink(Made made, int most, const std::function<bool(const Made&)>& fails) {
  const auto accept = [&](Made fewer) {
    if (most-- <= 0 || !fails(fewer)) return false;
    made = std::move(fewer);
    return true;
  };
  const auto at = [](Made& all, std::size_t place) { return all.begin() + static_cast<std::ptrdiff_t>(place); };
  for (bool better = true; better && most > 0;) {
    better = false;
    for (std::size_t size = std::max<std::size_t>(made.size() / 2, 1); size > 0 && most > 0; size /= 2) {
      for (std::size_t end = made.size(); end >= size && end > 0 && most > 0;) {
        Made fewer = made;
        fewer.erase(at(fewer, end - size), at(fewer, end));
        if (accept(std::move(fewer))) {
          better = true;
          end = std::min(end - size, made.size());
          continue;
        }
        Made less = made;
        std::fill(at(less, end - size), at(less, end), 0);
        if (less != made && accept(std::move(less))) better = true;
        end -= std::min(end, size);
      }
    }
    for (std::size_t i = 0; i < made.size() && most > 0; ++i) {
      for (const std::uint64_t smaller : {std::uint64_t{0}, made[i] / 2, made[i] - (made[i] > 0 ? 1 : 0)}) {
        Made less = made;
        less[i] = smaller;
        if (smaller < made[i] && accept(std::move(less))) {
          better = true;
          break;
        }
      }
    }
  }
  return made;
}

}  // namespace dither::testing
