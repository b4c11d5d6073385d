// Events that are products of conditions on entries, and the search for the one that tells most. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "audit/attack_set.h"
#include "audit/detail/cells.h"
#include "audit/detail/excess.h"
#include "audit/detail/search_runs.h"

namespace dither::audit::detail {

// Which cells of each entry are in; every entry must be.
struct Range {
  std::size_t low, high;
  bool operator==(const Range&) const = default;
};
using Box = std::vector<Range>;

// A box, which input has it more often, and what it promises.
struct FoundBox {
  Box box;
  bool swapped = false;
  Excess::Best worth{};
};

// All boxes over the entries of outputs (of more than kMostEntries those that tell most), on cells decided by training runs.
// There, an entry may also be left free: all of its cells.
class BoxSpace {
 public:
  static constexpr std::size_t kMostEntries = 64;

  BoxSpace(const Runs& training, const Shape& shape);

  // The best box found from `restarts` starts by coordinate search: with the other entries held, one pass over the runs
  // gives the counts of every interval of one entry, so each step takes the best of all of them. Starts: everything free,
  // then around random outputs. The most telling entries are improved first.
  FoundBox search(const Runs& training, const Excess& excess, int restarts, std::uint64_t seed) const;

  // How often it happens in other runs: what it is really worth.
  FoundBox again(const FoundBox& found, const Runs& runs, const Excess& excess) const;

  AttackSet set_of(const Box& box, const Words& words) const;

 private:
  // Cells of all runs, entry after entry.
  struct Coded {
    std::int64_t runs;
    std::vector<std::uint8_t> cells;
    std::uint8_t at(std::size_t entry, std::int64_t run) const {
      return cells[entry * static_cast<std::size_t>(runs) + static_cast<std::size_t>(run)];
    }
  };
  Coded code(const Outputs& outputs) const;
  Box everything() const;
  Box around(const Coded& coded, std::mt19937_64& random) const;
  std::vector<std::int64_t> counts_of(const Coded& coded, const Box& box, std::size_t entry) const;
  bool improve(FoundBox& found, const Coded& first, const Coded& second, std::size_t entry, const Excess& excess) const;
  bool free(const Range& range, std::size_t entry) const;

  Shape shape_;
  std::vector<std::size_t> columns_;  // of each entry that is looked at
  std::vector<Cells> cells_;
};

}  // namespace dither::audit::detail
