// Every function of the table on DuckDB: the same answers as the evaluator, within the facts, whatever the cells.
#include "engine/facts_check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "engine/hostile_check.h"
#include "plan/row_cost.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// The first mistake; "" if there is none.
std::string mistake(FactsChecker& checker, const CheckTable& table, std::span<const CheckCase> cases,
                    Choices& choices) {
  return checker.wrong_with(table, cases, [&](std::size_t n) { return choices.below(n); }).value_or("");
}

// Every combination of hostile cells of these types, or so many of them.
CheckTable combinations(const std::vector<plan::Type>& types, std::size_t most, Choices& choices) {
  CheckTable table{types, {}};
  std::vector<std::vector<Cell>> cells;
  std::size_t count = 1;
  for (const plan::Type type : types) {
    cells.push_back(hostile_cells(type));
    count *= cells.back().size();
  }
  for (std::size_t n = 0; n < std::min(count, most); ++n) {
    std::size_t rest = n;
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const auto& list : cells) {
      row.push_back(count <= most ? list[rest % list.size()] : choices.one_of(list));
      rest /= list.size();
    }
  }
  return table;
}

// Calls of the function over columns; where it takes constants, with so many choices of them.
std::vector<plan::Expression> calls(const plan::Function& function, std::size_t arguments, Choices& choices) {
  std::vector<plan::Expression> all;
  for (int n = 0; n < (function.constants == 0 ? 1 : 12); ++n) {
    std::vector<plan::Expression> given;
    for (std::size_t i = 0; i < arguments; ++i) {
      const plan::Type type = plan::argument_type(function, i);
      given.push_back(i + function.constants < arguments ? plan::column(i, type)
                                                         : plan::constant({type, random_cell(choices, type)}));
    }
    if (const auto call = called(function, given)) all.push_back(*call);
  }
  return all;
}

// Spec: W-05
TEST(EngineFacts, EveryFunctionMeansTheSameOnDuckDb) {
  FactsChecker checker;
  Choices choices(testing::run_seed());
  for (const plan::Function& function : plan::all_functions()) {
    const std::size_t arguments = function.takes.size() + (function.variadic ? 1 : 0);
    std::vector<plan::Type> types;
    for (std::size_t i = 0; i + function.constants < arguments; ++i) types.push_back(plan::argument_type(function, i));
    const CheckTable table = combinations(types, 700, choices);
    std::vector<CheckCase> cases;
    for (const plan::Expression& call : calls(function, arguments, choices)) cases.push_back(make_case(call, table));
    EXPECT_EQ(mistake(checker, table, cases, choices), "") << function.name;
  }
}

CheckTable random_table(Choices& choices, std::size_t rows, Cell (*cell)(Choices&, plan::Type)) {
  CheckTable table{hostile_columns(), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const plan::Type type : table.types) row.push_back(cell(choices, type));
  }
  return table;
}

TEST(EngineFacts, RandomExpressionsMeanTheSameOnDuckDb) {
  FactsChecker checker;
  Choices choices(testing::run_seed());
  for (int batch = 0; batch < (nightly() ? 3000 : 12); ++batch) {
    const bool logic = batch % 4 == 0;
    const CheckTable table = random_table(choices, 60, logic ? simple_cell : random_cell);
    std::vector<CheckCase> cases;
    for (int i = 0; i < 16; ++i) {
      const auto type = logic ? plan::Type::boolean : static_cast<plan::Type>(choices.below(6));
      cases.push_back(make_case(random_expression(choices, type, 1 + static_cast<int>(choices.below(4)),
                                                  logic ? functions_of_logic() : every_function()),
                                table));
    }
    ASSERT_EQ(mistake(checker, table, cases, choices), "") << "batch " << batch;
  }
}

// What is touched for one row, call by call: never more than is reckoned from facts (plan/row_cost.h).
Int128 touched(const plan::Expression& expression, const std::vector<Cell>& row) {
  const auto* call = std::get_if<plan::Expression::Call>(&expression.content());
  if (call == nullptr) return 0;
  const auto size = [&](const plan::Expression& one) {
    const Cell cell = plan::evaluate(one, row);
    const auto* text = std::get_if<std::string>(&cell);
    return one.type() != plan::Type::text ? Int128{8}
                                          : Int128{16} + (text == nullptr ? 0 : static_cast<Int128>(text->size()));
  };
  Int128 sum = plan::kEachCall + size(expression),
         shortest = size(call->arguments.empty() ? expression : call->arguments[0]);
  for (const plan::Expression& argument : call->arguments) shortest = std::min(shortest, size(argument));
  const bool compares =
      call->function->group == "comparison" && call->arguments.size() == 2;  // as far as the shorter one goes
  for (const plan::Expression& argument : call->arguments) {
    sum += (compares ? shortest : size(argument)) + touched(argument, row);
  }
  return sum;
}

// The first row that takes more than is claimed; "" if there is none.
std::string dear_row(const plan::Expression& expression, const CheckTable& table) {
  for (int how = 0; how < 4; ++how) {
    const Int128 claimed = plan::evaluation_work(expression, table.facts(how));
    for (const auto& row : table.rows) {
      const Int128 found = touched(expression, row);
      if (found > claimed)
        return expression.text().substr(0, 500) + ": " + to_string(found) + " > " + to_string(claimed);
    }
  }
  return "";
}

TEST(EngineFacts, NoRowTakesMoreThanItsExpressionSays) {
  Choices choices(testing::run_seed());
  for (int batch = 0; batch < (nightly() ? 2000 : 20); ++batch) {
    const CheckTable table = random_table(choices, 8, random_cell);
    for (int i = 0; i < 16; ++i) {
      const auto type = static_cast<plan::Type>(choices.below(6));
      const plan::Expression expression =
          random_expression(choices, type, 1 + static_cast<int>(choices.below(3)), every_function());
      ASSERT_EQ(dear_row(expression, table), "");
    }
  }
}

TEST(EngineFacts, PlantedLengthThatIsTooShortMakesDearRows) {
  static plan::Function wrong = plan::function_named("repeat");
  const plan::Expression times = plan::constant({plan::Type::integer, std::int64_t{3}});
  const CheckTable table = {{plan::Type::text}, {{Cell{std::string("abc")}}}};
  const plan::Expression text = plan::column(0, plan::Type::text);
  EXPECT_EQ(dear_row(plan::call(wrong, {text, times}), table), "");
  wrong.longest = [](std::span<const plan::Facts> known) { return known[0].longest; };
  EXPECT_NE(dear_row(plan::call(wrong, {text, times}), table), "");
}

// What it gives in some row: a constant that is worth comparing with.
plan::Expression value_among(const plan::Expression& call, const CheckTable& table, Choices& choices) {
  return plan::constant({call.type(), plan::evaluate(call, choices.one_of(table.rows))});
}

// Optimisers turn comparisons of a call with a constant round: x + 1 = 5 into x = 4.
TEST(EngineFacts, EveryFunctionBesideAConstantMeansTheSameOnDuckDb) {
  FactsChecker checker;
  Choices choices(testing::run_seed());
  for (const plan::Function& function : plan::all_functions()) {
    std::vector<plan::Type> types(function.takes.begin(), function.takes.end() - function.constants);
    const CheckTable table = combinations(types, 60, choices);
    std::vector<CheckCase> cases;
    for (const plan::Expression& call : calls(function, function.takes.size(), choices)) {
      for (const char* comparison : {"=", "<", ">", "is not distinct from", "in"}) {
        std::vector<plan::Expression> arguments = {call, value_among(call, table, choices)};
        for (int i = 0; comparison == std::string("in") && i < 4; ++i) {
          arguments.push_back(value_among(call, table, choices));
        }
        cases.push_back(make_case(plan::resolve(comparison, arguments), table));
      }
      if (cases.size() >= 10) break;
    }
    EXPECT_EQ(mistake(checker, table, cases, choices), "") << function.name;
  }
}

TEST(EngineFacts, ShapesThatOptimisersRewriteMeanTheSameOnDuckDb) {
  FactsChecker checker;
  Choices choices(1);
  const plan::Expression x = plan::column(2, plan::Type::integer), y = plan::column(3, plan::Type::integer);
  const auto is_null = [](const plan::Expression& e) { return plan::resolve("is null", {e}); };
  const auto number = [](std::int64_t n) { return plan::constant({plan::Type::integer, n}); };
  const plan::Expression equal = plan::resolve("=", {x, y});
  const CheckTable table = random_table(choices, 60, simple_cell);
  std::vector<CheckCase> cases;
  for (const plan::Expression& shape :
       {plan::resolve("or", {equal, plan::resolve("and", {is_null(x), is_null(y)})}),
        plan::resolve("is null", {plan::resolve("or", {equal, plan::resolve("and", {is_null(x), is_null(y)})})}),
        plan::resolve(
            "in", {x, number(0), number(1), number(7), number(INT64_MIN), plan::constant({plan::Type::integer, {}})}),
        plan::resolve("not in", {plan::resolve("coalesce", {x, y}), number(0), number(5), number(7)}),
        plan::resolve("and", {plan::resolve("<", {x, y}), plan::resolve("<", {y, x})}),
        plan::resolve("case", {equal, plan::resolve("/", {x, y}), plan::resolve("%", {y, x})}),
        plan::resolve("=",
                      {plan::resolve("nullif", {x, y}), plan::constant({plan::Type::integer, std::int64_t{1}})})}) {
    cases.push_back(make_case(shape, table));
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(mistake(checker, table, cases, choices), "");
}

// As deep as an expression may be.
TEST(EngineFacts, DeepExpressionsRun) {
  const plan::Expression x = plan::column(0, plan::Type::integer);
  plan::Expression sum = x, chain = x;
  for (std::size_t i = 2; i < plan::kMostDepth; ++i) {
    const plan::Expression number = plan::constant({plan::Type::integer, static_cast<std::int64_t>(i)});
    sum = plan::resolve("+", {sum, number});
    chain = plan::resolve("case", {plan::resolve("<", {x, number}), number, chain});
  }
  const detail::Database database({});
  detail::Connection connection(database);
  const std::vector<std::string> names = {"x"};
  const std::vector<Cell> row = {std::int64_t{5}};
  for (const plan::Expression& deep : {sum, chain}) {
    const std::string sql = plan::spell(deep, plan::Dialect::duckdb, names);
    const auto rows = connection.query(fmt::format("SELECT {} FROM (SELECT CAST(5 AS BIGINT) AS x)", sql)).rows();
    EXPECT_EQ(rows[0][0], plan::evaluate(deep, row));
  }
}

// Moments of files that know their zone are those of UTC, wherever the machine is.
TEST(EngineFacts, ZonesOfTheMachineDoNotMatter) {
  const char* before = std::getenv("TZ");
  const std::string zone = before == nullptr ? "" : before;
  setenv("TZ", "America/New_York", 1);
  const detail::Database database({});
  detail::Connection connection(database);
  const auto rows = connection.query("SELECT CAST(TIMESTAMPTZ '2024-01-01 00:00:00+00' AS TIMESTAMP)").rows();
  before == nullptr ? unsetenv("TZ") : setenv("TZ", zone.c_str(), 1);
  EXPECT_EQ(rows[0][0], Cell{std::int64_t{1704067200000000}});
}

// Twins: the same check finds a spelling that means something else, and a fact that is too narrow.
class PlantedFacts : public ::testing::Test {
 protected:
  // What the checker says of this call over hostile cells, once it is spoiled.
  bool caught(std::string_view name, const std::function<void(CheckCase&)>& spoil) {
    Choices choices(1);
    const plan::Function& function = plan::function_named(name);
    const CheckTable table = combinations(function.takes, 2000, choices);
    std::vector<CheckCase> cases;
    for (const plan::Expression& call : calls(function, function.takes.size(), choices)) {
      cases.push_back(make_case(call, table));
    }
    EXPECT_EQ(mistake(checker_, table, cases, choices), "");
    spoil(cases[0]);
    return !mistake(checker_, table, cases, choices).empty();
  }
  bool spelled(std::string_view name, const std::string& sql) {
    return caught(name, [&](CheckCase& one) { one.sql = sql; });
  }

  FactsChecker checker_;
};

TEST_F(PlantedFacts, PlantedWrongSpellingsAreCaught) {
  EXPECT_TRUE(spelled("lower", "lower(c0)"));                                // of all letters, not those of ASCII
  EXPECT_TRUE(spelled("integer_of_text", "TRY_CAST(c0 AS BIGINT)"));         // reads 1e5, 0x10, 1_000
  EXPECT_TRUE(spelled("integer_of_real", "TRY_CAST(round(c0) AS BIGINT)"));  // halves away from 0
  EXPECT_TRUE(spelled("length", "length_grapheme(c0)"));                     // characters that people see
  EXPECT_FALSE(spelled("less_real", "(c1 > c0)"));                           // the same
  EXPECT_TRUE(spelled("length", "CAST(length(c0) AS INTEGER)"));             // another type
  EXPECT_TRUE(
      spelled("length", "CAST(length(c0) + rowid * 0 + (count(*) OVER ()) // 1000 AS BIGINT)"));  // of other rows
}

TEST_F(PlantedFacts, PlantedFailuresAreCaught) {
  EXPECT_TRUE(spelled("add_integer", "(c0 + c1)"));
  EXPECT_TRUE(spelled("sqrt", "sqrt(c0)"));
  EXPECT_TRUE(spelled("date_of_text", "CAST(c0 AS DATE)"));
  EXPECT_TRUE(spelled("sqrt", "(CASE WHEN c0 >= 0 OR isnan(c0) THEN sqrt(c0) END)"));
}

TEST_F(PlantedFacts, PlantedWrongFactsAreCaught) {
  EXPECT_TRUE(caught("integer_of_text", [](CheckCase& one) { one.claims[3].nullable = false; }));
  EXPECT_TRUE(caught("abs_real", [](CheckCase& one) { one.claims[2].range = plan::Range{1, 2}; }));
  EXPECT_TRUE(caught("coalesce_real", [](CheckCase& one) { one.claims[3].finite = true; }));
  EXPECT_TRUE(caught("not", [](CheckCase& one) { one.claims[0].values->pop_back(); }));
}

}  // namespace
}  // namespace dither::engine
