// Comparisons: equality and order are functions, the others are written with them.
#include "plan/detail/rules.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "comparison";

Expression negated(Expression condition) { return resolve("not", {std::move(condition)}); }
Expression less(const Expression& a, const Expression& b) { return resolve("<", {a, b}); }
Expression at_most(const Expression& a, const Expression& b) { return negated(less(b, a)); }

Expression one_of(std::span<const Expression> a) {
  std::vector<Expression> equal;
  for (const Expression& value : a.subspan(1)) equal.push_back(resolve("=", {a[0], value}));
  return resolve("or", std::move(equal));
}

Expression within(std::span<const Expression> a) { return resolve("and", {at_most(a[1], a[0]), at_most(a[0], a[2])}); }

constexpr std::size_t kMany = 100'000;

}  // namespace

void add_comparisons(Table& table) {
  auto& f = table.functions;
  for (const Type type : kTypes) {
    f.push_back(commutes(row(
        typed("equal", type), "=", "x = y", kGroup, {type, type}, B,
        "whether they are the same; NaN equals NaN, texts are compared by their bytes", "",
        [](Cells c) { return Cell{order(c[0], c[1]) == 0}; }, nullptr, same("($1 = $2)"))));
    const Spelling bytes =
        type == T ? Spelling{"($1 < $2)", "($1 COLLATE \"C\" < $2 COLLATE \"C\")", "($1 < $2)"} : same("($1 < $2)");
    f.push_back(row(
        typed("less", type), "<", "x < y", kGroup, {type, type}, B,
        "whether x comes before y; NaN is greater than every number, false comes before true", "",
        [](Cells c) { return Cell{order(c[0], c[1]) < 0}; }, nullptr, bytes));
    f.push_back(
        own(commutes(row(typed("same", type), "is not distinct from", "x IS NOT DISTINCT FROM y", kGroup, {type, type},
                         B, "whether they are the same, where NULL is the same as NULL", "",
                         [](Cells c) {
                           if (is_null(c[0]) || is_null(c[1])) return Cell{is_null(c[0]) && is_null(c[1])};
                           return Cell{order(c[0], c[1]) == 0};
                         },
                         not_null, {"($1 IS NOT DISTINCT FROM $2)", "($1 IS NOT DISTINCT FROM $2)", "($1 <=> $2)"}))));
  }
  auto& s = table.shorthands;
  s.push_back({"is distinct from", "x IS DISTINCT FROM y", kGroup, "NOT (x IS NOT DISTINCT FROM y)", 2, 2, [](auto a) {
                 return negated(resolve("is not distinct from", {a[0], a[1]}));
               }});
  s.push_back({"<>", "x <> y", kGroup, "NOT (x = y)", 2, 2, [](auto a) {
                 return negated(resolve("=", {a[0], a[1]}));
               }});
  s.push_back({"!=", "x != y", kGroup, "NOT (x = y)", 2, 2, [](auto a) {
                 return negated(resolve("=", {a[0], a[1]}));
               }});
  s.push_back({">", "x > y", kGroup, "y < x", 2, 2, [](auto a) { return less(a[1], a[0]); }});
  s.push_back({"<=", "x <= y", kGroup, "NOT (y < x)", 2, 2, [](auto a) { return at_most(a[0], a[1]); }});
  s.push_back({">=", "x >= y", kGroup, "NOT (x < y)", 2, 2, [](auto a) { return at_most(a[1], a[0]); }});
  s.push_back({"between", "x BETWEEN a AND b", kGroup, "a <= x AND x <= b", 3, 3, [](auto a) { return within(a); }});
  s.push_back({"not between", "x NOT BETWEEN a AND b", kGroup, "NOT (x BETWEEN a AND b)", 3, 3,
               [](auto a) { return negated(within(a)); }});
  s.push_back({"in", "x IN (a, b, ...)", kGroup, "x = a OR x = b OR ...", 2, kMany, [](auto a) { return one_of(a); }});
  s.push_back({"not in", "x NOT IN (a, b, ...)", kGroup, "NOT (x IN (a, b, ...))", 2, kMany,
               [](auto a) { return negated(one_of(a)); }});
}

}  // namespace dither::plan::detail
