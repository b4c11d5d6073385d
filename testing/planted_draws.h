// Samplers with a mistake planted in each. A test that cannot tell them from the shipped ones proves nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "random/binomial.h"
#include "random/categorical.h"
#include "random/detail/table_law.h"
#include "random/poisson.h"
#include "random/subset.h"
#include "random/uniform.h"
#include "random/weighted_choice.h"

namespace dither::planted {

using random::BitSource;

// Modulo bias: the first 2^width mod n numbers come once too often.
template <BitSource S>
std::uint64_t modulo_uniform(std::uint64_t n, int width, S& source) {
  return source.bits(width) % n;
}

// Off by one at zero: zero never comes.
template <BitSource S>
std::uint64_t uniform_without_zero(std::uint64_t n, int width, S& source) {
  return 1 + random::detail::uniform_below(n - 1, width, source);
}

// <= where < belongs: one word too many is true.
template <BitSource S>
bool bernoulli_or_equal(const Rational& p, int width, S& source) {
  const auto threshold = static_cast<std::uint64_t>((p * Rational::power_of_two(width)).floor());
  return source.bits(width) <= threshold;
}

// Float rounding: the coin's probability passes through a float.
inline random::Bernoulli rounded_coin(const Rational& p, int width) {
  const auto rounded = static_cast<float>(p.to_double_down());
  return random::Bernoulli::with_probability(Rational::from_double(rounded), width);
}

// Truncated tail: large numbers are thrown away.
template <BitSource S>
std::int64_t poisson_without_tail(const random::Poisson& law, std::int64_t last, S& source) {
  for (;;) {
    const std::int64_t k = law.draw(source);
    if (k <= last) return k;
  }
}

// Float rounding in weights: floor(2^bits w / sum) without the residual.
inline random::detail::TableLaw rounded_weights(std::span<const std::uint64_t> weights,
                                                const random::detail::Precision& precision) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint64_t> columns;
  for (std::uint64_t w : weights) {
    columns.push_back(static_cast<std::uint64_t>(std::ldexp(static_cast<double>(w) / sum, precision.table_bits)));
  }
  return {std::move(columns), precision};
}

// Double-counted zero: a sign and a size are drawn independently, so that plus and minus zero both count.
template <BitSource S>
std::int64_t zero_counted_twice(const random::Poisson& size, S& source) {
  const auto sign = static_cast<std::int64_t>(source.bits(1));
  return (size.draw(source) ^ -sign) + sign;
}

// Sign bias: a negative number is drawn once more.
template <BitSource S>
std::int64_t skellam_with_sign_bias(const random::Skellam& law, S& source) {
  const std::int64_t first = law.draw(source);
  return first < 0 ? law.draw(source) : first;
}

// Scores at half their rate.
inline random::WeightedChoice choice_at_half_rate(std::span<const std::uint64_t> weights,
                                                  std::span<const Int128> scores, const Rational& rate, int width) {
  return {weights, scores, rate / Rational(2), width};
}

// Overflow: exponentials of the scores themselves, in doubles. Large scores give infinity over infinity.
template <BitSource S>
std::uint64_t choice_with_overflow(std::span<const Int128> scores, double rate, S& source) {
  std::vector<double> sums;
  double sum = 0;
  for (Int128 score : scores) sums.push_back(sum += std::exp(rate * static_cast<double>(score)));
  const double target = std::ldexp(static_cast<double>(source.bits(53)), -53) * sum;
  std::uint64_t index = 0;
  while (index + 1 < sums.size() && !(target < sums[index])) ++index;
  return index;
}

// Value-dependent work: the scan stops at the candidate chosen.
template <BitSource S>
std::uint64_t choice_with_early_exit(std::span<const std::uint64_t> sums, S& source) {
  const std::uint64_t target = random::detail::uniform_below(sums.back(), 64, source);
  std::uint64_t index = 0;
  while (sums[index] <= target) ++index;
  return index;
}

// Value-dependent work: one factor after the other until the product is small, so that large numbers take long.
template <BitSource S>
std::int64_t poisson_by_counting(double lambda, S& source) {
  double product = std::ldexp(static_cast<double>(source.bits(53)), -53);
  std::int64_t count = 0;
  for (const double end = std::exp(-lambda); product > end; ++count) {
    product *= std::ldexp(static_cast<double>(source.bits(53)), -53);
  }
  return count;
}

// Naive swap: every place is swapped with any place, n^n equally likely paths to n! orders.
template <BitSource S>
void biased_shuffle(std::span<std::uint64_t> items, int width, S& source) {
  for (std::uint64_t& item : items) std::swap(item, items[random::detail::uniform_below(items.size(), width, source)]);
}

// The last element is never chosen.
template <BitSource S>
std::vector<std::uint64_t> subset_without_last(std::uint64_t k, std::uint64_t n, int width, S& source) {
  return random::detail::choose(k, n - 1, width, source);
}

// Reused block: the second half of a batch repeats the first.
inline void fill_with_reused_block(std::uint64_t n, std::span<std::uint64_t> out, random::Source& source) {
  const std::size_t half = out.size() / 2;
  random::fill_uniform_below(n, out.first(half), source);
  std::copy(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(half),
            out.begin() + static_cast<std::ptrdiff_t>(half));
}

}  // namespace dither::planted
