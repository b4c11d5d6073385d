// Better inputs to attack, found by trying.
#pragma once

#include <functional>

#include "audit/patterns.h"

namespace dither::audit {

// How much an attack on these inputs promises: larger is better. Runs of its own each time; it may be noisy.
using Worth = std::function<double(const InputPair&)>;

struct FoundInputs {
  InputPair inputs;
  double worth = 0;
};

// Coordinate search: moves one coordinate of both inputs, or of the second alone, by steps from large to small, and keeps
// what is worth more; every pair it tries are neighbours under the rules. At most `tries` pairs are valued. The seed
// decides in which order coordinates come. T-42 (optimiser-driven), T-44.
//
// Refuses    a start that the rules do not allow (bad-argument).
FoundInputs improve_inputs(const InputPair& start, const InputRules& rules, const Worth& worth, int tries,
                           std::uint64_t seed);

}  // namespace dither::audit
