// Draws from a finite table of integer weights: one word, one look-up, exact.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "random/detail/alias_table.h"
#include "random/detail/precision.h"
#include "random/detail/residual.h"
#include "random/source.h"

namespace dither::random::detail {

// An index 0, 1, 2, ... from an alias table of 2^table_bits words.
//
// Promise    without `exact`: index i has probability weights[i] / (sum of the weights); words that the weights leave
// over
//            are thrown away, and the number of rounds says nothing about the index.
//            With `exact`: index i has probability exact()(i) for all i, also beyond the table; the words left over go
//            to draw_residual. Holds if weights[i] <= 2^table_bits exact()(i).
// Cost       8 bytes and one load a round.
class TableLaw {
 public:
  // Gives the probabilities as a fresh object for each use, which may therefore remember what it computed.
  using Exact = std::function<Probabilities()>;

  TableLaw(std::vector<std::uint64_t> weights, const Precision& precision, Exact exact = nullptr);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    for (;;) {
      const std::uint64_t index = table_.look_up(source.bits(precision_.table_bits));
      if (index != table_.residual()) [[likely]]
        return index;
      if (exact_) return draw_left_over(source);
    }
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::uint64_t> out, Source& source) const;

  // The probability that a round hits what the weights leave over.
  double left_over() const;

  std::size_t columns() const { return weights_.size(); }

 private:
  template <BitSource S>
  std::uint64_t draw_left_over(S& source) const {
    return draw_residual(exact_(), weights_, table_.residual_weight(), precision_.table_bits, precision_.step, source);
  }

  std::vector<std::uint64_t> weights_;
  Precision precision_;
  AliasTable table_;
  Exact exact_;
};

}  // namespace dither::random::detail
