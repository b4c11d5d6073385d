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
  // Measures of which the same rows count.
  struct Counted {
    const std::int64_t* present;  // by slot
    std::int64_t rows;            // at most
    std::vector<std::size_t> measures;
  };
  void find_heavy(const KeptKeys& kept);
  void find_counted();
  void add_light(const KeptKeys& kept, std::size_t measure, Totals& totals) const;
  void add_measure(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_small(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_cut_units(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_wide(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const;
  void add_heavy(const KeptKeys& kept, const Slots& unit, const Digests& digests, Totals& totals);
  void add_allocated(const KeptKeys& kept, std::size_t measure, const Slots& unit, Totals& totals) const;
  bool is_small(const Output& output, std::uint64_t rows) const;

  const Layout& layout_;
  const Sums& sums_;
  const KeyDigests& keys_;
  std::vector<bool> is_small_;         // by measure: all that is computed of it fits 64 bits
  std::vector<std::uint32_t> passed_;  // slots at which units pass their limit
  std::vector<Slots> heavy_;           // of those units
  std::vector<Counted> counted_;
  std::vector<std::int64_t> t_;  // of the unit at hand, by key: how many rows count
  Allocation allocation_;
};

}  // namespace dither::engine::detail
