// Real numbers of fixed width with a certified error: the fast first stage of the real laws.
#pragma once

#include <cstdint>

#include "base/rational.h"
#include "random/detail/real_limbs.h"

namespace dither::random::detail {

// The reals within error * 2^(exponent - 64 N) of  +-mantissa * 2^(exponent - 64 N).
//
// Promise    an operation on balls that hold x and y gives a ball that holds the result. A ball whose error has grown
//            to a sixteenth of it (kUnknown) promises nothing any more, and all that is made of it says so too; else
//            the sign is certain.
// Cost       the same instructions whatever the numbers are: shifts and selections instead of branches, a fixed number
//            of Newton steps and of series terms. Two limbs hold 128 bits, three 192.
// Proof      beside each operation in the sources. Errors are counted in units of the last place of the mantissa, which
//            is at least half of 2^(64 N); e stands for an error, m for a mantissa.
// Spec       W-70, W-72.
template <int N>
struct Ball {
  static constexpr UInt128 kUnknown = UInt128{1} << 123;
  static constexpr std::int64_t kExponentOfZero = -(std::int64_t{1} << 60);

  Limbs<N> mantissa{};  // top bit set; all zero for zero
  std::int64_t exponent = kExponentOfZero;
  UInt128 error = 0;
  std::uint64_t negative = 0;  // all ones or zero

  Ball() = default;
  explicit Ball(const Rational& value);
  explicit Ball(std::int64_t value);

  // A uniform number of which the first `bits` bits are known, bits < 64 N.
  static Ball uniform(const Limbs<3>& prefix, int bits);

  bool is_known() const { return error < kUnknown; }

  Ball operator-() const;
  // 2^power times this.
  Ball scaled(int power) const;
  // The same number with an error that is 2^bits times as large.
  Ball widened(int bits) const;
  // The same number with an error larger by `more` units of 2^(at_exponent - 64 N).
  Ball widened_by(UInt128 more, std::int64_t at_exponent) const;
};

template <int N>
Ball<N> operator+(const Ball<N>& a, const Ball<N>& b);
template <int N>
Ball<N> operator-(const Ball<N>& a, const Ball<N>& b) {
  return a + -b;
}
template <int N>
Ball<N> operator*(const Ball<N>& a, const Ball<N>& b);
template <int N>
Ball<N> operator/(const Ball<N>& a, const Ball<N>& b);

// The square root and the logarithm of |x|.
template <int N>
Ball<N> sqrt(const Ball<N>& x);
template <int N>
Ball<N> log(const Ball<N>& x);
template <int N>
Ball<N> exp(const Ball<N>& x);
// exp(x) - 1, no more exact than that when x is small; the error says so.
template <int N>
Ball<N> expm1(const Ball<N>& x);
// cos(2 pi x) for 0 < x < 1.
template <int N>
Ball<N> cos_two_pi(const Ball<N>& x);
// cot(pi x / 2) for 0 < x < 1.
template <int N>
Ball<N> cot_half_pi(const Ball<N>& x);

// yes where the mask is all ones, no where it is zero.
template <int N>
Ball<N> select(std::uint64_t mask, const Ball<N>& yes, const Ball<N>& no);

extern template struct Ball<2>;
extern template struct Ball<3>;

}  // namespace dither::random::detail
