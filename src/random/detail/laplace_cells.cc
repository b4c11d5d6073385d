#include "random/detail/laplace_cells.h"

#include <algorithm>
#include <utility>

#include "random/detail/fraction.h"

namespace dither::random::detail {

namespace {

constexpr int kSmallLog2 = 7;  // below scale 2^7 a table holds every value
constexpr int kCellsLog2 = 4;  // above, the scale is 16 to 32 cells

int shift_for(const ComputableReal& rate) {
  const int log2 = log2_of_inverse(rate);
  return log2 < kSmallLog2 ? 0 : log2 - kCellsLog2;
}

}  // namespace

int log2_of_inverse(const ComputableReal& rate) {
  return static_cast<int>((Rational(1) / rate(128).high_rational()).floor_log2());
}

template <bool kSigned>
LaplaceCells<kSigned>::LaplaceCells(ComputableReal rate) : LaplaceCells(rate, shift_for(rate)) {}

template <bool kSigned>
LaplaceCells<kSigned>::LaplaceCells(ComputableReal rate, int shift) : rate_(std::move(rate)), shift_(shift) {
  rate_shift_ = std::max(0, log2_of_inverse(rate_));
  const Rational scaled = rate_(192).low_rational() * Rational::power_of_two(64 + rate_shift_);
  rate_mantissa_ = static_cast<std::uint64_t>(std::min(scaled.floor(), static_cast<Int128>(~std::uint64_t{0})));
}

template <bool kSigned>
BigInterval LaplaceCells<kSigned>::cell_exponent(std::uint64_t cell, long precision) const {
  const Rational width = Rational::power_of_two(shift_) * Rational(static_cast<Int128>(cell));
  return rate_(precision) * BigInterval(width, precision);
}

// 1 - q for one side or for cells whose sign is drawn apart, and (1 - q) / (1 + q) for the values |K| of two sides.
template <bool kSigned>
BigInterval LaplaceCells<kSigned>::first_probability(long precision) const {
  BigInterval one_minus_q = -expm1(-cell_exponent(1, precision));
  if (!kSigned || shift_ > 0) return one_minus_q;
  return one_minus_q / (BigInterval(Rational(2), precision) - one_minus_q);
}

template <bool kSigned>
BigInterval LaplaceCells<kSigned>::probability(std::uint64_t cell, long precision) const {
  const BigInterval p = first_probability(precision) * exp(-cell_exponent(cell, precision));
  const bool both_signs = kSigned && shift_ == 0 && cell > 0;
  return both_signs ? p * BigInterval(Rational(2), precision) : p;
}

template <bool kSigned>
std::vector<std::uint64_t> LaplaceCells<kSigned>::weights(int bits) const {
  constexpr long precision = 192;
  const Fraction q = fraction_below(exp(-cell_exponent(1, precision)));
  std::vector<std::uint64_t> result = {scaled_down(fraction_below(probability(0, precision)), bits)};
  const std::size_t most = std::size_t{1} << (bits - 2);  // a table of few bits has few columns
  for (Fraction p = fraction_below(probability(1, precision)); scaled_down(p, bits) > 0 && result.size() < most;
       p = mul_down(p, q)) {
    result.push_back(scaled_down(p, bits));
  }
  return result;
}

template <bool kSigned>
BigInterval LaplaceCells<kSigned>::exponent(std::uint64_t /*cell*/, std::uint64_t remainder, long precision) const {
  return rate_(precision) * BigInterval(Rational(static_cast<Int128>(remainder)), precision);
}

template class LaplaceCells<true>;
template class LaplaceCells<false>;

}  // namespace dither::random::detail
