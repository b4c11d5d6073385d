// What every unit adds to the keys it keeps: from what its rows add up to, within the limits of docs/bounding.md.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/detail/bounding_allocate.h"
#include "engine/detail/bounding_kept.h"
#include "engine/detail/bounding_layout.h"
#include "engine/detail/bounding_sums.h"
#include "engine/detail/bounding_totals.h"

namespace dither::engine::detail {

class Contributions {
 public:
  // `rows`: how many there are in all, so that it is known what fits 64 bits.
  Contributions(const Layout& layout, const Sums& sums, const KeyDigests& keys, std::uint64_t rows);

  // Of all units of a partition, to totals. `digests` is asked for those whose rows are allocated.
  void add(const KeptKeys& kept, const Digests& digests, Totals& totals);

 private:
  // Those of one unit, or of all between two that are allocated.
  struct Slots {
    std::uint32_t begin, end;
  };
  void find_heavy(const KeptKeys& kept);
  void add_measure(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_small(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_wide(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_allocated(const KeptKeys& kept, std::size_t measure, const Slots& slots, const Digests& digests,
                     Totals& totals);
  bool allocate(const KeptKeys& kept, const Output& output, const Slots& slots, const Digests& digests);
  bool is_small(const Output& output, std::uint64_t rows) const;

  const Layout& layout_;
  const Sums& sums_;
  const KeyDigests& keys_;
  std::vector<bool> is_small_;    // by measure: all that is computed of it fits 64 bits
  std::vector<Slots> heavy_;      // of units with more rows than count for one
  std::vector<std::int64_t> counted_;  // of the unit at hand, by key: how many rows count
  Allocation allocation_;
};

}  // namespace dither::engine::detail
