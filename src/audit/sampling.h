// Drawing many outputs, on all cores.
#pragma once

#include "audit/attack_set.h"
#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit {

// So many outputs. Noise comes from the production source of each thread; `shape` gives the width.
Outputs sample(const Draw& draw, const Shape& shape, std::int64_t runs, const Effort& effort);

// How many of so many outputs fall into each set; outputs are not kept. `salt` tells the coins of one call from those of
// another. May stop early at effort.deadline: `runs` says how many there were.
struct Hits {
  std::int64_t runs = 0;
  std::int64_t hits = 0;
};
Hits count_hits(const Draw& draw, const Shape& shape, const AttackSet& set, std::int64_t runs, std::uint64_t salt,
                const Effort& effort);

}  // namespace dither::audit
