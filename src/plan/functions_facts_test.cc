// Facts of every function, by enumeration: a new row of the table is covered as soon as it is there.
#include <gtest/gtest.h>

#include <set>

#include "plan/facts_check.h"

namespace dither::plan {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void expect_kept(const Function& function) {
  const std::size_t fewest = function.takes.size();
  EXPECT_EQ(first_break(function, fewest, 800).value_or(""), "");
  if (function.variadic) {
    EXPECT_EQ(first_break(function, fewest + 1, 300).value_or(""), "");
  }
}

TEST(FunctionFacts, EveryRuleHoldsOnDifficultValues) {
  for (const Function& function : all_functions()) expect_kept(function);
}

// No value may make a function throw, and strict ones never see NULL (they would throw on it).
TEST(FunctionFacts, EveryFunctionIsTotalOnRandomValues) {
  std::mt19937_64 random(11);
  const auto cell_of = [&](Type type) -> Cell {
    const Cells difficult = difficult_cells(type);
    if (random() % 3 == 0) return difficult[random() % difficult.size()];
    switch (type) {
      case Type::boolean:
        return random() % 2 == 0;
      case Type::integer:
        return static_cast<std::int64_t>(random() >> (random() % 64));
      case Type::real: {
        const std::uint64_t bits = random();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
      }
      case Type::text: {
        std::string text(random() % 12, ' ');
        for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() % 256 : '0' + random() % 64);
        return text;
      }
      case Type::date:
        return static_cast<std::int64_t>(kFirstDay + static_cast<std::int64_t>(random() % 3'652'059));
      case Type::timestamp:
        return static_cast<std::int64_t>(
            kFirstMicrosecond +
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kLastMicrosecond - kFirstMicrosecond)));
    }
    return {};
  };
  for (const Function& function : all_functions()) {
    std::vector<Facts> unknown;
    for (const Type type : function.takes) unknown.push_back(known_of(type, difficult_cells(type), 3));
    const Facts facts = facts_of_call(function, unknown);
    for (int n = 0; n < 300; ++n) {
      Cells arguments;
      for (const Type type : function.takes) arguments.push_back(cell_of(type));
      EXPECT_TRUE(keeps(facts, value_of_call(function, arguments))) << function.name;
    }
  }
}

// A row with one thing changed; the same check must find it.
Function planted(std::string_view name, void (*narrow)(std::span<const Facts>, Facts&)) {
  Function function = function_named(name);
  function.narrow = narrow;
  return function;
}

TEST(FunctionFacts, PlantedModuloThatIsNeverNullIsCaught) {  // hole 10: x % 0
  const Function wrong = planted("modulo_integer", [](auto, Facts& result) { result.nullable = false; });
  EXPECT_TRUE(first_break(wrong, 2).has_value());
}

TEST(FunctionFacts, PlantedCastThatIsNeverNullIsCaught) {  // hole 10: non-strict casts
  for (const char* name : {"integer_of_text", "integer_of_real", "date_of_text"}) {
    EXPECT_TRUE(first_break(planted(name, [](auto, Facts& result) { result.nullable = false; }), 1).has_value())
        << name;
  }
}

TEST(FunctionFacts, PlantedCutOfNanThatIsNeverNullIsCaught) {  // hole 10: cut of NaN
  const Function wrong =
      planted("width_bucket", [](auto known, Facts& result) { result.nullable = known[0].nullable; });
  EXPECT_FALSE(broken_by(wrong, {{0.5}, {0.0}, {1.0}, {whole_cell(3)}}, 0).has_value());
  EXPECT_TRUE(broken_by(wrong, {{0.5, kNan}, {0.0}, {1.0}, {whole_cell(3)}}, 0).has_value());
}

TEST(FunctionFacts, PlantedSumWithoutOverflowIsCaught) {
  const Function wrong = planted(
      "add_integer", [](auto known, Facts& result) { result.nullable = known[0].nullable || known[1].nullable; });
  EXPECT_TRUE(first_break(wrong, 2).has_value());
}

TEST(FunctionFacts, PlantedSumThatForgetsToRoundOutwardIsCaught) {
  const Function wrong = planted("add_real", [](auto known, Facts& result) {
    if (known[0].range && known[1].range) result.range = detail::sum(*known[0].range, *known[1].range);
  });
  EXPECT_TRUE(first_break(wrong, 2).has_value());
}

TEST(FunctionFacts, PlantedFiniteRealIsCaught) {  // hole 14: NaN passes through CASE
  const Function wrong = planted("case_real", [](auto known, Facts& result) {
    result = either(known[1], known[2]);
    result.values.reset();
    result.finite = true;
  });
  EXPECT_TRUE(first_break(wrong, 3).has_value());
}

TEST(FunctionFacts, PlantedClampThatForgetsTheLowerBoundIsCaught) {
  const Function wrong = planted("clamp_integer", [](auto known, Facts& result) {
    if (known[0].range && known[2].range)
      result.range = detail::overlap(*known[0].range, {known[0].range->low, known[2].range->high});
  });
  EXPECT_TRUE(first_break(wrong, 3).has_value());
}

TEST(FunctionFacts, EveryTextHasALengthRule) {
  for (const Function& function : all_functions()) {
    EXPECT_TRUE(function.gives != Type::text || function.longest != nullptr) << function.name;
  }
}

// Lengths of bytes: characters have up to four, and what is put in place of another may be longer.
TEST(FunctionFacts, PlantedLengthsThatAreTooShortAreCaught) {
  const auto wrong = [](std::string_view name, std::uint64_t (*longest)(std::span<const Facts>)) {
    Function function = function_named(name);
    function.longest = longest;
    return first_break(function, function.takes.size()).has_value();
  };
  const auto first = [](std::span<const Facts> known) { return known[0].longest; };
  EXPECT_TRUE(wrong("concatenate", first));
  EXPECT_TRUE(wrong("repeat", first));
  EXPECT_TRUE(wrong("replace", first));
  EXPECT_TRUE(wrong("rpad", first));
  for (const char* name : {"lpad", "right"}) {  // characters taken for bytes
    EXPECT_TRUE(wrong(name, [](std::span<const Facts> known) {
      const auto count = detail::range_of(known[1]);
      return count && count->high.sign() > 0 ? static_cast<std::uint64_t>(count->high.floor()) : std::uint64_t{0};
    })) << name;
  }
  EXPECT_TRUE(wrong("text_of_integer", [](std::span<const Facts>) { return std::uint64_t{19}; }));
  EXPECT_FALSE(wrong("lower", first));
}

// Narrow enough to be of use: what a steward would expect to be derived.
Facts result_of(std::string_view name, std::vector<Facts> known) { return facts_of_call(function_named(name), known); }
Facts reals(double low, double high) {
  Facts facts = detail::facts_of_values(Type::real, {low, high});
  facts.values.reset();
  facts.grid = Rational(1, 100);
  return facts;
}
Facts integers(std::int64_t low, std::int64_t high) {
  Facts facts = detail::facts_of_values(Type::integer, {low, high});
  facts.values.reset();
  return facts;
}
Facts one(const Constant& constant) { return facts_of(constant); }

TEST(FunctionFacts, LengthsAreNarrow) {
  const auto text = [](std::uint64_t longest) {
    Facts facts;
    facts.longest = longest;
    return facts;
  };
  const auto number = [](std::int64_t value) { return one({Type::integer, whole_cell(value)}); };
  const auto constant = [](const char* value) { return one({Type::text, std::string(value)}); };
  const auto longest = [](std::string_view name, std::vector<Facts> known) {
    return result_of(name, std::move(known)).longest;
  };
  EXPECT_EQ(longest("lower", {text(20)}), 20U);
  EXPECT_EQ(longest("concatenate", {text(20), text(30)}), 50U);
  EXPECT_EQ(longest("concatenate", {text(65000), text(30000)}), kLongestText);
  EXPECT_EQ(longest("substring", {text(kLongestText), number(1), number(10)}), 40U);
  EXPECT_EQ(longest("substring", {text(12), number(1), number(10)}), 12U);
  EXPECT_EQ(longest("lpad", {text(kLongestText), number(8), constant("0")}), 32U);
  EXPECT_EQ(longest("repeat", {text(20), number(3)}), 60U);
  EXPECT_EQ(longest("repeat", {text(20), number(1'000'000'000)}), kLongestText);
  EXPECT_EQ(longest("replace", {text(21), constant("ab"), constant("abcd")}), 41U);
  EXPECT_EQ(longest("replace", {text(21), constant("ab"), constant("")}), 21U);
  EXPECT_EQ(longest("coalesce_text", {text(20), constant("none")}), 20U);
  EXPECT_EQ(longest("text_of_date", {known_of(Type::date, {}, 3)}), 10U);
}

TEST(FunctionFacts, ArithmeticKeepsRangesGridsAndNotNull) {
  const Facts twice = result_of("multiply_real", {reals(0, 50), one({Type::real, 2.0})});
  EXPECT_EQ(describe(twice), "real, not NULL, 0 to 100, on steps of 0.02");
  const Facts sum = result_of("add_real", {reals(0, 50), one({Type::real, 0.5})});
  EXPECT_EQ(describe(sum), "real, not NULL, 0.5 to 50.5, on steps of 0.01");
  EXPECT_EQ(describe(result_of("divide_integer", {integers(-7, 9), integers(2, 3)})), "integer, not NULL, -3 to 4");
  EXPECT_EQ(describe(result_of("divide_integer", {integers(-7, 9), integers(0, 3)})), "integer, may be NULL, -7 to 9");
  EXPECT_EQ(describe(result_of("modulo_integer", {integers(0, 900), integers(5, 7)})), "integer, not NULL, 0 to 6");
  EXPECT_EQ(describe(result_of("abs_integer", {integers(-4, 3)})), "integer, not NULL, 0 to 4");
  EXPECT_EQ(describe(result_of("add_integer", {integers(0, 3), integers(0, INT64_MAX)})),
            "integer, may be NULL, 0 to 9223372036854775807");
}

TEST(FunctionFacts, ZeroLiesOnEveryGrid) {
  Facts yes = facts_of({Type::boolean, true});
  yes.values.reset();
  EXPECT_EQ(result_of("case_real", {yes, reals(1, 2), one({Type::real, 0.0})}).grid, Rational(1, 100));
  EXPECT_EQ(result_of("round_places", {reals(0, 9), one({Type::integer, whole_cell(1)})}).grid, Rational(1, 10));
}

TEST(FunctionFacts, ClampAndBucketsGiveBounds) {
  Facts any;
  any.type = Type::real;
  any.nullable = false;
  const Facts clamped = result_of("clamp_real", {any, one({Type::real, 0.0}), one({Type::real, 5.0})});
  EXPECT_EQ(describe(clamped), "real, may be NULL, 0 to 5");  // NaN becomes NULL
  const Facts bucket = result_of("width_bucket", {reals(0, 50), one({Type::real, 0.0}), one({Type::real, 100.0}),
                                                  one({Type::integer, whole_cell(10)})});
  EXPECT_EQ(describe(bucket), "integer, not NULL, 1 to 6");
  EXPECT_EQ(describe(result_of("bin_integer", {integers(-3, 17), one({Type::integer, whole_cell(5)})})),
            "integer, not NULL, -5 to 15");
}

TEST(FunctionFacts, TestedSetsHaveEveryTypeAndNull) {
  for (const Type type : {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp}) {
    const Cells cells = difficult_cells(type);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(cells.front()));
    Facts facts;
    facts.type = type;
    facts.longest = 70000;
    for (const Cell& cell : cells) EXPECT_TRUE(keeps(facts, cell));
  }
}

}  // namespace
}  // namespace dither::plan
