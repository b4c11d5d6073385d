// Drawing many outputs, on all cores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/attack_set.h"
#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit {

// So many outputs. Noise comes from the production source of each thread; `shape` gives the width.
Outputs sample(const Draw& draw, const Shape& shape, std::int64_t runs, const Effort& effort);

// How many of so many outputs fall into each of the sets; outputs are not kept. `salt` tells the coins of one call from
// those of another. May stop early at effort.deadline: `runs` says how many there were.
struct Hits {
  std::int64_t runs = 0;
  std::vector<std::int64_t> hits = {};  // of each set
};
Hits count_hits(const Draw& draw, const Shape& shape, std::span<const AttackSet> sets, std::int64_t runs,
                std::uint64_t salt, const Effort& effort);

}  // namespace dither::audit
