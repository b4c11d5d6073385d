#include "audit/run_value.h"

#include <gtest/gtest.h>

#include <cmath>

#include "audit/text_parts.h"
#include "testing/refusal.h"

namespace dither::audit {
namespace {

using Values = std::vector<RunValue>;

TEST(RunTable, PlacesBecomeColumnsOfNumbersAndOfWords) {
  RunTable table;
  const Values values = {{.cells = {1.0, "yes"}}, {.cells = {"none"}}, {.cells = {2.0}}, {.status = "exit status 3"}};
  for (const RunValue& value : values) table.see(value);
  const Shape said = {Reading::word, Reading::number, Reading::word, Reading::word};
  const Shape shape = table.shape();
  EXPECT_EQ(Shape(shape.begin(), shape.begin() + 4), said);
  EXPECT_EQ(table.parts(), 2 * kTextParts);  // of both columns of words
  EXPECT_EQ(shape.size(), 4 + 5 + table.parts());
  const Outputs rows = table.rows(values);
  ASSERT_EQ(rows.runs(), 4);
  const std::vector<std::string> names = table.column_names();
  ASSERT_EQ(names.size(), shape.size());
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.begin() + 5),
            (std::vector<std::string>{"the status", "number 1", "word 1", "word 2", "the rest"}));
  EXPECT_EQ(names[9], "the length of word 1");
  EXPECT_EQ(names[9 + kTextParts], "the length of word 2");
  EXPECT_EQ(rows.row(0)[1], 1);
  EXPECT_TRUE(is_absent(rows.row(0)[2]));
  EXPECT_EQ(table.words().text(rows.row(0)[3]), "yes");
  EXPECT_TRUE(is_absent(rows.row(1)[1]));
  EXPECT_EQ(table.words().text(rows.row(3)[0]), "exit status 3");
}

TEST(RunTable, NaNIsAnOutputAndNotAbsent) {
  RunTable table;
  const Values values = {{.cells = {std::nan("7")}}, {.cells = {-std::nan("")}}};
  table.see(values[0]);
  const Outputs rows = table.rows(values);
  EXPECT_TRUE(std::isnan(rows.row(0)[1]));
  EXPECT_FALSE(is_absent(rows.row(0)[1]));
  EXPECT_TRUE(same(rows.row(0), rows.row(1)));
}

TEST(RunTable, WhatDoesNotFitIsMarked) {
  RunTable table;
  table.see({.cells = {1.0}});
  const Outputs rows = table.rows({{.cells = {"a word"}}, {.cells = {1.0, 2.0}}, {.cells = {5.0}}});
  EXPECT_EQ(table.words().text(rows.row(0)[0]), "unlike before");
  EXPECT_EQ(rows.row(0)[0], rows.row(1)[0]);
  EXPECT_NE(rows.row(0)[0], rows.row(2)[0]);
}

// What came too seldom to have columns is not all the same: it was one word for whatever such outputs said.
TEST(RunTable, OutputsThatDoNotFitAreToldApart) {
  RunTable table;
  table.see({.cells = {1.0}});
  const Outputs rows =
      table.rows({{.cells = {1.0, "Ada", 7.5, 2.0}}, {.cells = {1.0, "Bob", 7.5, 2.0}}, {.cells = {5.0}}});
  const std::size_t rest = 2;
  EXPECT_EQ(table.words().text(rows.row(0)[rest]), "ok, 1, \"Ada\", 7.5, 2");
  EXPECT_NE(rows.row(0)[rest], rows.row(1)[rest]);
  EXPECT_EQ(rows.row(0)[rest + 1], 4);
  EXPECT_EQ(table.words().text(rows.row(1)[rest + 2]), "Bob");
  EXPECT_EQ(rows.row(0)[rest + 3], 1);
  EXPECT_EQ(rows.row(0)[rest + 4], 2);
  for (std::size_t i = rest; i < rest + 5; ++i) EXPECT_TRUE(is_absent(rows.row(2)[i]));
}

TEST(RunTable, PartsAreOfPlacesWithMoreThanAFewWords) {
  RunTable table(2);
  for (const char* word : {"a", "b", "c"})
    table.see({.cells = {std::string(word), std::string(word == std::string("c") ? "a" : word)}});
  EXPECT_EQ(table.parts(), kTextParts);
  const std::vector<std::string> names = table.column_names();
  EXPECT_EQ(names.at(names.size() - kTextParts), "the length of word 1");
}

// An output of nothing is an output: a row like any other.
TEST(RunTable, EmptyOutputsAreRows) {
  RunTable table;
  table.see({});
  const Outputs rows = table.rows({{}, {.cells = {3.0}}});
  ASSERT_EQ(rows.runs(), 2);
  EXPECT_EQ(table.words().text(rows.row(0)[0]), "ok");
  EXPECT_FALSE(same(rows.row(0), rows.row(1)));
}

// Which word came first is not in the codes, whatever the order of rows and tables.
TEST(RunTable, TheCodeOfAWordIsThatOfItsTextAlone) {
  const Values values = {{.cells = {"apple"}}, {.cells = {"pear"}}, {.cells = {"plum"}}};
  RunTable forth, back;
  forth.see(values[0]);
  back.see(values[0]);
  const Outputs there = forth.rows(values);
  const Outputs again = back.rows({values[2], values[0], values[1]});
  EXPECT_EQ(there.row(0)[1], again.row(1)[1]);
  EXPECT_EQ(there.row(1)[1], again.row(2)[1]);
  EXPECT_EQ(there.row(2)[1], again.row(0)[1]);
  EXPECT_NE(there.row(0)[1], there.row(1)[1]);
  EXPECT_LT(there.row(0)[1], 0x1p53);
  EXPECT_EQ(forth.words().text(12345.0), std::nullopt);
}

TEST(RunTable, LongOutputsAreRefused) {
  RunTable table;
  const RunValue wide{.cells = std::vector<RunCell>(RunTable::kMostPlaces + 1, 0.0)};
  EXPECT_EQ(testing::refusal([&] { table.see(wide); }), Code::too_long);
}

}  // namespace
}  // namespace dither::audit
