// Laws on 0, 1, 2, ... whose neighbours have simple ratios (binomial, Poisson), as exact tables and sums of tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "random/detail/table_law.h"

namespace dither::random::detail {

// p(k+1) / p(k) = factor * above(k) / (k + 1), where above(k) is trials - k for a binomial and 1 for a Poisson law.
struct Chain {
  Rational factor;
  std::optional<std::uint64_t> trials;
  std::uint64_t mode;  // where the table starts to grow in both directions; any value with a large probability will do
  std::function<BigInterval(std::uint64_t k, long precision_bits)> pmf;

  std::uint64_t above(std::uint64_t k) const { return trials ? *trials - k : 1; }
};

// The values whose probability is at least 2^-table_bits lie in a table; the others are reached by the residual.
//
// Promise    P(K = k) = pmf(k) for every k. The table's weights follow from pmf(mode) by the ratios, every step
//            rounded down; that they are too small changes how often the residual is drawn and nothing else.
// Cost       set-up about 50 us and 45 ns a column.
class ChainTable {
 public:
  ChainTable(Chain chain, const Precision& precision);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    return value_at(law_.draw(source));
  }

  // Adds an independent draw to each of the numbers.
  void add_to(std::span<std::int64_t> out, Source& source) const;

  const TableLaw& law() const { return law_; }

 private:
  struct Window {
    std::uint64_t first;
    std::vector<std::uint64_t> weights;
  };
  static Window grow(const Chain& chain, int bits);
  static Probabilities walk(const Chain& chain, std::uint64_t first, std::uint64_t count);

  ChainTable(Chain chain, const Precision& precision, Window window);
  std::uint64_t value_at(std::uint64_t index) const {
    if (index >= count_) [[unlikely]]
      return value_outside(index);
    return first_ + index;
  }
  std::uint64_t value_outside(std::uint64_t index) const;

  std::uint64_t first_;
  std::uint64_t count_;
  TableLaw law_;
};

// A sum of independent draws: each table is drawn from `times` times. What a draw costs is fixed by the parameters.
class ChainSum {
 public:
  struct Part {
    ChainTable table;
    std::uint64_t times;
  };

  explicit ChainSum(std::vector<Part> parts) : parts_(std::move(parts)) {}

  template <BitSource S>
  std::int64_t draw(S& source) const {
    std::uint64_t sum = 0;
    for (const Part& part : parts_) {
      for (std::uint64_t i = 0; i < part.times; ++i) sum += part.table.draw(source);
    }
    return static_cast<std::int64_t>(sum);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::int64_t> out, Source& source) const;

  // The probability that a draw needs arbitrary precision, at most.
  double fallback_probability() const;

 private:
  std::vector<Part> parts_;
};

// A table of 2^16 columns holds a bell of this variance at 63 bits.
inline constexpr std::uint64_t kVariancePerTable = 13'000'000;

}  // namespace dither::random::detail
