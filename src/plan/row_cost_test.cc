#include "plan/row_cost.h"

#include <gtest/gtest.h>

#include <functional>

#include "plan/functions.h"
#include "plan/project_check.h"

namespace dither::plan {
namespace {

const std::string kTables = R"(  visits:
    source: visits.csv
    unit: person
    columns:
      person: {type: integer}
      note: {type: text}
      code: {type: text, max_length: 10, outside: clamp}
      city: {type: text, keys: [a, bcd], outside: null}
  stays: {source: stays.csv, unit: person, columns: {person: {type: integer}, code: {type: text, max_length: 10, outside: null}}}
  offers:
    source: offers.csv
    public: true
    multiplicity: {code: 1000}
    columns: {code: {type: text, max_length: 10, outside: null}, price: {type: integer}}
)";
constexpr std::size_t kPerson = 0, kNote = 1, kCode = 2, kCity = 3;
constexpr long kUnit = 8, kNoteSize = 16 + 65536, kCodeSize = 16 + 40, kCitySize = 16 + 3;

class RowCosts : public ::testing::Test {
 protected:
  Relation visits() const { return scan(project_, "visits"); }
  // The unit and these, over visits.
  Relation only(std::vector<Expression> columns) const {
    columns.push_back(column(kPerson, Type::integer));
    return project(visits(), std::move(columns));
  }

  Project project_ = parse_project(with_tables(kTables), "f");
  Expression note_ = column(kNote, Type::text), code_ = column(kCode, Type::text), city_ = column(kCity, Type::text);
};

Expression text(const std::string& value) { return constant({Type::text, value}); }
Expression number(std::int64_t value) { return constant({Type::integer, value}); }
Error refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return {Code::bad_argument, "not refused", ""};
}
long width(const Relation& rows) { return static_cast<long>(row_cost(rows).width); }
long work(const Relation& rows) { return static_cast<long>(row_cost(rows).work); }

// As read, as enforced, and as it is counted; only what is used.
TEST_F(RowCosts, AColumnIsReadEnforcedAndCounted) {
  EXPECT_EQ(width(only({})), 3 * kUnit);
  EXPECT_EQ(width(only({note_})), 3 * (kNoteSize + kUnit));
  EXPECT_EQ(width(only({code_})), 3 * (kCodeSize + kUnit));
  EXPECT_EQ(width(only({city_})), 3 * (kCitySize + kUnit));
  EXPECT_EQ(work(only({code_})), 3 * (kCodeSize + kUnit));
}

// What a call makes is there beside its argument; what it touches is both, and kEachCall.
TEST_F(RowCosts, ACallCountsItsArgumentsAndItsResult) {
  const long made = kCodeSize, each = static_cast<long>(kEachCall);
  const Relation lower = only({resolve("lower", {code_})});
  EXPECT_EQ(width(lower), 3 * (kCodeSize + kUnit) + made);
  EXPECT_EQ(work(lower), 3 * (kCodeSize + kUnit) + each + 2 * kCodeSize);
  const Relation kept = filter(only({code_}), resolve("=", {column(0, Type::text), text("abc")}));
  EXPECT_EQ(work(kept), 3 * (kCodeSize + kUnit) + each + 2 * (16 + 3) + 8);
}

// CASE counts all of its branches, as one row may take the dear one.
TEST_F(RowCosts, EveryBranchOfCaseCounts) {
  const auto branch = [&](const Expression& value) {
    return work(only({resolve("case", {resolve("is null", {code_}), value, text("")})}));
  };
  const Expression dear = resolve("strpos", {note_, resolve("||", {note_, text("b")})});
  EXPECT_GT(branch(resolve("cast text", {dear})), 8 * 2 * 65536);
  EXPECT_LT(branch(code_), 2000);
}

// Some spellings write an argument twice: nested, it is worked out four times.
TEST_F(RowCosts, ArgumentsCountAsOftenAsTheyAreSpelled) {
  const Expression once = resolve("concat", {code_, text("a")}), twice = resolve("concat", {once, text("a")});
  const auto alone = [&](const Expression& e) { return work(only({e})) - 3 * kUnit - 2 * kCodeSize; };
  EXPECT_GT(alone(twice), 2 * alone(once));
  const Expression listed = resolve("in", {resolve("lower", {note_}), text("a"), text("b"), text("c"), text("d")});
  EXPECT_LT(work(filter(only({code_}), resolve("=", {column(0, Type::text), text("a")}))), 1000);
  EXPECT_LT(work(only({resolve("case", {listed, text("x"), text("y")})})), 12 * 65536);
}

// What is searched or tried at every place states more than its arguments.
TEST_F(RowCosts, SearchesAndPatternsStateTheirWork) {
  const auto like = [&](const char* pattern) { return work(only({resolve("like", {note_, text(pattern)})})); };
  EXPECT_GE(like("%abc%"), 8 * 65536);
  EXPECT_LT(like("%abc%"), 12 * 65536);
  EXPECT_GE(like("%a_c%"), (8 + 3) * 65536);
  EXPECT_GE(like(("%" + std::string(2000, '_') + "b%").c_str()), 2000 * 65536);
  EXPECT_LT(like(("%" + std::string(2000, 'a') + "\\_b%").c_str()), 12 * 65536);
}

TEST_F(RowCosts, JoinsWithPublicRowsMultiply) {
  const Relation joined = join(only({code_}), scan(project_, "offers"), JoinKind::inner, {{0, 0}});
  EXPECT_GT(work(joined), 1000 * (kCodeSize + 8));
  EXPECT_LT(work(joined), 3500 * (kCodeSize + 8));
  const Relation twice = join(joined, scan(project_, "offers"), JoinKind::inner, {{0, 0}});
  EXPECT_GT(work(twice), 1'000'000 * (kCodeSize + 8));
  EXPECT_LT(width(twice), 1000);
}

TEST_F(RowCosts, KeptRowsAndUnionsCount) {
  const Relation all = only({note_});
  EXPECT_EQ(width(distinct(all)), width(all));  // the row is kept by DISTINCT instead
  EXPECT_EQ(width(union_all({all, all})), width(all));
  EXPECT_EQ(work(union_all({all, all})), 2 * work(all));
  EXPECT_GT(work(distinct(all)), work(all) + 65536);
  const Relation stays = project(scan(project_, "stays"), {column(1, Type::text), column(0, Type::integer)});
  const Relation by_unit = join(all, stays, JoinKind::inner, {{1, 1}});
  EXPECT_GT(width(by_unit), width(all));
}

// A row fits where a batch of the widest ones does: 2 GiB / 2048 = 1 MiB, and more where there is more memory.
TEST_F(RowCosts, WideRowsAreRefused) {
  const auto padded = [&](int columns) {
    std::vector<Expression> all;
    for (int i = 0; i < columns; ++i) all.push_back(resolve("lpad", {code_, number(16384 - i), text("x")}));
    return only(all);
  };
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 20, kDefault = std::uint64_t{2} << 30;
  require_row(padded(7), kSmall);
  require_row(padded(7), kDefault);
  for (const std::uint64_t memory : {kSmall, kDefault}) {
    const Error error = refusal([&] { require_row(padded(12), memory); });
    EXPECT_EQ(error.code(), Code::needs_memory);
    EXPECT_NE(error.hint().find("max_length"), std::string::npos);
  }
  require_row(padded(12), 2 * kDefault);
  EXPECT_EQ(refusal([&] { require_row(padded(2000), 16 * kDefault); }).code(), Code::needs_memory);
}

// 150 terms that each look for half of a text in all of it: what they make does not fit, nor does the work where they make nothing.
TEST_F(RowCosts, DearRowsAreRefused) {
  const auto sum_of = [&](int terms, const std::function<Expression(int)>& term) {
    Expression sum = number(0);
    for (int i = 0; i < terms; ++i) sum = resolve("+", {sum, term(i)});
    return only({sum});
  };
  const auto half_of = [](const Expression& in) {
    return [in](int i) {
      const Expression part = resolve("substring", {in, number(1), number(30000 + i)});
      return resolve("strpos", {in, resolve("||", {part, text("b")})});
    };
  };
  const auto word = [&](int i) { return resolve("strpos", {note_, text("word" + std::to_string(i))}); };
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 50;
  EXPECT_EQ(refusal([&] { require_row(sum_of(150, half_of(note_)), kLeastForBatch); }).code(), Code::needs_memory);
  for (const Relation& rows : {sum_of(150, half_of(note_)), sum_of(150, word)}) {
    const Error error = refusal([&] { require_row(rows, kPlenty); });
    EXPECT_EQ(error.code(), Code::too_long);
    EXPECT_NE(error.hint().find("max_length"), std::string::npos);
  }
  require_row(sum_of(100, word), kLeastForBatch);
  require_row(sum_of(150, half_of(code_)), kLeastForBatch);
}

// Ordinary statements about texts that nobody declared.
TEST_F(RowCosts, UndeclaredTextsWorkInOrdinaryStatements) {
  const Expression clean = resolve("lower", {resolve("trim", {note_})});
  std::vector<Expression> found;
  for (int i = 0; i < 40; ++i) {
    found.push_back(resolve("like", {note_, text("%word" + std::to_string(i) + "%")}));
  }
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
  require_row(only({clean, resolve("split_part", {note_, text(" "), number(1)})}), kSmall);
  require_row(filter(visits(), resolve("or", found)), kSmall);
  require_row(distinct(only({note_, resolve("upper", {note_})})), kSmall);
}

// What is worked out while a statement is planned is bounded too: constants, and columns of which all values are known.
TEST_F(RowCosts, DearConstantsAreRefused) {
  const auto repeated = [](const char* part, std::int64_t times) {
    return resolve("repeat", {text(part), number(times)});
  };
  EXPECT_EQ(refusal([&] { resolve("like", {repeated("a", 60000), repeated("%_a", 20000)}); }).code(), Code::too_long);
  EXPECT_EQ(std::get<Constant>(repeated("x", 1'000'000'000).content()).value, Cell{});
  EXPECT_EQ(std::get<Constant>(resolve("strpos", {repeated("a", 60000), text("b")}).content()).value,
            Cell{std::int64_t{0}});
}

TEST_F(RowCosts, LongValuesAreNotEnumerated) {
  std::vector<Facts> columns(1);
  columns[0].values.emplace();
  for (int i = 0; i < 9000; ++i) columns[0].values->push_back(Cell{std::to_string(1'000'000 + i)});
  columns[0].longest = 7;
  columns[0].nullable = false;
  const Expression key = column(0, Type::text);
  EXPECT_EQ(facts(resolve("lower", {key}), columns).values->size(), 9000U);
  EXPECT_FALSE(facts(resolve("repeat", {key, number(9000)}), columns).values.has_value());
}

// Nothing is added up beyond what counts.
TEST_F(RowCosts, NoNumberPassesItsEnd) {
  Expression deep = resolve("concat", {note_, text("a")});
  for (int i = 0; i < 12; ++i) deep = resolve("concat", {deep, deep});
  EXPECT_GT(row_cost(only({deep, deep})).work, Int128{kMostWork});
  Relation rows = only({code_});
  for (int i = 0; i < 20; ++i) rows = join(rows, scan(project_, "offers"), JoinKind::left, {{0, 0}});
  EXPECT_GT(row_cost(rows).work, Int128{kMostWork});
  EXPECT_LE(row_cost(rows).work, Int128{1} << 62);
}

}  // namespace
}  // namespace dither::plan
