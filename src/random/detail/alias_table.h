// An exact alias table: integer weights, no rounding, one look-up a draw.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/int128.h"

namespace dither::random::detail {

// Outcomes 0 .. n-1 with integer weights, and one more, the residual n, that takes what is missing to 2^bits.
//
// Promise    over a uniform `bits`-bit number x, look_up(x) is i for exactly weights[i] values of x, and n for the
//            others.
// Holds if   the weights sum to at most 2^bits, n < 2^(bits-1) and bits is below the width of a Word; checked.
// Cost       one load; the column is uniform, so neither branches nor cache lines follow the outcome.
template <typename Word>
class BasicAliasTable {
 public:
  BasicAliasTable(const std::vector<Word>& weights, int bits);

  std::uint64_t look_up(Word x) const { return View(*this).look_up(x); }

  std::uint64_t residual() const { return residual_; }
  Word residual_weight() const { return residual_weight_; }
  int bits() const { return bits_; }

  // The table's numbers in locals, for loops that must not load them again.
  class View {
   public:
    explicit View(const BasicAliasTable& table)
        : entries_(table.entries_.data()),
          coin_bits_(table.bits_ - table.column_bits_),
          column_bits_(table.column_bits_),
          coin_mask_((Word{1} << coin_bits_) - 1),
          column_mask_((std::uint64_t{1} << column_bits_) - 1) {}

    std::uint64_t look_up(Word x) const {
      const auto column = static_cast<std::uint64_t>(x >> coin_bits_);
      const Word entry = entries_[column];
      const std::uint64_t alias = static_cast<std::uint64_t>(entry) & column_mask_;
      // All ones when the coin falls below the threshold. A mask, since a branch would be mispredicted by value.
      const Word below = ((x & coin_mask_) - (entry >> column_bits_)) >> (std::numeric_limits<Word>::digits - 1);
      const std::uint64_t keep = std::uint64_t{0} - static_cast<std::uint64_t>(below);
      return alias ^ ((alias ^ column) & keep);
    }

   private:
    const Word* entries_;
    int coin_bits_;
    int column_bits_;
    Word coin_mask_;
    std::uint64_t column_mask_;
  };

 private:
  int bits_;
  int column_bits_;
  std::uint64_t residual_;
  Word residual_weight_;
  std::vector<Word> entries_;  // threshold << column_bits | alias; a full column has threshold 0, alias itself
};

// Up to 63 bits, one random word; and up to 127 bits, two words, where a draw is a sum of very many look-ups.
using AliasTable = BasicAliasTable<std::uint64_t>;
using WideAliasTable = BasicAliasTable<UInt128>;

}  // namespace dither::random::detail
