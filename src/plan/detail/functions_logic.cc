// Three-valued logic: NULL is what is not known.
#include "plan/detail/rules.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "logic";

// The value that decides alone, else NULL if there is one, else the other.
template <bool decisive>
Cell connect(Cells cells) {
  bool unknown = false;
  for (const Cell& cell : cells) {
    if (is_null(cell)) {
      unknown = true;
    } else if (truth(cell) == decisive) {
      return decisive;
    }
  }
  return unknown ? Cell{} : Cell{!decisive};
}

Expression truth_test(const Expression& argument, bool wanted) {
  return resolve(wanted ? "is true" : "is false", {argument});
}

}  // namespace

void add_logic(Table& table) {
  auto& f = table.functions;
  f.push_back(
      own(variadic(commutes(row("and", "and", "a AND b", kGroup, {B}, B, "true if all are, false if one is, else NULL",
                                "", connect<false>, null_with_arguments, same("($[ AND ])"))))));
  f.push_back(
      own(variadic(commutes(row("or", "or", "a OR b", kGroup, {B}, B, "true if one is, false if all are, else NULL", "",
                                connect<true>, null_with_arguments, same("($[ OR ])"))))));
  f.push_back(row(
      "not", "not", "NOT a", kGroup, {B}, B, "the opposite", "", [](Cells c) { return Cell{!truth(c[0])}; }, nullptr,
      same("(NOT $1)")));
  f.push_back(own(row(
      "is_true", "is true", "a IS TRUE", kGroup, {B}, B, "whether it is true: not false, not NULL", "",
      [](Cells c) { return Cell{!is_null(c[0]) && truth(c[0])}; }, not_null, same("($1 IS TRUE)"))));
  f.push_back(own(row(
      "is_false", "is false", "a IS FALSE", kGroup, {B}, B, "whether it is false: not true, not NULL", "",
      [](Cells c) { return Cell{!is_null(c[0]) && !truth(c[0])}; }, not_null, same("($1 IS FALSE)"))));
  table.shorthands.push_back({"is not true", "a IS NOT TRUE", kGroup, "NOT (a IS TRUE)", 1, 1,
                              [](auto a) { return resolve("not", {truth_test(a[0], true)}); }});
  table.shorthands.push_back({"is not false", "a IS NOT FALSE", kGroup, "NOT (a IS FALSE)", 1, 1,
                              [](auto a) { return resolve("not", {truth_test(a[0], false)}); }});
  for (const Type type : kTypes) {
    f.push_back(own(row(
        typed("is_null", type), "is null", "x IS NULL", kGroup, {type}, B, "whether there is no value", "",
        [](Cells c) { return Cell{is_null(c[0])}; }, not_null, same("($1 IS NULL)"))));
  }
  table.shorthands.push_back({"is not null", "x IS NOT NULL", kGroup, "NOT (x IS NULL)", 1, 1,
                              [](auto a) { return resolve("not", {resolve("is null", {a[0]})}); }});
}

}  // namespace dither::plan::detail
