#include "show/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace dither::show {
namespace {

TEST(Json, KeysStayInOrder) {
  Json value;
  value["zebra"] = 1;
  value["ant"] = 2;
  value["mole"] = Json::array({1, "x"});
  EXPECT_EQ(json_line(value), R"({"zebra":1,"ant":2,"mole":[1,"x"]})");
  EXPECT_EQ(json_pretty(Json{{"b", 1}, {"a", 2}}), "{\n  \"b\": 1,\n  \"a\": 2\n}");
}

TEST(Json, IntegersAreNumbersAsLongAsEveryReaderHoldsThem) {
  const Int128 safe = Int128{1} << 53;
  EXPECT_EQ(json_line(json_integer(0)), "0");
  EXPECT_EQ(json_line(json_integer(safe)), "9007199254740992");
  EXPECT_EQ(json_line(json_integer(-safe)), "-9007199254740992");
  EXPECT_EQ(json_line(json_integer(safe + 1)), "\"9007199254740993\"");
  EXPECT_EQ(json_line(json_integer(-safe - 1)), "\"-9007199254740993\"");
  EXPECT_EQ(json_line(json_integer(kInt128Min)), "\"-170141183460469231731687303715884105728\"");
}

RC_GTEST_PROP(Json, RealsReadBackBitByBit, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const double back = nlohmann::json::parse(json_line(json_real(value))).get<double>();
  RC_ASSERT(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value + 0.0));  // -0.0 is 0
}

TEST(Json, RealsAtTheEdges) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.1, 1e22, 5e-324, Limits::max(), Limits::min(), -0.0, 123456789.0}) {
    const double back = nlohmann::json::parse(json_line(json_real(value))).get<double>();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value + 0.0)) << value;
  }
  EXPECT_EQ(json_line(json_real(Limits::quiet_NaN())), "\"nan\"");
  EXPECT_EQ(json_line(json_real(-0.0)), "0.0");
  EXPECT_EQ(json_line(json_real(Limits::infinity())), "\"inf\"");
  EXPECT_EQ(json_line(json_real(-Limits::infinity())), "\"-inf\"");
}

TEST(Json, RationalsAreText) { EXPECT_EQ(json_line(json_rational(Rational(2, 6))), "\"1/3\""); }

TEST(Json, NoBytesCanMakeItFail) { EXPECT_EQ(json_line(Json("a\xff\n")), "\"a\uFFFD\\n\""); }

}  // namespace
}  // namespace dither::show
