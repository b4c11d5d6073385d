#include "session/detail/rate.h"

#include <gtest/gtest.h>

#include "plan/functions.h"

namespace dither::session::detail {
namespace {

using plan::Expression;
using plan::resolve;
using plan::Type;

Expression n() { return plan::column(0, Type::integer); }
Expression x() { return plan::column(1, Type::real); }
Expression whole(std::int64_t value) { return plan::constant({Type::integer, value}); }
Expression real(double value) { return plan::constant({Type::real, value}); }

// Of an expression, with n = 7 and x = 2.5.
std::optional<Rate> any(const Expression& expression, std::size_t column = 0) {
  const std::vector<Cell> row = {std::int64_t{7}, 2.5};
  return rate(expression, column, row);
}
// Of a straight line.
std::optional<Rational> of(const Expression& expression, std::size_t column = 0) {
  const std::optional<Rate> found = any(expression, column);
  return found && found->straight ? std::optional(found->most) : std::nullopt;
}

TEST(Rate, IsThatOfAStraightLine) {
  EXPECT_EQ(of(n()), Rational(1));
  EXPECT_EQ(of(x()), Rational(0));
  EXPECT_EQ(of(resolve("*", {whole(10), n()})), Rational(10));
  EXPECT_EQ(of(resolve("+", {resolve("*", {n(), whole(10)}), n()})), Rational(11));
  EXPECT_EQ(of(resolve("-", {whole(3), resolve("*", {n(), whole(2)})})), Rational(-2));
  EXPECT_EQ(of(resolve("neg", {n()})), Rational(-1));
  EXPECT_EQ(of(resolve("/", {x(), real(4)}), 1), Rational(1, 4));
  EXPECT_EQ(of(resolve("*", {n(), real(1.5)})), Rational(3, 2));  // n becomes a real
  EXPECT_EQ(of(resolve("*", {n(), x()})), Rational(5, 2));        // of a row whose x is known
  EXPECT_EQ(of(resolve("*", {n(), resolve("abs", {x()})}), 0), Rational(5, 2));
  EXPECT_EQ(of(resolve("*", {n(), whole(0)})), Rational(0));
}

TEST(Rate, IsABoundWhereALineIsFolded) {
  const auto folded = [](const Rational& most) { return Rate{most, false}; };
  const Expression abs = resolve("abs", {n()});
  EXPECT_EQ(any(abs), folded(1));
  EXPECT_EQ(any(resolve("abs", {resolve("*", {n(), whole(-3)})})), folded(3));
  EXPECT_EQ(any(resolve("greatest", {n(), whole(0)})), folded(1));
  EXPECT_EQ(any(resolve("least", {resolve("*", {n(), whole(2)}), n(), whole(9)})), folded(2));
  EXPECT_EQ(any(resolve("clamp", {n(), whole(0), whole(5)})), folded(1));
  EXPECT_EQ(any(resolve("+", {abs, n()})), folded(2));
  EXPECT_EQ(any(resolve("-", {n(), abs})), folded(2));  // the slopes may have other signs: 1 - 1 would be wrong
  EXPECT_EQ(any(resolve("*", {abs, whole(-4)})), folded(-4));
  EXPECT_EQ(any(resolve("clamp", {whole(3), n(), whole(9)})), std::nullopt);  // NULL where n is above 9
}

// No expression moves faster than is said, over all pairs of values.
TEST(Rate, IsNeverPassed) {
  const std::vector<Expression> all = {
      resolve("abs", {resolve("-", {n(), whole(4)})}), resolve("-", {n(), resolve("abs", {n()})}),
      resolve("greatest", {resolve("*", {n(), whole(3)}), resolve("neg", {n()})}),
      resolve("clamp", {resolve("*", {resolve("abs", {n()}), whole(-2)}), whole(-9), whole(-1)}),
      resolve("least", {whole(2), resolve("+", {resolve("abs", {n()}), n()})})};
  for (const Expression& expression : all) {
    const Rational most = any(expression).value().most;
    const Rational size = most.sign() < 0 ? -most : most;
    for (std::int64_t a = -12; a <= 12; ++a) {
      for (std::int64_t b = a; b <= 12; ++b) {
        const std::vector<Cell> first = {a, 2.5}, second = {b, 2.5};
        const auto moved =
            std::get<std::int64_t>(evaluate(expression, first)) - std::get<std::int64_t>(evaluate(expression, second));
        EXPECT_LE(Rational(Int128{std::abs(moved)}), size * Rational(Int128{b - a})) << expression.text();
      }
    }
  }
}

TEST(Rate, IsNotSaidOfAnythingElse) {
  EXPECT_EQ(of(resolve("*", {n(), n()})), std::nullopt);
  EXPECT_EQ(of(resolve("abs", {n()})), std::nullopt);          // no straight line
  EXPECT_EQ(of(resolve("/", {n(), whole(2)})), std::nullopt);  // drops the fraction
  EXPECT_EQ(of(resolve("/", {real(1), x()}), 1), std::nullopt);
  EXPECT_EQ(of(resolve("/", {x(), real(0)}), 1), std::nullopt);
  EXPECT_EQ(of(resolve("<", {n(), whole(5)})), std::nullopt);
  EXPECT_EQ(of(resolve("+", {resolve("abs", {n()}), n()})), std::nullopt);
  EXPECT_EQ(of(resolve("round", {x()}), 1), std::nullopt);
}

}  // namespace
}  // namespace dither::session::detail
