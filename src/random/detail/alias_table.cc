#include "random/detail/alias_table.h"

#include <bit>

#include "base/error.h"

namespace dither::random::detail {

namespace {

// 2^bits less the weights, or an error.
template <typename Word>
Word missing(const std::vector<Word>& weights, int bits) {
  bool fits = bits >= 2 && bits < std::numeric_limits<Word>::digits && (Word{weights.size()} >> (bits - 1)) == 0;
  Word left = fits ? Word{1} << bits : Word{0};
  for (Word weight : weights) {
    fits = fits && weight <= left;
    left -= fits ? weight : 0;
  }
  if (!fits) throw Error{Code::bad_weights, "the weights do not fit the table", "use fewer outcomes or more bits"};
  return left;
}

}  // namespace

// Robin Hood in integers: a column with too little is topped up from one with too much, until all hold `capacity`.
template <typename Word>
BasicAliasTable<Word>::BasicAliasTable(const std::vector<Word>& weights, int bits)
    : bits_(bits),
      column_bits_(std::bit_width(weights.size())),
      residual_(weights.size()),
      residual_weight_(missing(weights, bits)) {
  const std::uint64_t columns = std::uint64_t{1} << column_bits_;
  const Word capacity = Word{1} << (bits - column_bits_);
  std::vector<Word> held(weights);
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

template class BasicAliasTable<std::uint64_t>;
template class BasicAliasTable<UInt128>;

}  // namespace dither::random::detail
