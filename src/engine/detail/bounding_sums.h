// What the rows of a partition add up to, by unit and key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/detail/bounding_layout.h"

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

  // Of a slot; nothing: the number of rows.
  Int128 sum(std::optional<std::size_t> accumulator, std::uint32_t slot) const;
  // By slot, where it is not wide.
  const std::int64_t* small(std::optional<std::size_t> accumulator) const;
  bool is_wide(std::optional<std::size_t> accumulator) const;

 private:
  enum class Form { rows, small, wide };  // the number of rows; 64 bits; 128 bits

  const Layout& layout_;
  std::vector<Form> forms_;  // by accumulator
  std::vector<std::int64_t> rows_;
  std::vector<std::vector<std::int64_t>> small_;  // by accumulator, then by slot
  std::vector<std::vector<Int128>> wide_;
};

}  // namespace dither::engine::detail
