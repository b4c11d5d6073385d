#include "session/released.h"

#include <gtest/gtest.h>

#include <cmath>

#include "session/plan_check.h"
#include "testing/refusal.h"

namespace dither::session {
namespace {

using testing::refusal;

// A plan with so many private keys and parts.
PricedPlan private_plan(std::size_t keys, std::size_t parts) {
  PricedPlan plan = check::laplace_plan(std::vector<std::string>(parts, "1"));
  plan.exact.keys = keys;
  return plan;
}

// Spec: D-62
TEST(Released, EveryCellComesBackBitForBit) {
  const PricedPlan plan = private_plan(2, 2);
  Released released;
  for (const Cell& cell :
       {Cell{}, Cell{false}, Cell{true}, Cell{std::int64_t{INT64_MIN}}, Cell{std::int64_t{5}}, Cell{0.1}, Cell{-0.0},
        Cell{INFINITY}, Cell{5e-324}, Cell{std::string()}, Cell{std::string("a \"b\" \n\0 \u00e4", 11)},
        Cell{std::string("\xff\xc0")}, Cell{std::string("i5")}}) {
    released.keys.push_back({cell, std::string("x")});
  }
  for (int part = 0; part < 2; ++part) {
    released.parts.emplace_back(released.keys.size(), part == 0 ? kInt128Min : kInt128Max);
  }
  const std::string text = stored_text(plan, released);
  const Released again = released_from(plan, text);
  EXPECT_EQ(again, released);
  EXPECT_EQ(stored_text(plan, again), text);
  EXPECT_TRUE(std::signbit(std::get<double>(again.keys[6][0])));
}

TEST(Released, NotANumberIsAKeyToo) {
  const PricedPlan plan = private_plan(1, 1);
  const Released released{{{std::nan("")}}, {{7}}};
  const Released again = released_from(plan, stored_text(plan, released));
  EXPECT_TRUE(std::isnan(std::get<double>(again.keys[0][0])));
}

TEST(Released, TheTextIsWhatTheHeaderSays) {
  EXPECT_EQ(stored_text(private_plan(1, 1), {{{std::string("a")}, {std::int64_t{-3}}}, {{5, -6}}}),
            R"({"format":1,"keys":[["ta"],["i-3"]],"parts":["5 -6"]})");
  EXPECT_EQ(stored_text(private_plan(2, 0), {{{Cell{}, 1.5}, {true, std::string("\xff")}}, {}}),
            R"({"format":1,"keys":[[null,"r3ff8000000000000"],[true,"xff"]],"parts":[]})");
  PricedPlan listed = private_plan(1, 1);
  listed.exact.public_keys = {{Cell{true}}, {Cell{}}};
  EXPECT_EQ(stored_text(listed, {*listed.exact.public_keys, {{1, 2}}}), R"({"format":1,"keys":null,"parts":["1 2"]})");
  EXPECT_EQ(released_from(listed, R"({"format":1,"keys":null,"parts":["1 2"]})").keys, *listed.exact.public_keys);
  EXPECT_EQ(stored_text(private_plan(0, 1), {{{}}, {{9}}}), R"({"format":1,"keys":null,"parts":["9"]})");
}

// Also what another reader would forgive.
TEST(Released, OtherTextIsRefused) {
  const PricedPlan plan = private_plan(1, 1);
  EXPECT_EQ(refusal([&] { released_from(plan, R"({"format":2,"keys":[],"parts":[""]})"); }), Code::ledger_newer);
  EXPECT_EQ(refusal([&] { released_from(plan, R"({"format":1,"keys":[],"parts":[""]})"); }), std::nullopt);
  EXPECT_EQ(refusal([&] { released_from(plan, R"({"format":1,"keys":[["i1"]],"parts":["1"]})"); }), std::nullopt);
  for (const char* text : {
           "",
           "[]",
           "5",
           R"({"format":"1","keys":[],"parts":[""]})",
           R"({"format":1,"parts":[""]})",
           R"({"format":1,"keys":[],"parts":[]})",
           R"({"format":1,"keys":[],"parts":["",""]})",
           R"({"format":1,"keys":[],"parts":["1"]})",
           R"({"format":1,"keys":[["i1"]],"parts":[""]})",
           R"({"format":1,"keys":[["i1"]],"parts":[1]})",
           R"({"format":1,"keys":[["i01"]],"parts":["1"]})",
           R"({"format":1,"keys":[["i1"]],"parts":["1 "]})",
           R"({"format":1,"keys":[["i1"]],"parts":[" 1"]})",
           R"({"format":1,"keys":[["i1"]],"parts":["1 2"]})",
           R"({"format":1,"keys":[["i1"]],"parts":["1x"]})",
           R"({"format":1,"keys":[["i1",true]],"parts":["1"]})",
           R"({"format":1,"keys":[["z1"]],"parts":["1"]})",
           R"({"format":1,"keys":[[""]],"parts":["1"]})",
           R"({"format":1,"keys":[[5]],"parts":["1"]})",
           R"({"format":1,"keys":[["i99999999999999999999"]],"parts":["1"]})",
           R"({"format":1,"keys":[["r3ff8"]],"parts":["1"]})",
           R"({"format":1,"keys":[["x61"]],"parts":["1"]})",
           R"({"format":1,"keys":[["i1"]],"parts":["+1"]})",
           R"({"format":1,"keys":["i1"],"parts":["1"]})",
           R"({"format":1,"keys":[[null]],"parts":["1"],"more":1})",
           R"({"format":1, "keys":[],"parts":[""]})",
           R"({"keys":[],"format":1,"parts":[""]})",
           R"({"format":1,"keys":null,"parts":[""]})",
       }) {
    EXPECT_EQ(refusal([&] { released_from(plan, text); }), Code::ledger_damaged) << text;
  }
}

}  // namespace
}  // namespace dither::session
