#include "plan/expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "base/error.h"
#include "plan/facts_check.h"
#include "plan/functions.h"

namespace dither::plan {
namespace {

Expression whole(std::int64_t value) { return constant({Type::integer, value}); }
Expression real(double value) { return constant({Type::real, value}); }
Expression text(std::string value) { return constant({Type::text, std::move(value)}); }
Expression null() { return constant({Type::text, {}}); }

const Expression a = column(0, Type::integer), b = column(1, Type::integer), p = column(2, Type::boolean),
                 q = column(3, Type::boolean), x = column(4, Type::real), t = column(5, Type::text);

Code code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return Code::bad_argument;
}

TEST(Expression, HasOneSpelling) {
  EXPECT_EQ(resolve(">", {a, b}), resolve("<", {b, a}));
  EXPECT_EQ(resolve(">=", {a, b}), resolve("<=", {b, a}));
  EXPECT_EQ(resolve("not", {resolve("=", {a, b})}), resolve("<>", {b, a}));
  EXPECT_EQ(resolve("not", {resolve("<", {a, b})}), resolve(">=", {a, b}));
  EXPECT_EQ(resolve("not", {resolve("not", {p})}), p);
  EXPECT_EQ(resolve("+", {a, b}), resolve("+", {b, a}));
  EXPECT_NE(resolve("-", {a, b}), resolve("-", {b, a}));
  EXPECT_EQ(resolve("between", {a, whole(1), whole(5)}),
            resolve("and", {resolve(">=", {a, whole(1)}), resolve("<=", {a, whole(5)})}));
  EXPECT_EQ(resolve("in", {a, whole(2), whole(1), whole(2)}),
            resolve("or", {resolve("=", {whole(1), a}), resolve("=", {a, whole(2)})}));
  EXPECT_EQ(resolve("is not null", {a}), resolve("not", {resolve("is null", {a})}));
  EXPECT_EQ(resolve("case", {resolve("=", {a, b}), null(), a}), resolve("nullif", {a, b}));
  EXPECT_EQ(resolve("mod", {a, b}), resolve("%", {a, b}));
}

TEST(Expression, ConjunctionsAreFlatSortedAndSayNothingTwice) {
  const Expression r = resolve("<", {a, b});
  const Expression flat = resolve("and", {p, q, r});
  EXPECT_EQ(resolve("and", {resolve("and", {r, q}), p}), flat);
  EXPECT_EQ(resolve("and", {r, resolve("and", {p, resolve("and", {q, p})})}), flat);
  EXPECT_EQ(resolve("and", {p, constant({Type::boolean, true})}), p);
  EXPECT_EQ(resolve("and", {p, constant({Type::boolean, false})}).text(), "false");
  EXPECT_EQ(resolve("or", {p, constant({Type::boolean, true})}).text(), "true");
  EXPECT_EQ(resolve("or", {p, resolve("or", {q, p})}), resolve("or", {q, p}));
}

TEST(Expression, FoldsConstants) {
  EXPECT_EQ(resolve("+", {whole(2), whole(3)}).text(), "5");
  EXPECT_EQ(resolve("/", {whole(7), whole(0)}).text(), "integer NULL");
  EXPECT_EQ(resolve("+", {a, null()}).text(), "integer NULL");
  EXPECT_EQ(resolve("case", {resolve("<", {whole(1), whole(2)}), a, b}), a);
  EXPECT_EQ(resolve("lower", {text("ABC")}).text(), "'abc'");
  EXPECT_NE(whole(1).text(), real(1).text());
}

TEST(Expression, KnowsWhatItReads) {
  const Expression e = resolve("and", {resolve("<", {b, a}), resolve("=", {b, whole(1)})});
  EXPECT_EQ(columns_of(e), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(e.depth(), 3U);
  EXPECT_EQ(e.nodes(), 7U);
  EXPECT_TRUE(columns_of(whole(1)).empty());
}

TEST(Expression, RefusesWhatIsTooDeepOrTooLong) {
  const auto nest = [](std::size_t times) {
    Expression e = a;
    for (std::size_t i = 0; i < times; ++i) e = resolve("-", {e, b});
    return e;
  };
  EXPECT_EQ(nest(kMostDepth - 1).depth(), kMostDepth);
  EXPECT_EQ(code_of([&] { nest(kMostDepth); }), Code::too_deep);
  // Twenty-five doublings would need 2^25 columns' worth of text; none of it is built.
  EXPECT_EQ(code_of([] {
              Expression e = a;
              for (int i = 0; i < 25; ++i) e = resolve("+", {resolve("*", {e, e}), e});
            }),
            Code::too_deep);
}

TEST(Expression, LongListsAreNotDeep) {
  std::vector<Expression> list = {a};
  for (int i = 0; i < 5000; ++i) list.push_back(whole(i));
  EXPECT_EQ(resolve("in", list).depth(), 3U);
}

TEST(Expression, InWords) {
  const std::vector<std::string> names = {"a", "b", "p", "q", "cost", "city"};
  const auto words = [&](const Expression& e) { return in_words(e, names); };
  EXPECT_EQ(words(resolve("<", {x, whole(5)})), "cost < 5.0");
  EXPECT_EQ(words(resolve("<>", {t, text("it's")})), "city <> 'it''s'");
  EXPECT_EQ(words(resolve(">=", {a, b})), "a >= b");
  EXPECT_EQ(words(resolve(">", {a, whole(3)})), "a > 3");
  EXPECT_EQ(words(resolve("<=", {a, whole(3)})), "a <= 3");
  EXPECT_EQ(words(resolve("between", {a, whole(1), whole(3)})), "(a >= 1) AND (a <= 3)");
  EXPECT_EQ(words(resolve("is not null", {t})), "city IS NOT NULL");
  EXPECT_EQ(words(resolve("*", {resolve("+", {a, b}), b})), "b * (a + b)");
  EXPECT_EQ(words(resolve("case", {p, a, resolve("case", {q, b, null()})})), "CASE WHEN p THEN a WHEN q THEN b END");
  EXPECT_EQ(words(resolve("coalesce", {x, a})), "COALESCE(cost, a)");
  EXPECT_EQ(words(resolve("cast text", {a})), "CAST(a AS text)");
  EXPECT_EQ(words(resolve("not like", {t, text("x%")})), "city NOT LIKE 'x%'");
  EXPECT_EQ(words(resolve("not", {p})), "NOT p");
  EXPECT_EQ(words(resolve("extract year", {column(0, Type::date)})), "EXTRACT(YEAR FROM a)");
}

// Facts of expressions.

Facts of_values(Type type, Cells cells) { return detail::facts_of_values(type, std::move(cells)); }

TEST(ExpressionFacts, ValuesOfKeysAreWorkedOut) {
  Facts city = of_values(Type::text, {std::string("a"), std::string("b"), std::string("c"), Cell{}});
  city.of_unit = false;
  const Expression c = column(0, Type::text);
  const Expression big = resolve("case", {resolve("in", {c, text("a"), text("b")}), text("big"), text("small")});
  const Facts found = facts(big, std::vector{city});
  ASSERT_TRUE(found.values);
  EXPECT_EQ(*found.values, (Cells{std::string("big"), std::string("small")}));
  EXPECT_FALSE(found.nullable);  // tight, though the rule alone would have said so too
  EXPECT_FALSE(found.of_unit);
  const Facts upper = facts(resolve("upper", {c}), std::vector{city});
  EXPECT_EQ(upper.values->size(), 4U);
  EXPECT_TRUE(upper.nullable);
}

// Spec: W-76
TEST(ExpressionFacts, WhatIsChosenBetweenConstantsIsOneOfThem) {
  Facts town;  // of which nothing is known
  const Expression c = column(0, Type::text);
  const Expression one = resolve("case", {resolve("=", {c, text("b")}), text("b"), null()});
  const Expression two = resolve("case", {resolve("=", {c, text("a")}), text("a"), one});
  EXPECT_EQ(*facts(two, std::vector{town}).values, (Cells{Cell{}, std::string("a"), std::string("b")}));
  const Facts known = facts(resolve("coalesce", {two, text("z")}), std::vector{town});
  EXPECT_EQ(*known.values, (Cells{std::string("a"), std::string("b"), std::string("z")}));
  EXPECT_FALSE(known.nullable);
  EXPECT_FALSE(facts(resolve("case", {resolve("=", {c, text("b")}), text("b"), c}), std::vector{town}).values);
  EXPECT_FALSE(facts(resolve("coalesce", {two, c}), std::vector{town}).values);
}

TEST(ExpressionFacts, EnumerationIsTighterThanRules) {
  const Facts n = of_values(Type::integer, {whole_cell(-2), whole_cell(3)});
  const Expression square = resolve("*", {a, a});
  EXPECT_EQ(describe(facts(square, std::vector{n})), "integer, not NULL, 4 to 9, one of 2 values");
  // Inside something larger that cannot be enumerated, the part still is.
  Facts cost = of_values(Type::real, {0.0, 10.0});
  cost.values.reset();
  const Expression both = resolve("+", {square, column(1, Type::real)});
  EXPECT_EQ(describe(facts(both, std::vector{n, cost})), "real, not NULL, 4 to 19");
}

TEST(ExpressionFacts, ShortRangesHaveValues) {
  Facts wide = of_values(Type::integer, {whole_cell(0), whole_cell(100'000)});
  wide.values.reset();
  const Facts remainder = facts(resolve("%", {a, whole(4)}), std::vector{wide});
  ASSERT_TRUE(remainder.values);
  EXPECT_EQ(remainder.values->size(), 4U);
  EXPECT_EQ(facts(resolve("<", {a, whole(4)}), std::vector{wide}).values->size(), 2U);
  EXPECT_FALSE(facts(resolve("+", {a, whole(4)}), std::vector{wide}).values);
}

TEST(ExpressionFacts, OfUnitNeedsEveryColumn) {
  Facts fixed, free;
  fixed.type = free.type = Type::integer;
  fixed.of_unit = true;
  EXPECT_TRUE(facts(resolve("+", {a, whole(1)}), std::vector{fixed, free}).of_unit);
  EXPECT_FALSE(facts(resolve("+", {a, b}), std::vector{fixed, free}).of_unit);
  EXPECT_TRUE(facts(whole(1), std::vector{fixed, free}).of_unit);
}

TEST(ExpressionFacts, ManyCombinationsFallBackToRules) {
  Cells many;
  for (std::int64_t i = 0; i < 500; ++i) many.emplace_back(i);
  const Facts n = of_values(Type::integer, many);
  const Facts sum = facts(resolve("*", {a, b}), std::vector{n, n});
  EXPECT_FALSE(sum.values);
  EXPECT_EQ(describe(sum), "integer, not NULL, 0 to 249001");
}

// Random trees over columns of every type, built through the table, so that a new function takes part by itself.
class Trees {
 public:
  explicit Trees(std::uint64_t seed) : random_(seed) {
    for (const Type type : {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp}) {
      types_.push_back(type);
      types_.push_back(type);
    }
  }

  Expression tree(Type type, int depth) {
    if (depth == 0 || random_() % 6 == 0) return leaf(type, random_() % 3 == 0);
    std::vector<const Function*> giving;
    for (const Function& function : all_functions()) {
      if (function.gives == type) giving.push_back(&function);
    }
    const Function& function = *giving[random_() % giving.size()];
    std::vector<Expression> arguments;
    const std::size_t count = function.takes.size() + (function.variadic ? random_() % 2 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      const bool constant = i + function.constants >= count;
      arguments.push_back(constant ? leaf(argument_type(function, i), true)
                                   : tree(argument_type(function, i), depth - 1));
    }
    return call(function, std::move(arguments));
  }

  // Each column: a small set of difficult values and what is known of it.
  void draw_columns() {
    sets_.clear();
    facts_.clear();
    for (const Type type : types_) {
      const auto sets = small_sets(type, false);
      sets_.push_back(sets[random_() % sets.size()]);
      facts_.push_back(known_of(type, sets_.back(), static_cast<int>(random_() % 4)));
    }
  }
  Cells row() {
    Cells cells;
    for (const Cells& set : sets_) cells.push_back(set[random_() % set.size()]);
    return cells;
  }
  const std::vector<Facts>& known() const { return facts_; }
  const std::vector<Type>& types() const { return types_; }
  Type any_type() { return types_[random_() % types_.size()]; }

 private:
  Expression leaf(Type type, bool constant) {
    const Cells cells = difficult_cells(type);
    if (constant) return plan::constant({type, cells[random_() % cells.size()]});
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] == type) fitting.push_back(i);
    }
    return column(fitting[random_() % fitting.size()], type);
  }

  std::mt19937_64 random_;
  std::vector<Type> types_;
  std::vector<Cells> sets_;
  std::vector<Facts> facts_;
};

TEST(RandomTrees, KeepTheirFacts) {
  const int rounds = std::getenv("DITHER_NIGHTLY") != nullptr ? 200'000 : 4'000;
  Trees trees(3);
  for (int n = 0; n < rounds; ++n) {
    trees.draw_columns();
    const Expression e = trees.tree(trees.any_type(), 4);
    const Facts known = facts(e, trees.known());
    for (int i = 0; i < 10; ++i) {
      const Cell value = evaluate(e, trees.row());
      ASSERT_TRUE(keeps(known, value)) << e.text().substr(0, 2000) << "\ngives " << str({e.type(), value}).substr(0, 60)
                                       << "\nbut: " << describe(known);
    }
  }
}

TEST(RandomTrees, SubstitutionIsEvaluationInTwoSteps) {
  const int rounds = std::getenv("DITHER_NIGHTLY") != nullptr ? 100'000 : 2'000;
  Trees trees(5);
  for (int n = 0; n < rounds; ++n) {
    trees.draw_columns();
    std::vector<Expression> inner;
    for (const Type type : trees.types()) inner.push_back(trees.tree(type, 1));
    const Expression outer = trees.tree(trees.any_type(), 3);
    const Cells row = trees.row();
    Cells between;
    for (const Expression& e : inner) between.push_back(evaluate(e, row));
    ASSERT_EQ(canonical(evaluate(substitute(outer, inner), row)), canonical(evaluate(outer, between)))
        << outer.text().substr(0, 2000);
  }
}

TEST(RandomTrees, EveryOneHasASpellingOrSaysWhyNot) {
  Trees trees(9);
  std::vector<std::string> names(12, "c");
  int spelled = 0, refused = 0;
  for (int n = 0; n < 1'000; ++n) {
    const Expression e = trees.tree(trees.any_type(), 3);
    EXPECT_FALSE(in_words(e, names).empty());
    for (const Dialect dialect : {Dialect::duckdb, Dialect::postgresql, Dialect::spark}) {
      try {
        EXPECT_FALSE(spell(e, dialect, names).empty());
        ++spelled;
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == Code::not_supported || error.code() == Code::too_deep);
        ++refused;
      }
    }
  }
  EXPECT_GT(spelled, 2'000);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace dither::plan
