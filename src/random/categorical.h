// One of finitely many, by given weights.
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "random/detail/table_law.h"
#include "random/source.h"

namespace dither::random {

// An index 0 .. n-1, i with probability weights[i] / (sum of the weights).
//
// Promise    the law is exact, and an index of weight zero never comes. Work is independent of the index, except that
//            with weights whose sum, as whole numbers without common factor, exceeds 2^62 the index is drawn in
//            arbitrary precision with probability below n / 2^63.
// Refuses    no weights, a negative weight, all weights zero (bad-weights); more than 2^24 weights (bad-count).
// Cost       8 bytes and one look-up. Set-up about 20 ns an index (a microsecond for rationals): keep the object.
// Spec       D-68, W-72.
class Categorical {
 public:
  explicit Categorical(std::span<const std::uint64_t> weights,
                       const detail::Precision& precision = detail::kSmallTable);
  explicit Categorical(std::span<const Rational> weights, const detail::Precision& precision = detail::kSmallTable);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    return law_.draw(source);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::uint64_t> out, Source& source) const { law_.fill(out, source); }

 private:
  detail::TableLaw law_;
};

}  // namespace dither::random
