// Choosing between values: CASE, COALESCE, GREATEST.
#include <algorithm>

#include "plan/detail/rules.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "choice";

void one_of_two(Known known, Facts& result) {
  result = either(known[1], known[2]);
  result.values.reset();
}

void first_known(Known known, Facts& result) {
  result = known[0];
  for (const Facts& next : known.subspan(1)) result = either(result, next);
  result.values.reset();
  const auto nullable = [](const Facts& facts) { return facts.nullable; };
  result.nullable = std::all_of(known.begin(), known.end(), nullable);
}

Cell first_value(Cells cells) {
  for (const Cell& cell : cells) {
    if (!is_null(cell)) return cell;
  }
  return {};
}

template <bool greatest>
Cell extreme(Cells cells) {
  Cell best;
  for (const Cell& cell : cells) {
    if (is_null(cell)) continue;
    if (is_null(best) || (greatest ? order(cell, best) > 0 : order(cell, best) < 0)) best = cell;
  }
  return best;
}

// It is one of them; and no less than each that is surely a value (no more, for LEAST, where NaN counts as the
// greatest).
template <bool greatest>
void extreme_facts(Known known, Facts& result) {
  first_known(known, result);
  if (!result.range) return;
  for (const Facts& facts : known) {
    if (facts.nullable || !facts.range || (!greatest && facts.type == Type::real && !facts.finite)) continue;
    if (greatest) result.range->low = std::max(result.range->low, facts.range->low);
    if (!greatest) result.range->high = std::min(result.range->high, facts.range->high);
  }
}

}  // namespace

void add_conditionals(Table& table) {
  auto& f = table.functions;
  for (const Type type : kTypes) {
    f.push_back(gives_bytes(
        of_longest, own(row(
                        typed("case", type), "case", "CASE WHEN a THEN x ELSE y END", kGroup, {B, type, type}, type,
                        "x where a is true, else y; more WHENs follow in the ELSE, and CASE v WHEN w stands for v = w",
                        "", [](Cells c) { return !is_null(c[0]) && truth(c[0]) ? c[1] : c[2]; }, one_of_two,
                        same("(CASE WHEN $1 THEN $2 ELSE $3 END)")))));
    f.push_back(gives_bytes(of_longest, own(variadic(row(typed("coalesce", type), "coalesce", "COALESCE(x, y, ...)",
                                                         kGroup, {type}, type, "the first that is not NULL", "",
                                                         first_value, first_known, same("COALESCE($*)"))))));
    const Spelling least =
        type == T ? Spelling{"LEAST($*)", "LEAST($[ COLLATE \"C\", ] COLLATE \"C\")", "LEAST($*)"} : same("LEAST($*)");
    const Spelling greatest =
        type == T ? Spelling{"GREATEST($*)", "GREATEST($[ COLLATE \"C\", ] COLLATE \"C\")", "GREATEST($*)"}
                  : same("GREATEST($*)");
    f.push_back(gives_bytes(
        of_longest, own(variadic(commutes(row(typed("greatest", type), "greatest", "GREATEST(x, y, ...)", kGroup,
                                              {type, type}, type, "the greatest of those that are not NULL", "",
                                              extreme<true>, extreme_facts<true>, greatest))))));
    f.push_back(
        gives_bytes(of_longest, own(variadic(commutes(row(typed("least", type), "least", "LEAST(x, y, ...)", kGroup,
                                                          {type, type}, type, "the least of those that are not NULL",
                                                          "", extreme<false>, extreme_facts<false>, least))))));
  }
  auto& s = table.shorthands;
  s.push_back({"nullif", "NULLIF(x, y)", kGroup, "CASE WHEN x = y THEN NULL ELSE x END", 2, 2, [](auto a) {
                 return resolve("case", {resolve("=", {a[0], a[1]}), constant({a[0].type(), {}}), a[0]});
               }});
  s.push_back({"ifnull", "IFNULL(x, y)", kGroup, "COALESCE(x, y)", 2, 2, [](auto a) {
                 return resolve("coalesce", {a[0], a[1]});
               }});
  s.push_back({"nvl", "NVL(x, y)", kGroup, "COALESCE(x, y)", 2, 2, [](auto a) {
                 return resolve("coalesce", {a[0], a[1]});
               }});
  s.push_back({"if", "IF(a, x, y)", kGroup, "CASE WHEN a THEN x ELSE y END", 3, 3, [](auto a) {
                 return resolve("case", {a[0], a[1], a[2]});
               }});
}

}  // namespace dither::plan::detail
