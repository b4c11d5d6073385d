// Fresh runs in blocks, so that a million outputs need no memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "audit/sampling.h"

namespace dither::audit::detail {

// Calls use(outputs) block by block, in this thread, until there were so many runs or effort.deadline came.
template <class Use>
void for_fresh_blocks(const Draw& draw, const Shape& shape, std::int64_t runs, const Effort& effort, const Use& use) {
  constexpr std::int64_t kBlock = 1 << 17;
  for (std::int64_t done = 0; done < runs;) {
    const std::int64_t size = std::min(kBlock, runs - done);
    const Outputs block = sample(draw, shape, size, effort);
    use(block);
    done += block.runs();
    if (block.runs() < size) return;
  }
}

}  // namespace dither::audit::detail
