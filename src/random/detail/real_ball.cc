#include "random/detail/real_ball.h"

#include "random/detail/fixed_point.h"
#include "random/detail/real_ball_tables.h"

namespace dither::random::detail {

namespace {

UInt128 select_error(std::uint64_t mask, UInt128 yes, UInt128 no) {
  const UInt128 wide = UInt128{mask} << 64 | mask;
  return no ^ ((no ^ yes) & wide);
}

constexpr UInt128 kUnknown = Ball<2>::kUnknown;

// Errors above the limit are all one: from there on nothing is promised.
UInt128 capped(UInt128 error) { return select_error(mask_if(error >= kUnknown), kUnknown, error); }

// e 2^amount rounded up, capped. Unknown stays unknown however far it is shifted down.
UInt128 shifted_error(UInt128 error, std::int64_t amount) {
  const auto left = static_cast<int>(select(mask_if(amount > 123), 123, select(mask_if(amount < 0), 0, amount)));
  const auto right = static_cast<int>(select(mask_if(amount < -127), 127, select(mask_if(amount > 0), 0, -amount)));
  const std::uint64_t overflows = mask_if((error >> (123 - left)) != 0) | mask_if(error >= kUnknown);
  const UInt128 shifted = (error << left >> right) + (mask_if(right != 0) & 1);
  return select_error(overflows, kUnknown, shifted);
}

// Brings a mantissa with leading zeros into shape.
template <int N>
Ball<N> normalised(const Limbs<N>& mantissa, std::int64_t exponent, UInt128 error, std::uint64_t negative) {
  Ball<N> result;
  int amount = 0;
  result.mantissa = normalise<N>(mantissa, &amount);
  result.exponent = exponent - amount;
  result.error = shifted_error(error, amount);
  result.negative = negative;
  return result;
}

// The fraction |x|, for |x| < 1: less than one unit low, apart from the error of x.
template <int N>
Limbs<N> to_fraction(const Ball<N>& x) {
  return shift_right<N>(x.mantissa, static_cast<std::uint64_t>(-x.exponent));
}

// The sum of the series at the fraction y < 0.7; terms of one sign, or alternating. Even and odd terms are summed by
// Horner's rule side by side, as two sums in y^2 of which one is multiplied by y.
//
// Each step loses less than one unit, and so does each coefficient; both are multiplied by y^2 < 1/2 in every later
// step, so either sum is off by less than 2 / (1 - 1/2) = 4 units, and by one more because y^2 is less than one unit
// low (the slopes are below one). The two together with the last product: 5 + 0.7 * 5 + 1 < 10; terms left out are
// below one (see Series).
constexpr int kSeriesError = 11;
template <int N, bool kAlternating>
Limbs<N> sum_series(const Series<N>& series, const Limbs<N>& y) {
  const Limbs<N> square = multiply_high<N>(y, y);
  Limbs<N> even = series.coefficients[series.terms - 2];
  Limbs<N> odd = series.coefficients[series.terms - 1];
  for (int i = series.terms - 4; i >= 0; i -= 2) {
    even = add<N>(multiply_high<N>(even, square), series.coefficients[i]);
    odd = add<N>(multiply_high<N>(odd, square), series.coefficients[i + 1]);
  }
  const Limbs<N> rest = multiply_high<N>(odd, y);
  return kAlternating ? subtract<N>(even, rest) : add<N>(even, rest);
}

template <int N>
Limbs<N> constant(std::uint64_t top) {
  Limbs<N> result{};
  result[N - 1] = top;
  return result;
}

// y = 1/b in units of 2^(2 - 64 N), for a fraction 1/2 <= b < 1: at most 8 units low, never high.
//
// The seed 48/17 - 32/17 b is right to 1/17, each step y (2 - b y) squares the relative error: four steps in one limb
// reach 2^-59, where their rounding (a few units of 2^-60) stops them. Two steps in N limbs reach 2^-118 and 2^-236. In
// the last one b y is less than 1 unit low, so y (2 - b y) less than 2 high; the shift of the product drops less than
// 4. Two units are taken off, so that the result is never high.
template <int N>
Limbs<N> reciprocal(const Limbs<N>& b) {
  constexpr std::uint64_t kTwo = std::uint64_t{1} << 63;
  constexpr auto kSeedTop = static_cast<std::uint64_t>((UInt128{48} << 62) / 17);
  constexpr auto kSeedSlope = static_cast<std::uint64_t>((UInt128{32} << 62) / 17);
  const std::uint64_t top = b[N - 1];
  std::uint64_t seed = kSeedTop - mul_high(kSeedSlope, top);
#pragma GCC unroll 8
  for (int step = 0; step < 4; ++step) seed = mul_high(seed, kTwo - mul_high(top, seed)) << 2;
  Limbs<N> y = constant<N>(seed);
#pragma GCC unroll 8
  for (int step = 0; step < 2; ++step) {
    y = shift_left_bits<N>(multiply_high<N>(y, subtract<N>(constant<N>(kTwo), multiply_high<N>(b, y))), 2);
  }
  Limbs<N> two{};
  two[0] = 2;
  return subtract<N>(y, two);
}

// y = 1/sqrt(b) in units of 2^(2 - 64 N), for a fraction 1/4 <= b < 1: at most 27 units low, never high.
//
// The seed 2.2 - 1.2 b is right to 0.14, each step y (3 - b y^2) / 2 gives relative errors 1.5 e^2 + e^3 / 2: five
// steps in one limb reach 2^-58, two in N limbs 2^-115 and 2^-229. In the last one y^2 and b y^2, which count in units
// four times as large, are each less than one low, so y (3 - b y^2) / 2 is less than 8 of ours high; the shift of the
// product drops less than 2. Sixteen are taken off.
template <int N>
Limbs<N> reciprocal_root(const Limbs<N>& b) {
  constexpr std::uint64_t kThree = std::uint64_t{3} << 60;
  constexpr auto kSeedTop = static_cast<std::uint64_t>((UInt128{22} << 62) / 10);
  constexpr auto kSeedSlope = static_cast<std::uint64_t>((UInt128{12} << 62) / 10);
  const std::uint64_t top = b[N - 1];
  std::uint64_t seed = kSeedTop - mul_high(kSeedSlope, top);
#pragma GCC unroll 8
  for (int step = 0; step < 5; ++step) seed = mul_high(seed, (kThree - mul_high(top, mul_high(seed, seed))) << 2) << 1;
  Limbs<N> y = constant<N>(seed);
#pragma GCC unroll 8
  for (int step = 0; step < 2; ++step) {
    const Limbs<N> rest = subtract<N>(constant<N>(kThree), multiply_high<N>(b, multiply_high<N>(y, y)));
    y = shift_left_bits<N>(multiply_high<N>(y, shift_left_bits<N>(rest, 2)), 1);
  }
  Limbs<N> sixteen{};
  sixteen[0] = 16;
  return subtract<N>(y, sixteen);
}

template <int N>
Ball<N> one() {
  return Ball<N>(std::int64_t{1});
}

// The middle of a ball, without its error.
template <int N>
Ball<N> middle(const Ball<N>& x) {
  Ball<N> result = x;
  result.error = 0;
  return result;
}

// sin(h) / 2 and cos(h) / 2 for the middle of h, 0 < h < 0.786: the sum's error, and that of h^2 (under 8 units), which
// moves either sum by less than a third of it.
constexpr int kTrigError = kSeriesError + 4;
template <int N>
Ball<N> half_sine(const Ball<N>& h) {
  const Limbs<N> sum = sum_series<N, true>(tables<N>().sine, to_fraction(middle(h) * middle(h)));
  return normalised<N>(sum, 0, kTrigError, 0) * middle(h);
}

template <int N>
Ball<N> half_cosine(const Ball<N>& h) {
  const Limbs<N> sum = sum_series<N, true>(tables<N>().cosine, to_fraction(middle(h) * middle(h)));
  return normalised<N>(sum, 0, kTrigError, 0);
}

}  // namespace

template <int N>
Ball<N>::Ball(const Rational& value) {
  if (value.sign() == 0) return;
  exponent = value.floor_log2() + 1;
  mantissa = fraction_limbs<N>(abs(value) * Rational::power_of_two(-exponent));  // floor: less than one unit low
  error = 1;
  negative = mask_if(value.sign() < 0);
}

template <int N>
Ball<N>::Ball(std::int64_t value) {
  negative = mask_if(value < 0);
  *this = normalised<N>(constant<N>((static_cast<std::uint64_t>(value) ^ negative) - negative),
                        static_cast<std::int64_t>(select(mask_if(value == 0), kExponentOfZero, 64)), 0, negative);
}

// Half a unit above what is known, give or take that half.
template <int N>
Ball<N> Ball<N>::uniform(const Limbs<3>& prefix, int bits) {
  const int pad = 64 * N - 1 - bits;  // room below the bit that stands for the half
  Limbs<4> wide = {0, prefix[0], prefix[1], prefix[2]};
  wide = shift_left_bits<4>(wide, 1);
  wide[1] |= 1;
  wide = shift_right<4>(wide, static_cast<std::uint64_t>(64 - pad % 64));
  Limbs<N> mantissa{};
  const int limbs_up = pad / 64;
  for (int i = 0; i + limbs_up < N; ++i) mantissa[i + limbs_up] = wide[i];
  return normalised<N>(mantissa, 0, pad < 123 ? UInt128{1} << pad : kUnknown, 0);
}

template <int N>
Ball<N> Ball<N>::operator-() const {
  Ball result = *this;
  result.negative = ~result.negative;
  return result;
}

template <int N>
Ball<N> Ball<N>::scaled(int power) const {
  Ball result = *this;
  result.exponent += power;
  return result;
}

template <int N>
Ball<N> Ball<N>::widened(int bits) const {
  Ball result = *this;
  result.error = shifted_error(error, bits);
  return result;
}

template <int N>
Ball<N> Ball<N>::widened_by(UInt128 more, std::int64_t at_exponent) const {
  Ball result = *this;
  result.error = capped(error + shifted_error(capped(more), at_exponent - exponent));
  return result;
}

// Both are brought to the larger exponent plus one, which leaves room for a carry; each shift drops less than a unit,
// and its error is rounded up. The left shift that follows a cancellation moves mantissa and error alike.
template <int N>
Ball<N> operator+(const Ball<N>& a, const Ball<N>& b) {
  const auto exponent = static_cast<std::int64_t>(select(mask_if(a.exponent > b.exponent), a.exponent, b.exponent)) + 1;
  const std::int64_t down_a = exponent - a.exponent;
  const std::int64_t down_b = exponent - b.exponent;
  const auto x = negate_if<N>(a.negative, shift_right<N>(a.mantissa, static_cast<std::uint64_t>(down_a)));
  const auto y = negate_if<N>(b.negative, shift_right<N>(b.mantissa, static_cast<std::uint64_t>(down_b)));
  // Each operand is below half of the range. With unlike signs so is the sum, and its top bit is its sign; with like
  // signs the sum may fill the range and has the sign of both.
  const Limbs<N> sum = add<N>(x, y);
  const std::uint64_t one_sign = ~(a.negative ^ b.negative);
  const std::uint64_t negative = select(one_sign, a.negative, mask_if((sum[N - 1] >> 63) != 0));
  const UInt128 error = shifted_error(a.error, -down_a) + shifted_error(b.error, -down_b) + 2;
  return normalised<N>(negate_if<N>(negative, sum), exponent, capped(error), negative);
}

// (m1 +- e1)(m2 +- e2) is within m1 e2 + m2 e1 + e1 e2 of m1 m2; over 2^(64 N) that is at most e1 + e2 + e1/32, since
// e2 < 2^123. The rest of the product that is dropped counts for one unit more. Exactly zero stays so.
template <int N>
Ball<N> operator*(const Ball<N>& a, const Ball<N>& b) {
  const UInt128 error = a.error + b.error + (a.error >> 5) + 3;
  const std::uint64_t zero = (mask_if(a.mantissa[N - 1] == 0) & mask_if(a.error == 0)) |
                             (mask_if(b.mantissa[N - 1] == 0) & mask_if(b.error == 0));
  return normalised<N>(multiply_high<N>(a.mantissa, b.mantissa), a.exponent + b.exponent,
                       select_error(zero, 0, capped(error)), a.negative ^ b.negative);
}

// With d = e/m <= 1/16 the reciprocal is off by a share d / (1 - d) <= 16/15 d, which is at most 2 e 16/15 units since
// its mantissa times m is half of 2^(128 N). The reciprocal itself is at most 16 units of the mantissa low.
template <int N>
Ball<N> operator/(const Ball<N>& a, const Ball<N>& b) {
  const UInt128 error = capped(2 * b.error + (b.error >> 2) + 18);
  const Ball<N> inverse =
      normalised<N>(shift_left_bits<N>(reciprocal<N>(b.mantissa), 1), 1 - b.exponent, error, b.negative);
  return a * inverse;
}

// |sqrt(1 +- d) - 1| <= 0.51 d; mantissa of the root over m is at most 1.42, so e carries over at most whole. The root
// itself is b y with y at most 27 * 4 units low, and loses less than 4 to the shift.
template <int N>
Ball<N> sqrt(const Ball<N>& x) {
  const auto odd = static_cast<std::int64_t>(x.exponent & 1);
  const Limbs<N> b = shift_right<N>(x.mantissa, static_cast<std::uint64_t>(odd));
  const Limbs<N> root = shift_left_bits<N>(multiply_high<N>(b, reciprocal_root<N>(b)), 2);
  return normalised<N>(root, (x.exponent + odd) / 2, capped(x.error + 128), 0);
}

// ln(2^k m) = k ln 2 + 2 atanh(s) with s = (m - 1)/(m + 1) and m between the roots of 1/2 and 2, so s^2 < 0.03. The
// middle's logarithm comes with the errors of these steps; a share d <= 1/16 of x adds at most 1.04 d <= 2.2 e units of
// 2^(-64 N).
template <int N>
Ball<N> log(const Ball<N>& x) {
  constexpr std::uint64_t kRootOfHalf = 0xB504F333F9DE6484;
  const std::uint64_t low_half = mask_if(x.mantissa[N - 1] < kRootOfHalf);
  Ball<N> m = middle(x);
  m.negative = 0;
  m.exponent = static_cast<std::int64_t>(low_half & 1);
  const Ball<N> s = (m - one<N>()) / (m + one<N>());
  const Ball<N> square = s * s;
  // The square's error (at most 2^-4 of it) moves the sum, whose slope is below 1/4, by less than the error itself.
  const Limbs<N> sum = sum_series<N, false>(tables<N>().atanh, to_fraction(square));
  const Ball<N> series =
      normalised<N>(sum, 0, kSeriesError + 2, 0).widened_by(square.error, square.exponent);  // atanh(s) / 2s
  const Ball<N> powers = Ball<N>(x.exponent - m.exponent) * tables<N>().log_two;
  return (powers + (s * series).scaled(2)).widened_by(2 * x.error + (x.error >> 2) + 1, 0);
}

// exp(x) = 2^k exp(f ln 2) with k + f = x / ln 2. An absolute error d <= 1/16 of x / ln 2 changes the result by a share
// of at most exp(d ln 2) - 1 < d.
template <int N>
Ball<N> exp(const Ball<N>& x) {
  const Ball<N> t = x * tables<N>().inverse_log_two;
  const std::uint64_t in_range = mask_if(t.exponent < 60);
  Limbs<N + 1> wide{};
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) wide[i + 1] = t.mantissa[i];
  wide = shift_right<N + 1>(wide, select(in_range, static_cast<std::uint64_t>(64 - t.exponent), 64));
  wide = negate_if<N + 1>(t.negative, wide);
  Limbs<N> fraction;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) fraction[i] = wide[i];
  const Limbs<N> f = multiply_high<N>(fraction, tables<N>().log_two_fraction);  // less than 2 units low
  const Limbs<N> half_exp = sum_series<N, false>(tables<N>().exp, f);           // slope below 1: 2 units more
  Ball<N> result = normalised<N>(half_exp, static_cast<std::int64_t>(wide[N]) + 1, kSeriesError + 4, 0);
  result = result.widened_by(t.error + 1, result.exponent + t.exponent);
  result.error = select_error(in_range, result.error, kUnknown);
  return result;
}

template <int N>
Ball<N> expm1(const Ball<N>& x) {
  return exp(x) - one<N>();
}

// With w = min(x, 1 - x), h = pi w / 2 and q = sin(h)^2:  cos(2 pi x) = cos(4 h) = 1 - 8 q (1 - q). The slope in x is
// at most 2 pi < 6.5.
template <int N>
Ball<N> cos_two_pi(const Ball<N>& x) {
  const Ball<N> v = middle(x);
  const Ball<N> h = select(mask_if(v.exponent < 0), v, one<N>() - v) * tables<N>().half_pi;
  const Ball<N> sine = half_sine(h).widened_by(h.error, h.exponent - 1);
  const Ball<N> q = (sine * sine).scaled(2);
  return (one<N>() - (q * (one<N>() - q)).scaled(3)).widened_by(6 * x.error + (x.error >> 1) + 1, x.exponent);
}

// With h = pi x / 4:  cot(2 h) = (1 - 2 sin(h)^2) / (2 sin(h) cos(h)). Both slopes are at most 1.
template <int N>
Ball<N> cot_half_pi(const Ball<N>& x) {
  const Ball<N> h = x * tables<N>().half_pi.scaled(-1);
  const Ball<N> sine = half_sine(h).widened_by(h.error, h.exponent - 1);
  const Ball<N> cosine = half_cosine(h).widened_by(h.error, h.exponent - 1);
  return (one<N>() - (sine * sine).scaled(3)) / (sine * cosine).scaled(3);
}

template <int N>
Ball<N> select(std::uint64_t mask, const Ball<N>& yes, const Ball<N>& no) {
  Ball<N> result;
  result.mantissa = select<N>(mask, yes.mantissa, no.mantissa);
  result.exponent = static_cast<std::int64_t>(
      select(mask, static_cast<std::uint64_t>(yes.exponent), static_cast<std::uint64_t>(no.exponent)));
  result.error = select_error(mask, yes.error, no.error);
  result.negative = select(mask, yes.negative, no.negative);
  return result;
}

// The two widths there are.
template struct Ball<2>;
template Ball<2> operator+(const Ball<2>&, const Ball<2>&);
template Ball<2> operator*(const Ball<2>&, const Ball<2>&);
template Ball<2> operator/(const Ball<2>&, const Ball<2>&);
template Ball<2> sqrt(const Ball<2>&);
template Ball<2> log(const Ball<2>&);
template Ball<2> exp(const Ball<2>&);
template Ball<2> expm1(const Ball<2>&);
template Ball<2> cos_two_pi(const Ball<2>&);
template Ball<2> cot_half_pi(const Ball<2>&);
template Ball<2> select(std::uint64_t, const Ball<2>&, const Ball<2>&);
template struct Ball<3>;
template Ball<3> operator+(const Ball<3>&, const Ball<3>&);
template Ball<3> operator*(const Ball<3>&, const Ball<3>&);
template Ball<3> operator/(const Ball<3>&, const Ball<3>&);
template Ball<3> sqrt(const Ball<3>&);
template Ball<3> log(const Ball<3>&);
template Ball<3> exp(const Ball<3>&);
template Ball<3> expm1(const Ball<3>&);
template Ball<3> cos_two_pi(const Ball<3>&);
template Ball<3> cot_half_pi(const Ball<3>&);
template Ball<3> select(std::uint64_t, const Ball<3>&, const Ball<3>&);

}  // namespace dither::random::detail
