// One of finitely many, by given weights.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "base/rational.h"
#include "random/detail/table_law.h"
#include "random/source.h"

namespace dither::random {

// An index 0 .. n-1, i with probability weights[i] / (sum of the weights).
//
// Promise    the law is exact, and an index of weight zero never comes. Work is independent of the index, except that
//            with weights whose sum, as whole numbers without common factor, exceeds 2^62 the index is drawn in
//            arbitrary precision with probability fallback_probability() < 2^-46.
// Refuses    no weights, a negative weight, all weights zero (bad-weights); more than 2^24 weights (bad-count).
// Cost       8 bytes and one look-up; 16 bytes for such weights if there are more than 2^16. Set-up about 20 ns an
//            index (a microsecond for rationals): keep the object.
// Spec       D-68, W-72.
class Categorical {
 public:
  explicit Categorical(std::span<const std::uint64_t> weights,
                       const detail::Precision& precision = detail::kSmallTable);
  explicit Categorical(std::span<const Rational> weights, const detail::Precision& precision = detail::kSmallTable);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    return std::visit([&](const auto& law) { return law.draw(source); }, law_);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::uint64_t> out, Source& source) const {
    std::visit([&](const auto& law) { law.fill(out, source); }, law_);
  }

  // The probability that a draw needs arbitrary precision.
  double fallback_probability() const {
    return std::visit([](const auto& law) { return law.fallback_probability(); }, law_);
  }

 private:
  // Of whole weights, or few; of many weights that had to be rounded.
  std::variant<detail::TableLaw, detail::BasicTableLaw<UInt128>> law_;
};

}  // namespace dither::random
