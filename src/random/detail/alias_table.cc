#include "random/detail/alias_table.h"

#include <bit>

#include "base/error.h"
#include "base/int128.h"

namespace dither::random::detail {

// Robin Hood in integers: a column with too little is topped up from one with too much, until all hold `capacity`.
AliasTable::AliasTable(const std::vector<std::uint64_t>& weights, int bits)
    : bits_(bits), column_bits_(std::bit_width(weights.size())), residual_(weights.size()) {
  UInt128 sum = 0;
  for (std::uint64_t weight : weights) sum += weight;
  const UInt128 total = UInt128{1} << bits;
  if (bits < 2 || bits > 63 || column_bits_ >= bits || sum > total) {
    throw Error{Code::bad_weights, "the weights do not fit the table", "use fewer outcomes or more bits"};
  }
  residual_weight_ = static_cast<std::uint64_t>(total - sum);

  const std::uint64_t columns = std::uint64_t{1} << column_bits_;
  const std::uint64_t capacity = std::uint64_t{1} << (bits - column_bits_);
  std::vector<std::uint64_t> held(weights);
  held.push_back(residual_weight_);
  held.resize(columns, 0);
  entries_.resize(columns);
  std::vector<std::uint64_t> poor, rich;
  for (std::uint64_t i = 0; i < columns; ++i) (held[i] < capacity ? poor : rich).push_back(i);
  while (!poor.empty()) {
    const std::uint64_t low = poor.back();
    const std::uint64_t high =
        rich.back();  // there is one: what `low` lacks, another has, since all sums to columns * capacity
    poor.pop_back();
    entries_[low] = held[low] << column_bits_ | high;
    held[high] -= capacity - held[low];
    if (held[high] < capacity) {
      rich.pop_back();
      poor.push_back(high);
    }
  }
  for (std::uint64_t i : rich) entries_[i] = i;
}

}  // namespace dither::random::detail
