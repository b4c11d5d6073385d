// What the rows of a partition add up to, by unit and key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/detail/bounding_kept.h"
#include "engine/detail/bounding_layout.h"
#include "engine/detail/bounding_totals.h"

namespace dither::engine::detail {

// Records of one form, one behind the other.
struct Run {
  const std::uint64_t* words;
  std::size_t records;
  bool wide;
};

class Sums {
 public:
  // `missing`: by field, whether some row has no value. `rows`: how many there are in all, so that it is known what fits 64 bits.
  Sums(const Layout& layout, const std::vector<bool>& missing, std::uint64_t rows);

  void start(std::size_t slots);
  // Adds the rows of runs, in their order; `slots` says where each goes.
  void add(std::span<const Run> runs, const std::uint32_t* slots);
  // Adds what was added up before, and gives what there is: the number of rows, then every accumulator.
  void add(const Int128* sums, std::uint32_t slot);
  void give(std::uint32_t slot, Int128* sums) const;
  std::size_t numbers() const { return 1 + layout_.accumulators.size(); }

  // Clamps what every unit adds to the keys it keeps, and adds it to totals.
  void give(const KeptKeys& kept, Totals& totals) const;

 private:
  enum class Form { rows, small, wide };  // the number of rows; 64 bits; 128 bits
  Int128 sum(std::optional<std::size_t> accumulator, std::uint32_t slot) const;
  const std::int64_t* small_sums(std::optional<std::size_t> accumulator) const;
  bool is_small(const Output& output, std::uint64_t rows) const;
  void give(const KeptKeys& kept, std::size_t measure, Totals& totals) const;
  void give_small(const KeptKeys& kept, std::size_t measure, Totals& totals) const;

  const Layout& layout_;
  std::vector<Form> forms_;     // by accumulator
  std::vector<bool> is_small_;  // by measure: all that is computed of it fits 64 bits
  std::vector<std::int64_t> rows_;
  std::vector<std::vector<std::int64_t>> small_;  // by accumulator, then by slot
  std::vector<std::vector<Int128>> wide_;
};

}  // namespace dither::engine::detail
