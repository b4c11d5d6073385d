#include "random/categorical.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace dither::random {

namespace {

using detail::BasicTableLaw;
using detail::Precision;
using detail::TableLaw;
using Law = std::variant<TableLaw, BasicTableLaw<UInt128>>;

template <typename Weight>
void require(std::span<const Weight> weights) {
  constexpr std::size_t most = std::size_t{1} << 24;
  if (weights.size() > most) {
    throw Error{Code::bad_count, "there are more than 2^24 weights", "draw in two steps: a group, then a member"};
  }
  if (std::any_of(weights.begin(), weights.end(), [](const Weight& w) { return w < Weight(0); })) {
    throw Error{Code::bad_weights, "a weight is negative", "give weights >= 0"};
  }
  if (std::all_of(weights.begin(), weights.end(), [](const Weight& w) { return w == Weight(0); })) {
    throw Error{Code::bad_weights, "all weights are zero", "give at least one positive weight"};
  }
}

// weights[i] * floor(2^bits / sum): all words but fewer than `sum` are used, and those are thrown away.
TableLaw scaled(std::span<const std::uint64_t> weights, std::uint64_t sum, const Precision& precision) {
  std::vector<std::uint64_t> columns(weights.begin(), weights.end());
  const std::uint64_t scale = (std::uint64_t{1} << precision.table_bits) / sum;
  for (std::uint64_t& column : columns) column *= scale;
  return {std::move(columns), precision};
}

// floor(2^bits weights[i] / sum), and the rest drawn exactly.
template <typename Word>
BasicTableLaw<Word> rounded(std::span<const Rational> weights, const Precision& precision) {
  Rational sum;
  for (const Rational& w : weights) sum += w;
  std::vector<Rational> probabilities;
  std::vector<Word> columns;
  for (const Rational& w : weights) {
    probabilities.push_back(w / sum);
    const Rational exact = probabilities.back() * Rational::power_of_two(precision.table_bits);
    columns.push_back(static_cast<Word>(exact.floor()));
  }
  const auto probability = [probabilities = std::move(probabilities)](std::uint64_t i, long bits) {
    return i < probabilities.size() ? BigInterval(probabilities[i], bits) : BigInterval(bits);
  };
  return {std::move(columns), precision, [probability] { return detail::Probabilities(probability); }};
}

// Rounding loses up to a unit an index, which many indices make too many for a narrow table.
Law rounded(std::span<const Rational> weights, Precision precision) {
  constexpr std::size_t few = std::size_t{1} << 16;
  if (weights.size() <= few) return rounded<std::uint64_t>(weights, precision);
  precision.table_bits += 32;
  return rounded<UInt128>(weights, precision);
}

Law make(std::span<const std::uint64_t> weights, const Precision& precision) {
  require(weights);
  const std::uint64_t divisor = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0},
                                                [](std::uint64_t a, std::uint64_t b) { return std::gcd(a, b); });
  std::vector<std::uint64_t> reduced(weights.begin(), weights.end());
  UInt128 sum = 0;
  for (std::uint64_t& w : reduced) sum += w /= divisor;
  if (sum <= (UInt128{1} << (precision.table_bits - 1))) {
    return scaled(reduced, static_cast<std::uint64_t>(sum), precision);
  }
  std::vector<Rational> exact;
  for (std::uint64_t w : weights) exact.emplace_back(static_cast<Int128>(w));
  return rounded(exact, precision);
}

Law make(std::span<const Rational> weights, const Precision& precision) {
  require(weights);
  Rational denominator(1);  // the least common one
  for (const Rational& w : weights) {
    mpz_lcm(mpq_numref(denominator.get()), mpq_numref(denominator.get()), mpq_denref(w.get()));
  }
  Rational sum;
  std::vector<std::uint64_t> integers;
  for (const Rational& w : weights) {
    const Rational integer = w * denominator;
    sum += integer;
    if (sum > Rational::power_of_two(62)) return rounded(weights, precision);
    integers.push_back(static_cast<std::uint64_t>(integer.floor()));
  }
  return make(std::span<const std::uint64_t>(integers), precision);
}

}  // namespace

Categorical::Categorical(std::span<const std::uint64_t> weights, const Precision& precision)
    : law_(make(weights, precision)) {}

Categorical::Categorical(std::span<const Rational> weights, const Precision& precision)
    : law_(make(weights, precision)) {}

}  // namespace dither::random
