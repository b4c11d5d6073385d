// Draws from a finite table of integer weights: one look-up, exact.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "random/detail/alias_table.h"
#include "random/detail/precision.h"
#include "random/detail/residual.h"
#include "random/source.h"

namespace dither::random::detail {

// An index 0, 1, 2, ... from an alias table of 2^table_bits words.
//
// Promise    without `exact`: index i has probability weights[i] / (sum of the weights); words that the weights leave
//            over are thrown away, and the number of rounds says nothing about the index.
//            With `exact`: index i has probability exact()(i) for all i, also beyond the table; the words left over go
//            to draw_residual. Holds if weights[i] <= 2^table_bits exact()(i).
// Cost       one load a round; 8 bytes for a Word of 64 bits, 16 for one of 128.
template <typename Word>
class BasicTableLaw {
 public:
  // Gives the probabilities as a fresh object for each use, which may therefore remember what it computed.
  using Exact = std::function<Probabilities()>;

  BasicTableLaw(std::vector<Word> weights, const Precision& precision, Exact exact = nullptr);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    for (;;) {
      const std::uint64_t index = table_.look_up(number(source));
      if (index != table_.residual()) [[likely]]
        return index;
      if (exact_) return draw_left_over(source);
    }
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::uint64_t> out, Source& source) const;

  // The probability that a draw needs arbitrary precision: none without `exact`.
  double fallback_probability() const;

 private:
  static constexpr bool kWide = std::is_same_v<Word, UInt128>;

  // table_bits uniform bits. Wide ones come in two halves, so that narrow tests read both words too.
  int low_bits() const { return kWide ? precision_.table_bits / 2 : 0; }
  int high_bits() const { return precision_.table_bits - low_bits(); }
  template <BitSource S>
  Word number(S& source) const {
    const Word high = source.bits(high_bits());
    if constexpr (kWide) return high << low_bits() | source.bits(low_bits());
    return high;
  }

  template <BitSource S>
  std::uint64_t draw_left_over(S& source) const {
    return draw_residual(exact_(), weights_, table_.residual_weight(), precision_.table_bits, precision_.step, source);
  }

  std::vector<Word> weights_;
  Precision precision_;
  BasicAliasTable<Word> table_;
  Exact exact_;
};

using TableLaw = BasicTableLaw<std::uint64_t>;

}  // namespace dither::random::detail
