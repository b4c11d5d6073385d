// An exact alias table: integer weights, no rounding, one look-up a draw.
#pragma once

#include <cstdint>
#include <vector>

namespace dither::random::detail {

// Outcomes 0 .. n-1 with integer weights, and one more, the residual n, that takes what is missing to 2^bits.
//
// Promise    over a uniform `bits`-bit number x, look_up(x) is i for exactly weights[i] values of x, and n for the
// rest. Holds if   the weights sum to at most 2^bits and n < 2^(bits-1); checked. Cost       one load; the column is
// uniform, so neither branches nor cache lines follow the outcome.
class AliasTable {
 public:
  AliasTable(const std::vector<std::uint64_t>& weights, int bits);

  std::uint64_t look_up(std::uint64_t x) const { return View(*this).look_up(x); }

  std::uint64_t residual() const { return residual_; }
  std::uint64_t residual_weight() const { return residual_weight_; }
  int bits() const { return bits_; }

  // The table's numbers in locals, for loops that must not load them again.
  class View {
   public:
    explicit View(const AliasTable& table)
        : entries_(table.entries_.data()),
          coin_bits_(table.bits_ - table.column_bits_),
          column_bits_(table.column_bits_),
          coin_mask_((std::uint64_t{1} << coin_bits_) - 1),
          column_mask_((std::uint64_t{1} << column_bits_) - 1) {}

    std::uint64_t look_up(std::uint64_t x) const {
      const std::uint64_t column = x >> coin_bits_;
      const std::uint64_t entry = entries_[column];
      const std::uint64_t alias = entry & column_mask_;
      // All ones when the coin falls below the threshold. A mask, since a branch would be mispredicted by value.
      const auto keep =
          static_cast<std::uint64_t>(static_cast<std::int64_t>((x & coin_mask_) - (entry >> column_bits_)) >> 63);
      return alias ^ ((alias ^ column) & keep);
    }

   private:
    const std::uint64_t* entries_;
    int coin_bits_;
    int column_bits_;
    std::uint64_t coin_mask_;
    std::uint64_t column_mask_;
  };

 private:
  int bits_;
  int column_bits_;
  std::uint64_t residual_;
  std::uint64_t residual_weight_;
  std::vector<std::uint64_t> entries_;  // threshold << column_bits | alias; a full column has threshold 0, alias itself
};

}  // namespace dither::random::detail
