#include "testing/printers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace dither {
namespace {

// Beyond 64 bits, so that a printer that narrows shows.
constexpr Int128 kBig = -(Int128{1} << 100) - 7;
constexpr const char* kDigits = "-1267650600228229401496703205383";

TEST(Printers, Int128InFmtGtestAndRapidCheck) {
  EXPECT_EQ(fmt::format("{}", kBig), kDigits);
  EXPECT_EQ(::testing::PrintToString(kBig), kDigits);
  EXPECT_EQ(rc::toString(kBig), kDigits);
  EXPECT_EQ(rc::toString(static_cast<UInt128>(-kBig)), kDigits + 1);
}

TEST(Printers, RationalInGtestAndRapidCheck) {
  EXPECT_EQ(::testing::PrintToString(Rational(7, 3)), "7/3");
  EXPECT_EQ(rc::toString(Rational(7, 3)), "7/3");
}

}  // namespace
}  // namespace dither
