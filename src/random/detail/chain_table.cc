#include "random/detail/chain_table.h"

#include <algorithm>
#include <array>
#include <bit>

namespace dither::random::detail {

namespace {

// A number >= 0, rounded down to 64 bits: mantissa * 2^exponent with the top bit of the mantissa set, or zero.
struct LowerFloat {
  std::uint64_t mantissa = 0;
  long exponent = 0;

  static LowerFloat normalised(UInt128 mantissa, long exponent) {
    const auto high = static_cast<std::uint64_t>(mantissa >> 64);
    if (mantissa == 0) return {};
    const int width = high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(mantissa));
    if (width > 64) return {static_cast<std::uint64_t>(mantissa >> (width - 64)), exponent + width - 64};
    return {static_cast<std::uint64_t>(mantissa << (64 - width)), exponent + width - 64};
  }

  static LowerFloat below(const Rational& x) {
    if (x.sign() <= 0) return {};
    const long exponent = x.floor_log2() - 63;
    return normalised(static_cast<UInt128>((x * Rational::power_of_two(-exponent)).floor()), exponent);
  }

  LowerFloat times(const LowerFloat& b) const {
    return normalised(static_cast<UInt128>(mantissa) * b.mantissa, exponent + b.exponent);
  }
  LowerFloat times(std::uint64_t b) const { return normalised(static_cast<UInt128>(mantissa) * b, exponent); }
  LowerFloat over(std::uint64_t b) const {
    return normalised((static_cast<UInt128>(mantissa) << 64) / b, exponent - 64);
  }

  // floor(2^bits x), for x <= 1.
  std::uint64_t scaled_down(int bits) const {
    const long shift = exponent + bits;  // at most zero, since the mantissa has 64 bits and 2^bits x at most 63 + 1
    return shift <= -64 ? 0 : mantissa >> -shift;
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

}  // namespace

ChainTable::Window ChainTable::grow(const Chain& chain, int bits) {
  const LowerFloat start = LowerFloat::below(chain.pmf(chain.mode, 192).low_rational());
  const LowerFloat factor = LowerFloat::below(chain.factor);
  std::vector<std::uint64_t> down, up;
  LowerFloat p = start;
  for (std::uint64_t k = chain.mode; const std::uint64_t weight = p.scaled_down(bits); ++k) {
    up.push_back(weight);
    if (chain.above(k) == 0) break;
    p = p.times(factor).times(chain.above(k)).over(k + 1);
  }
  if (chain.mode > 0) {
    const LowerFloat inverse = LowerFloat::below(Rational(1) / chain.factor);
    p = start;
    for (std::uint64_t k = chain.mode; k > 0; --k) {
      p = p.times(inverse).times(k).over(chain.above(k - 1));
      const std::uint64_t weight = p.scaled_down(bits);
      if (weight == 0) break;
      down.push_back(weight);
    }
  }
  if (up.empty()) down.clear();
  std::vector<std::uint64_t> weights(down.rbegin(), down.rend());
  weights.insert(weights.end(), up.begin(), up.end());
  return {chain.mode - down.size(), std::move(weights)};
}

// Probabilities in the order of the indices, each from the one before; computed afresh when the order or the precision
// changes.
Probabilities ChainTable::walk(const Chain& chain, std::uint64_t first, std::uint64_t count) {
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

ChainTable::ChainTable(Chain chain, const Precision& precision)
    : ChainTable(chain, precision, grow(chain, precision.table_bits)) {}

ChainTable::ChainTable(Chain chain, const Precision& precision, Window window)
    : first_(window.first),
      count_(window.weights.size()),
      law_(std::move(window.weights), precision,
           [chain = std::move(chain), first = first_, count = count_] { return walk(chain, first, count); }) {}

std::uint64_t ChainTable::value_outside(std::uint64_t index) const { return value_behind(index, first_, count_); }

void ChainTable::add_to(std::span<std::int64_t> out, Source& source) const {
  std::array<std::uint64_t, 512> indices;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, indices.size());
    law_.fill(std::span(indices).first(count), source);
    for (std::size_t i = 0; i < count; ++i) out[done + i] += static_cast<std::int64_t>(value_at(indices[i]));
    done += count;
  }
}

void ChainSum::fill(std::span<std::int64_t> out, Source& source) const {
  std::fill(out.begin(), out.end(), 0);
  for (const Part& part : parts_) {
    for (std::uint64_t i = 0; i < part.times; ++i) part.table.add_to(out, source);
  }
}

double ChainSum::fallback_probability() const {
  double sum = 0;
  for (const Part& part : parts_) sum += static_cast<double>(part.times) * part.table.law().left_over();
  return sum;
}

}  // namespace dither::random::detail
