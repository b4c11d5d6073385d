// Neighbouring inputs for mechanisms on vectors of numbers: the patterns that leaks were found with, and small tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "audit/target.h"

namespace dither::audit {

struct InputPair {
  std::string name;  // "one above"
  std::vector<double> first, second;
};

// Which vectors of query answers are neighbours: one record moves one answer by up to `step`, or each of them.
enum class Adjacent { one_coordinate, all_coordinates };

struct InputRules {
  std::size_t length = 5;
  Adjacent adjacent = Adjacent::all_coordinates;
  double step = 1;
  double low = -std::numeric_limits<double>::infinity();  // inputs are clipped to the domain
  double high = std::numeric_limits<double>::infinity();
  bool both_orders = false;  // each pair a second time, exchanged; testers attack a pair in both directions anyway
};

// StatDP's patterns around 1: one above, one below, one above rest below, one below rest above, half half, all above, all
// below, X shape. Where all coordinates may move, the pattern is how the second input differs from (1, 1, ...); where one
// may, it is what both inputs have in common (around 2, so that what lies apart stays apart), and the first coordinate
// moves. Pairs that clipping makes equal, or that the length makes equal to another, are left out.
//
// Refuses    length 0 or above 10^6 (bad-count); a step that is not positive (bad-scale); low > high (bad-bounds).
// Spec       T-42, W-61.
std::vector<InputPair> pattern_inputs(const InputRules& rules);

// `count` random pairs that the rules allow, with coordinates within three steps of 1; the seed decides.
std::vector<InputPair> random_inputs(const InputRules& rules, int count, std::uint64_t seed);

// Whether they are neighbours under the rules.
bool are_neighbours(const InputPair& pair, const InputRules& rules);

// Neighbouring small tables of numbers: one row removed or added (a table is the set of its rows, so lengths differ), or
// one row replaced; new rows are taken from `values`.
enum class TableChange { add_remove, replace_one };
std::vector<InputPair> table_inputs(std::span<const double> table, std::span<const double> values, TableChange change);

// As people and programs read it, also as JSON: "[1, 2.5]".
std::string vector_text(std::span<const double> input);

// The mechanism on these inputs.
std::vector<Pair> pairs_of(const VectorMechanism& mechanism, std::span<const InputPair> inputs);
Target target_of(const VectorMechanism& mechanism, std::span<const InputPair> inputs);

}  // namespace dither::audit
