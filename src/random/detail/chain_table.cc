#include "random/detail/chain_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "random/detail/fraction.h"

namespace dither::random::detail {

namespace {

// A number >= 0, rounded down to 128 bits: mantissa * 2^exponent with the top bit of the mantissa set, or zero.
struct LowerFloat {
  UInt128 mantissa = 0;
  long exponent = 0;

  static LowerFloat normalised(UInt128 mantissa, long exponent) {
    if (mantissa == 0) return {};
    const auto high = static_cast<std::uint64_t>(mantissa >> 64);
    const int leading =
        high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(mantissa));
    return {mantissa << leading, exponent - leading};
  }

  static LowerFloat below(const Rational& x) {
    if (x.sign() <= 0) return {};
    const long exponent = x.floor_log2() - 126;  // so that the floor fits a signed number
    return normalised(static_cast<UInt128>((x * Rational::power_of_two(-exponent)).floor()), exponent);
  }

  LowerFloat times(const LowerFloat& b) const {
    return normalised(mul_down(mantissa, b.mantissa), exponent + b.exponent + 128);
  }
  LowerFloat times(std::uint64_t b) const { return times(normalised(b, 0)); }
  // Loses as many bits as b has: 41 at most, which leaves 87.
  LowerFloat over(std::uint64_t b) const { return normalised(mantissa / b, exponent); }

  // floor(2^bits x), for x <= 1 and bits < 127.
  UInt128 scaled_down(int bits) const {
    const long shift = exponent + bits;  // below zero, since x <= 1 has exponent <= -127
    return mantissa == 0 || shift <= -128 ? 0 : mantissa >> -shift;
  }
};

// p(to) from p(from), neighbours.
BigInterval step(const Chain& chain, std::uint64_t from, std::uint64_t to, const BigInterval& p) {
  const auto whole = [](std::uint64_t x) { return Rational(static_cast<Int128>(x)); };
  const std::uint64_t low = std::min(from, to);
  const Rational ratio = chain.factor * whole(chain.above(low)) / whole(low + 1);
  return p * BigInterval(to > from ? ratio : Rational(1) / ratio, p.precision());
}

// The value behind an index: the table's columns in order, then everything below the table downwards, then upwards.
std::uint64_t value_behind(std::uint64_t index, std::uint64_t first, std::uint64_t count) {
  if (index < count) return first + index;
  const std::uint64_t outside = index - count;
  return outside < first ? first - 1 - outside : index;
}

// Probabilities in the order of the indices, each from the one before; computed afresh when the order or the precision
// changes.
Probabilities walk(const Chain& chain, std::uint64_t first, std::uint64_t count) {
  struct Place {
    std::uint64_t index;
    long precision;
    BigInterval p;
  };
  return [chain, first, count, last = std::optional<Place>()](std::uint64_t index, long precision) mutable {
    const std::uint64_t k = value_behind(index, first, count);
    if (chain.trials && k > *chain.trials) return BigInterval(precision);
    const bool follows = last && last->index + 1 == index && last->precision == precision;
    const std::uint64_t before = follows ? value_behind(last->index, first, count) : k;
    const bool neighbours = before + 1 == k || k + 1 == before;
    last = {index, precision, neighbours ? step(chain, before, k, last->p) : chain.pmf(k, precision)};
    return last->p;
  };
}

}  // namespace

template <typename Word>
typename ChainTable<Word>::Window ChainTable<Word>::grow(const Chain& chain, int bits) {
  const LowerFloat start = LowerFloat::below(chain.pmf(chain.mode, 192).low_rational());
  const LowerFloat factor = LowerFloat::below(chain.factor);
  std::vector<Word> down, up;
  LowerFloat p = start;
  for (std::uint64_t k = chain.mode;; ++k) {
    const auto weight = static_cast<Word>(p.scaled_down(bits));
    if (weight == 0) break;
    up.push_back(weight);
    if (chain.above(k) == 0) break;
    p = p.times(factor).times(chain.above(k)).over(k + 1);
  }
  if (chain.mode > 0) {
    const LowerFloat inverse = LowerFloat::below(Rational(1) / chain.factor);
    p = start;
    for (std::uint64_t k = chain.mode; k > 0; --k) {
      p = p.times(inverse).times(k).over(chain.above(k - 1));
      const auto weight = static_cast<Word>(p.scaled_down(bits));
      if (weight == 0) break;
      down.push_back(weight);
    }
  }
  if (up.empty()) down.clear();
  std::vector<Word> weights(down.rbegin(), down.rend());
  weights.insert(weights.end(), up.begin(), up.end());
  return {chain.mode - down.size(), std::move(weights)};
}

template <typename Word>
ChainTable<Word>::ChainTable(Chain chain, const Precision& precision)
    : ChainTable(chain, precision, grow(chain, precision.table_bits)) {}

template <typename Word>
ChainTable<Word>::ChainTable(Chain chain, const Precision& precision, Window window)
    : first_(window.first),
      count_(window.weights.size()),
      law_(std::move(window.weights), precision,
           [chain = std::move(chain), first = first_, count = count_] { return walk(chain, first, count); }) {}

template <typename Word>
std::uint64_t ChainTable<Word>::value_outside(std::uint64_t index) const {
  return value_behind(index, first_, count_);
}

template <typename Word>
void ChainTable<Word>::add_to(std::span<std::int64_t> out, Source& source) const {
  std::array<std::uint64_t, 512> indices;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, indices.size());
    law_.fill(std::span(indices).first(count), source);
    for (std::size_t i = 0; i < count; ++i) out[done + i] += static_cast<std::int64_t>(value_at(indices[i]));
    done += count;
  }
}

template class ChainTable<std::uint64_t>;
template class ChainTable<UInt128>;

void ChainSum::fill(std::span<std::int64_t> out, Source& source) const {
  std::fill(out.begin(), out.end(), 0);
  if (alone_) alone_->add_to(out, source);
  for (const Part& part : parts_) {
    for (std::uint64_t i = 0; i < part.times; ++i) part.table.add_to(out, source);
  }
}

double ChainSum::fallback_probability() const {
  double sum = alone_ ? alone_->law().fallback_probability() : 0;
  for (const Part& part : parts_) sum += static_cast<double>(part.times) * part.table.law().fallback_probability();
  return sum;
}

std::uint64_t SumPrecision::parts(const Rational& variance) const {
  if (variance <= Rational(static_cast<Int128>(variance_alone))) return 1;
  return static_cast<std::uint64_t>((variance / Rational(static_cast<Int128>(variance_part))).ceil());
}

}  // namespace dither::random::detail
