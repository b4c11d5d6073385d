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
std::optional<Rational> of(const Expression& expression, std::size_t column = 0) {
  const std::vector<Cell> row = {std::int64_t{7}, 2.5};
  return rate(expression, column, row);
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

TEST(Rate, IsNotSaidOfAnythingElse) {
  EXPECT_EQ(of(resolve("*", {n(), n()})), std::nullopt);
  EXPECT_EQ(of(resolve("abs", {n()})), std::nullopt);
  EXPECT_EQ(of(resolve("/", {n(), whole(2)})), std::nullopt);  // drops the fraction
  EXPECT_EQ(of(resolve("/", {real(1), x()}), 1), std::nullopt);
  EXPECT_EQ(of(resolve("/", {x(), real(0)}), 1), std::nullopt);
  EXPECT_EQ(of(resolve("<", {n(), whole(5)})), std::nullopt);
  EXPECT_EQ(of(resolve("+", {resolve("abs", {n()}), n()})), std::nullopt);
  EXPECT_EQ(of(resolve("round", {x()}), 1), std::nullopt);
}

}  // namespace
}  // namespace dither::session::detail
