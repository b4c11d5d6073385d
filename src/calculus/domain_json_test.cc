#include "calculus/domain_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

std::vector<Domain> samples() {
  TableDomain table{{{"unit", CellType::text},
                     {"age", CellType::integer, false, false, bounds(Rational(-1, 3), 120)},
                     {"x", CellType::real, true, true, {}, {Cell(-0.0), Cell(std::nan("")), Cell(1e300)}},
                     {"any \"kind\"",
                      CellType::boolean,
                      true,
                      false,
                      {},
                      {Cell(), Cell(true), Cell("\u00e9"), Cell(std::numeric_limits<std::int64_t>::min())}}}};
  table.rows = 0;
  table.rows_per_unit = ~std::uint64_t{0};
  table.keys_per_unit = 7;
  return {table,
          TableDomain{},
          TablesDomain{},
          TablesDomain{{table, {}}},
          VectorDomain{},
          VectorDomain{3, Rational(1, 100), bounds(-5, 5)},
          RealsDomain{},
          RealsDomain{2, true, bounds(0, 1)},
          KeyedDomain{},
          KeyedDomain{std::vector<std::string>{}},
          KeyedDomain{std::vector<std::string>{std::string("\0\xff", 2), "tx"}, Rational(1, 4)}};
}

// Spec: W-05, W-26
TEST(DomainJson, ReadsBackTheSameBytes) {
  for (const Domain& domain : samples()) {
    const std::string text = canonical_json(domain);
    const Domain again = domain_from_json(text);
    EXPECT_EQ(canonical_json(again), text);
    EXPECT_EQ(again.index(), domain.index());
    EXPECT_TRUE(implies(again, domain) && implies(domain, again)) << text;
  }
  for (const Domain& domain : samples()) {
    if (!std::holds_alternative<TableDomain>(domain) && !std::holds_alternative<TablesDomain>(domain)) {
      EXPECT_EQ(domain_from_json(canonical_json(domain)), domain);  // NaN in a category never equals itself
    }
  }
  EXPECT_EQ(canonical_json(VectorDomain{3, Rational(1, 100), bounds(-5, 5)}),
            R"({"vector":{"dimension":"3","step":"1/100","bounds":["-5","5"]}})");
}

TEST(DomainJson, RefusesWhatItDoesNotWrite) {
  for (const char* text :
       {"",
        "{}",
        "[]",
        "null",
        "\"table\"",
        R"({"vector":{}})",
        R"({"vector":{"step":1}})",
        R"({"vector":{"step":"1.0"}})",
        R"({"vector":{"step":"1"},"more":1})",
        R"({"vector":{"step":"1","more":"1"}})",
        R"( {"vector":{"step":"1"}})",
        R"({"vector":{"dimension":"-1","step":"1"}})",
        R"({"vector":{"dimension":"99999999999999999999","step":"1"}})",
        R"({"vector":{"dimension":"01","step":"1"}})",
        R"({"vector":{"step":"1/0"}})",
        R"({"vector":{"step":"1","bounds":["0"]}})",
        R"({"vector":{"step":"1","bounds":["0","1","2"]}})",
        R"({"vector":{"step":"1"},"vector":{"step":"1"}})",
        R"({"table":[]})",
        R"({"table":{"columns":{}}})",
        R"({"table":{"columns":[{"name":"x","type":"number","nullable":true}]}})",
        R"({"table":{"columns":[{"name":"x","type":"real","nullable":true,"finite":false}]}})",
        R"({"table":{"columns":[{"name":"x","type":"real","nullable":true,"categories":[]}]}})",
        R"({"table":{"columns":[{"name":"x","type":"real","nullable":true,"categories":[{"real":"0"}]}]}})",
        R"({"keyed":{"keys":["0"],"step":"1"}})",
        R"({"keyed":{"keys":["0g"],"step":"1"}})",
        R"({"keyed":{"keys":["AB"],"step":"1"}})",
        R"({"reals":{"finite":1}})"}) {
    EXPECT_EQ(refusal([&] { domain_from_json(text); }), Code::bad_syntax) << text;
  }
  EXPECT_EQ(refusal([] { domain_from_json(std::string(1'000'000, '[')); }), Code::bad_syntax);
  EXPECT_EQ(refusal([] { canonical_json(TableDomain{{{"\xff", CellType::text}}}); }), Code::bad_syntax);
}

TEST(DomainJson, RefusesDomainsThatAreNone) {
  EXPECT_EQ(refusal([] { domain_from_json(R"({"vector":{"step":"0"}})"); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { domain_from_json(R"({"vector":{"step":"1","bounds":["1","0"]}})"); }), Code::bad_bounds);
  EXPECT_EQ(refusal([] { domain_from_json(R"({"keyed":{"keys":["62","61"],"step":"1"}})"); }), Code::duplicate_key);
}

}  // namespace
}  // namespace dither::calculus
