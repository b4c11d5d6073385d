// How much longer texts become: what is derived from the function table, beside what functions really give.
#include "engine/detail/text_growth.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "plan/functions.h"

namespace dither::engine {
namespace {

using plan::Type;

plan::Facts fact(Type type) {
  plan::Facts facts;
  facts.type = type;
  return facts;
}

plan::Expression text(const std::string& value) { return plan::constant({Type::text, Cell(value)}); }
plan::Expression number(std::int64_t value) { return plan::constant({Type::integer, Cell(value)}); }

// Every function that gives text, of columns alone and of columns and constants, where the constants that it asks for allow it.
std::vector<plan::Expression> calls() {
  std::vector<plan::Expression> result;
  for (const plan::Function& function : plan::all_functions()) {
    if (function.gives != Type::text || function.constants > 0) continue;
    for (const bool constants : {false, true}) {
      std::vector<plan::Expression> arguments;
      for (std::size_t i = 0; i < function.takes.size(); ++i) {
        const Type type = function.takes[i];
        const bool constant = constants && i > 0;
        if (constant && type == Type::text) {
          arguments.push_back(text(i == 1 ? "ab" : "twelve bytes"));
        } else if (constant && type == Type::integer) {
          arguments.push_back(number(40));
        } else {
          arguments.push_back(plan::column(i, type));
        }
      }
      const plan::Expression e = plan::call(function, arguments);
      if (std::holds_alternative<plan::Expression::Call>(e.content())) result.push_back(e);
    }
  }
  return result;
}

std::vector<plan::Facts> columns_for(const plan::Expression& e) {
  std::vector<plan::Facts> columns(8, fact(Type::text));
  const auto& call = std::get<plan::Expression::Call>(e.content());
  for (const plan::Expression& argument : call.arguments) {
    if (const auto* column = std::get_if<plan::Expression::Column>(&argument.content())) {
      columns[column->position] = fact(argument.type());
    }
  }
  return columns;
}

std::size_t bytes_of(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? 0 : text->size();
}

// A row whose texts are all this one.
std::vector<Cell> row_of(const std::vector<plan::Facts>& columns, const std::string& value) {
  std::vector<Cell> row;
  for (const plan::Facts& column : columns) {
    row.emplace_back();
    if (column.type == Type::text) row.back() = value;
    if (column.type == Type::integer) row.back() = std::int64_t{60};
    if (column.type == Type::boolean) row.back() = true;
  }
  return row;
}

// How many results are longer than the growth says, its slopes multiplied by `slopes`: of texts of all lengths up to 70, of
// letters that grow in upper and lower case, and of what constants look for.
int longer_than_said(double slopes) {
  const std::vector<std::string> pieces = {"a",
                                           "ab",
                                           "\xc8\xba",
                                           "ab ",
                                           "\xc4\xb0",
                                           "\xe1\xba\x9e",
                                           "bab",
                                           "\xc5\xbf"
                                           "ab",
                                           "\xf0\x9f\x8e\x88"};
  int longer = 0;
  for (const plan::Expression& e : calls()) {
    const std::vector<plan::Facts> columns = columns_for(e);
    const detail::Growth growth = detail::growth_of(e, columns);
    for (const std::string& piece : pieces) {
      for (std::string value; value.size() <= 70; value += piece) {
        const std::vector<Cell> row = row_of(columns, value);
        double most = growth.fixed;
        for (const auto& [column, times] : growth.times)
          most += slopes * times * static_cast<double>(bytes_of(row[column]));
        longer += static_cast<double>(bytes_of(evaluate(e, row))) > most ? 1 : 0;
      }
    }
  }
  return longer;
}

TEST(TextGrowth, HoldsForEveryFunctionThatGivesText) {
  EXPECT_GT(calls().size(), 20u);
  EXPECT_EQ(longer_than_said(1), 0);
}
TEST(TextGrowth, PlantedSlopesThatAreTooSmallAreCaught) { EXPECT_GT(longer_than_said(0.5), 0); }

// What most statements do costs no more than the text itself, so that large sources are not refused for it.
TEST(TextGrowth, IsSmallWhereTextsStayAsLong) {
  const std::vector<plan::Facts> columns = {fact(Type::text), fact(Type::text)};
  const plan::Expression note = plan::column(0, Type::text);
  const auto times = [&](const char* name, std::vector<plan::Expression> arguments) {
    const detail::Growth growth =
        detail::growth_of(plan::call(plan::function_named(name), std::move(arguments)), columns);
    EXPECT_LE(growth.fixed, 64) << name;
    return growth.times.count(0) > 0 ? growth.times.at(0) : 0;
  };
  EXPECT_LE(times("lower", {note}), 3);
  EXPECT_LE(times("rtrim", {note}), 1);
  EXPECT_LE(times("replace", {note, text("ab"), text("abcd")}), 2);
  EXPECT_LE(times("concat", {note, plan::column(1, Type::text)}), 1);
}

// Lengths that multiply are no slope: the largest result counts.
TEST(TextGrowth, OfLengthsThatMultiplyIsTheLargestResult) {
  const std::vector<plan::Facts> columns(3, fact(Type::text));
  const auto e = plan::call(plan::function_named("replace"),
                            {plan::column(0, Type::text), plan::column(1, Type::text), plan::column(2, Type::text)});
  const detail::Growth growth = detail::growth_of(e, columns);
  EXPECT_GE(growth.fixed, static_cast<double>(plan::kLongestText));
  EXPECT_TRUE(growth.times.empty());
}

// A column that is written twice counts twice, two columns once each.
TEST(TextGrowth, OfARowIsThatOfItsMostRepeatedColumn) {
  const std::vector<plan::Facts> columns(2, fact(Type::text));
  const plan::Expression a = plan::column(0, Type::text), b = plan::column(1, Type::text);
  EXPECT_EQ(detail::growth_of_row(std::vector{a, b}, columns).times, 1);
  EXPECT_EQ(detail::growth_of_row(std::vector{a, b, a}, columns).times, 2);
  EXPECT_GE(detail::growth_of_row(std::vector{a, text("twelve bytes")}, columns).fixed, 12);
}

}  // namespace
}  // namespace dither::engine
