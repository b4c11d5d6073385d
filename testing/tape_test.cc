#include "testing/tape.h"

#include <gtest/gtest.h>

namespace dither::testing {
namespace {

BigInterval exactly(long numerator, long denominator, long bits) { return {Rational(numerator, denominator), bits}; }

// Two bits, and a third one for 3: known by hand.
Int128 by_hand(Tape& tape) {
  const std::uint64_t first = tape.bits(2);
  return first < 3 ? static_cast<Int128>(first) : 3 + static_cast<Int128>(tape.bits(1));
}

TEST(Tape, AddsUpEveryString) {
  const TapeLaw law = enumerate(by_hand, 10);
  EXPECT_EQ(law.resolved, (std::map<Int128, std::uint64_t>{{0, 256}, {1, 256}, {2, 256}, {3, 128}, {4, 128}}));
  EXPECT_EQ(law.unresolved, 0U);
  const auto pmf = [](Int128 k, long bits) { return exactly(k < 3 ? 2 : k < 5 ? 1 : 0, 8, bits); };
  EXPECT_TRUE(follows(law, pmf, 0, 9));
  EXPECT_FALSE(follows(
      law, [](Int128 k, long bits) { return exactly(k < 5 ? 1 : 0, 5, bits); }, 0, 9));
}

// A third needs endless tapes: what is open is counted, and the law must lie within it.
TEST(Tape, CountsWhatItCannotResolve) {
  const auto third = [](Tape& tape) -> Int128 {
    for (;;) {
      if (const std::uint64_t x = tape.bits(2); x < 3) return static_cast<Int128>(x);
    }
  };
  const TapeLaw law = enumerate(third, 20);
  EXPECT_EQ(law.unresolved, 1U);  // 4^-10 of 2^20
  EXPECT_TRUE(follows(
      law, [](Int128, long bits) { return exactly(1, 3, bits); }, 0, 2));
  EXPECT_FALSE(follows(
      law, [](Int128, long bits) { return exactly(33333, 100000, bits); }, 0, 2));
  EXPECT_FALSE(follows(
      law, [](Int128, long bits) { return exactly(1, 3, bits); }, 0, 3));  // 3 never comes
}

}  // namespace
}  // namespace dither::testing
