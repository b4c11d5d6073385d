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
//            rounded down; that they are too small, by less than 2^-85 a step relatively, changes how often the
//            residual is drawn and nothing else.
// Cost       set-up about 50 us and 30 ns a column.
template <typename Word>
class ChainTable {
 public:
  ChainTable(Chain chain, const Precision& precision);

  template <BitSource S>
  std::uint64_t draw(S& source) const {
    return value_at(law_.draw(source));
  }

  // Adds an independent draw to each of the numbers.
  void add_to(std::span<std::int64_t> out, Source& source) const;

  const BasicTableLaw<Word>& law() const { return law_; }

 private:
  struct Window {
    std::uint64_t first;
    std::vector<Word> weights;
  };
  static Window grow(const Chain& chain, int bits);

  ChainTable(Chain chain, const Precision& precision, Window window);
  std::uint64_t value_at(std::uint64_t index) const {
    if (index >= count_) [[unlikely]]
      return value_outside(index);
    return first_ + index;
  }
  std::uint64_t value_outside(std::uint64_t index) const;

  std::uint64_t first_;
  std::uint64_t count_;
  BasicTableLaw<Word> law_;
};

// One draw from a table, or a sum of independent draws: each part is drawn from `times` times. What a draw costs is
// fixed by the parameters. The parts' tables are wide, since each of very many look-ups might need the residual.
class ChainSum {
 public:
  struct Part {
    ChainTable<UInt128> table;
    std::uint64_t times;
  };

  explicit ChainSum(ChainTable<std::uint64_t> alone) : alone_(std::move(alone)) {}
  explicit ChainSum(std::vector<Part> parts) : parts_(std::move(parts)) {}

  template <BitSource S>
  std::int64_t draw(S& source) const {
    if (alone_) return static_cast<std::int64_t>(alone_->draw(source));
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
  std::optional<ChainTable<std::uint64_t>> alone_;
  std::vector<Part> parts_;
};

// When a law is one table and when a sum of parts, and how precise both are. Tables of 2^16 columns hold bells of these
// variances. Tests choose less precision, to reach the fallback, and less variance, to reach the sum.
struct SumPrecision {
  Precision alone{.table_bits = 63};
  std::uint64_t variance_alone = 13'000'000;
  Precision part{.table_bits = 96};
  std::uint64_t variance_part = 9'000'000;

  // How many parts a law of this variance has; one stands for a table alone.
  std::uint64_t parts(const Rational& variance) const;
};

}  // namespace dither::random::detail
