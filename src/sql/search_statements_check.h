// For tests: random statements over any project, made of what docs/sql.md lists.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "plan/project.h"
#include "testing/choices.h"

namespace dither::sql::search {

using testing::Choices;

// What a FROM item offers: names as a statement writes them, with their types.
struct Column {
  std::string name;
  plan::Type type;
  bool bounded = false;
};
struct Scope {
  std::string from;
  std::vector<Column> columns = {};  // without the unit
  std::string unit = {};             // "" where rows are units
};

// How statements begin that say themselves what they cost.
inline constexpr const char* kPriceInText = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (";

// The first alternatives of all choices are the simplest. Not all that comes out is answered: what is refused must be refused
// on both neighbours.
class Statements {
 public:
  Statements(const plan::Project& project, Choices& choices) : project_(project), choices_(choices) {}

  std::string next() {
    with_.clear();
    if (owned("t1") && choices_.below(16) == 15) return bigquery();
    const Scope scope = source();
    std::string list, keys;
    for (std::uint64_t i = choices_.below(3); i > 0; --i) {
      const std::string one = key(scope);
      keys += (keys.empty() ? " GROUP BY " : ", ") + one;
      list += one + ", ";
    }
    const std::uint64_t form = keys.empty() ? 0 : choices_.below(16);
    if (form == 15)
      return fmt::format("{}SELECT DISTINCT {} FROM {}", with_, list.substr(0, list.size() - 2), scope.from);
    for (std::uint64_t i = choices_.below(3); i > 0; --i) list += shown(scope) + ", ";
    list += shown(scope);
    const std::string where = choices_.below(3) == 2 ? " WHERE " + truth(scope, 2) : "";
    std::string after;
    if (form == 14) after = " HAVING COUNT(*) > 1";
    if (form >= 13) after += fmt::format(" ORDER BY 1 LIMIT {}", choices_.below(4));
    return fmt::format("{}SELECT {} FROM {}{}{}{}", with_, list, scope.from, where, keys, after);
  }

 private:
  bool has(const std::string& table) const {
    return std::any_of(project_.tables.begin(), project_.tables.end(),
                       [&](const plan::TableDeclaration& one) { return one.name == table; });
  }

  // Whether its rows have a column that says whose they are.
  bool owned(const std::string& table) const { return has(table) && project_.table(table).find("unit") != nullptr; }

  // With the price, and the bounds of a unit, in the text.
  std::string bigquery() {
    const Scope scope = table("t1", "r");
    const auto pair = [&] {
      const std::uint64_t low = choices_.below(4);
      return fmt::format("({}, {})", low, low + choices_.below(4));
    };
    const bool grouped = choices_.below(2) == 1;
    const std::string one = key(scope), x = number(scope, 1);
    return fmt::format(
        "{}epsilon = 1, delta = 0.01, {} = {}, privacy_unit_column = unit) {}COUNT(*{}), SUM({}{}), AVG({}, "
        "contribution_bounds_per_row => {}) FROM t1 r{}",
        kPriceInText, grouped ? "max_groups_contributed" : "max_rows_contributed", choices_.below(3) + 1,
        grouped ? one + ", " : "",
        grouped ? fmt::format(", contribution_bounds_per_group => (0, {})", choices_.below(3)) : "", x,
        grouped ? ", contribution_bounds_per_group => " + pair() : "", x, pair(), grouped ? " GROUP BY " + one : "");
  }

  // A table under another name.
  Scope table(const std::string& name, const std::string& alias) const {
    const plan::TableDeclaration& declared = project_.table(name);
    Scope scope{fmt::format("{} {}", name, alias)};
    for (const plan::ColumnDeclaration& column : declared.columns) {
      const std::string full = alias + "." + column.name;
      if (column.name == "unit") {
        scope.unit = full;
      } else {
        scope.columns.push_back({full, column.type, column.bounds.has_value() || column.keys.has_value()});
      }
    }
    return scope;
  }

  // Joins and unions of private tables need a column that says whose a row is.
  Scope source() {
    const bool units = owned("t1");
    switch (choices_.below(units ? 12 : 8)) {
      case 0:
      case 1:
      case 2:
        return some_table("r");
      case 3:
        return derived("r", false);
      case 4:
        return derived("r", units);
      case 5:
      case 6:
        return joined_public();
      case 8:
      case 9:
        return united("r");
      case 10:
      case 11:
        return joined_private();
      default: {
        Scope inner = !units || choices_.below(2) == 0 ? derived("w", units && choices_.below(2) == 1) : united("w");
        with_ = fmt::format("WITH w AS {} ", inner.from.substr(0, inner.from.rfind(' ')));
        inner.from = "w";
        return inner;
      }
    }
  }
  Scope some_table(const std::string& alias) { return table(has("t2") && choices_.below(2) == 1 ? "t2" : "t1", alias); }

  // SELECT ... of a table, with its unit and some expressions under new names, of these types where they are given.
  std::string part(const Scope& scope, bool distinct, std::vector<Column>& columns) {
    std::string list = scope.unit.empty() ? "" : scope.unit + " AS unit";
    const bool free = columns.empty();
    const std::uint64_t count = free ? 1 + choices_.below(3) : columns.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      const Column value = free ? any(scope) : Column{expression(scope, columns[i].type, 1), columns[i].type};
      list += fmt::format("{}{} AS c{}", list.empty() ? "" : ", ", value.name, i);
      if (free) columns.push_back({fmt::format("c{}", i), value.type, value.bounded});
      if (!free) columns[i].bounded = false;
    }
    const std::string where = choices_.below(3) == 2 ? " WHERE " + truth(scope, 1) : "";
    return fmt::format("SELECT {}{} FROM {}{}", distinct ? "DISTINCT " : "", list, scope.from, where);
  }
  static Scope around(const std::string& text, const Scope& inner, std::vector<Column> columns,
                      const std::string& alias) {
    for (Column& column : columns) column.name = alias + "." + column.name;
    return {fmt::format("({}) {}", text, alias), std::move(columns), inner.unit.empty() ? "" : alias + ".unit"};
  }
  Scope derived(const std::string& alias, bool distinct) {
    Scope inner = some_table("s");
    if (depth_ < 2 && choices_.below(4) == 3) {
      ++depth_;
      inner = !inner.unit.empty() && choices_.below(2) == 1 ? united("s") : derived("s", distinct);
      --depth_;
    }
    std::vector<Column> columns;
    const std::string text = part(inner, distinct && !inner.unit.empty(), columns);
    return around(text, inner, columns, alias);
  }
  Scope united(const std::string& alias) {
    const auto one = [&] { return table(owned("t2") && choices_.below(2) == 1 ? "t2" : "t1", "s"); };
    const Scope inner = one();
    std::vector<Column> columns;
    std::string text = part(inner, choices_.below(4) == 3, columns);
    for (std::uint64_t i = choices_.below(2) + 1; i > 0; --i) {
      text += " UNION ALL " + part(one(), choices_.below(4) == 3, columns);
    }
    return around(text, inner, columns, alias);
  }

  static void take(Scope& scope, const Scope& other) {
    scope.columns.insert(scope.columns.end(), other.columns.begin(), other.columns.end());
  }
  Scope joined_private() {
    Scope scope = table("t1", "r");
    const Scope other = table(owned("t2") ? "t2" : "t1", "q");
    const bool left = choices_.below(2) == 1;
    std::string on = scope.unit + " = " + other.unit;
    if (choices_.below(4) == 3) on += fmt::format(" AND {} = {}", scope.columns[0].name, other.columns[0].name);
    scope.from += fmt::format(" {}JOIN {} ON {}", left ? "LEFT " : "", other.from, on);
    take(scope, other);
    return scope;
  }
  // By a column of text; where there is none, by one that is made.
  Scope joined_public() {
    Scope scope = choices_.below(3) == 2 ? derived("r", false) : some_table("r");
    if (text_column(scope).empty()) {
      const Scope inner = some_table("s");
      std::vector<Column> columns = {{"c0", plan::Type::text}};
      const std::string text = part(inner, false, columns);
      scope = around(text, inner, columns, "r");
    }
    const Scope other = table("pub", "p");
    const bool left = choices_.below(2) == 1;
    const char* const to = choices_.below(2) == 0 ? "p.k" : "p.z";
    scope.from += fmt::format(" {}JOIN {} ON {} = {}", left ? "LEFT " : "", other.from, text_column(scope), to);
    take(scope, other);
    return scope;
  }
  static std::string text_column(const Scope& scope) {
    for (const Column& column : scope.columns) {
      if (column.type == plan::Type::text) return column.name;
    }
    return "";
  }

  // ---- expressions

  Column any(const Scope& scope) {
    const Column& column = choices_.one_of(scope.columns);
    if (choices_.below(3) != 2) return column;
    const auto type = static_cast<plan::Type>(choices_.below(6));
    return {expression(scope, type, 1), type};
  }
  std::string leaf(const Scope& scope, plan::Type type) {
    std::vector<std::string> names;
    for (const Column& column : scope.columns) {
      if (column.type == type) names.push_back(column.name);
    }
    if (!names.empty() && choices_.below(5) != 4) return choices_.one_of(names);
    switch (type) {
      case plan::Type::boolean:
        return fmt::format("({} IS NULL)", scope.columns[0].name);
      case plan::Type::integer:
        return choices_.one_of(std::vector<std::string>{"1", "0", "3", "-2", "7"});
      case plan::Type::real:
        return choices_.one_of(std::vector<std::string>{"1.5", "0.0", "-0.25"});
      case plan::Type::text:
        return fmt::format("CASE WHEN {} IS NULL THEN {} ELSE 'z1' END", scope.columns[0].name,
                           choices_.one_of(std::vector<std::string>{"'a'", "'x'", "''"}));
      case plan::Type::date:
        return "DATE '2024-01-02'";
      case plan::Type::timestamp:
        return "TIMESTAMP '2024-01-02 03:04:05'";
    }
    return "NULL";
  }

  // A form: letters stand for arguments of a type, i r t b d m.
  std::string filled(const Scope& scope, std::string_view form, int depth) {
    static constexpr std::string_view kLetters = "brtidm";
    static constexpr plan::Type kTypes[] = {plan::Type::boolean, plan::Type::real, plan::Type::text,
                                            plan::Type::integer, plan::Type::date, plan::Type::timestamp};
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
      const std::size_t at =
          form[i] == '$' && i + 1 < form.size() ? kLetters.find(form[i + 1]) : std::string_view::npos;
      if (at == std::string_view::npos) {
        text += form[i];
        continue;
      }
      text += expression(scope, kTypes[at], depth - 1);
      ++i;
    }
    return text;
  }
  static const std::vector<std::string>& forms(plan::Type type) {
    static const std::vector<std::vector<std::string>> all = {
        // boolean
        {"($i > $i)", "($t = $t)", "($r <= $r)", "NOT ($b)", "($b AND $b)", "($b OR $b)", "($i IS NULL)",
         "($t IN ('a', 'b', 'x'))", "($t LIKE '%a%')", "($i BETWEEN 0 AND 3)", "($d < $d)", "CONTAINS($t, 'a')",
         "STARTS_WITH($t, $t)", "($i IS NOT DISTINCT FROM $i)", "ISNAN($r)", "($m > $m)",
         "CAST(LEFT($t, 9) AS boolean)"},
        // integer
        {"($i + $i)",
         "($i * $i)",
         "($i - $i)",
         "($i / $i)",
         "($i % 2)",
         "ABS($i)",
         "CLAMP($i, -1, 3)",
         "CASE WHEN $b THEN $i ELSE $i END",
         "COALESCE($i, $i)",
         "LENGTH($t)",
         "STRPOS($t, $t)",
         "CAST(LEFT($t, 9) AS integer)",
         "CAST($b AS integer)",
         "CAST($r AS integer)",
         "EXTRACT(DAY FROM $d)",
         "EXTRACT(EPOCH FROM $m)",
         "GREATEST($i, $i)",
         "NULLIF($i, $i)",
         "WIDTH_BUCKET($r, 0, 4, 4)",
         "BIN($i, 2)",
         "($d - $d)",
         "SIGN($i)"},
        // real
        {"($r + $r)", "($r * $r)", "($r / $r)", "CLAMP($r, -1, 2)", "ROUND($r, 1)", "FLOOR($r)", "SQRT($r)", "EXP($r)",
         "CAST($i AS real)", "CAST(LEFT($t, 9) AS real)", "CASE WHEN $b THEN $r ELSE $r END", "COALESCE($r, $r)",
         "LEAST($r, $r)", "POWER($r, $r)", "LN($r)", "ABS($r)"},
        // text
        {"LOWER($t)", "UPPER($t)", "SUBSTRING($t FROM 1 FOR 2)", "($t || $t)", "CONCAT($t, $t)", "LPAD($t, 7, 'y')",
         "REPLACE($t, 'a', 'bb')", "CAST($i AS text)", "CAST($b AS text)", "CASE WHEN $b THEN $t ELSE $t END",
         "COALESCE($t, $t)", "TRIM($t)", "SPLIT_PART($t, ',', 1)", "RIGHT($t, 2)", "REPEAT($t, $i)",
         "CAST($d AS text)"},
        // date
        {"($d + $i)", "DATE_TRUNC('month', $d)", "CAST($m AS date)", "LAST_DAY($d)", "CAST(LEFT($t, 10) AS date)",
         "MAKE_DATE($i, $i, $i)", "COALESCE($d, $d)"},
        // timestamp
        {"CAST($d AS timestamp)", "DATE_TRUNC('hour', $m)", "($m + INTERVAL '3 hours')",
         "CAST(LEFT($t, 19) AS timestamp)"}};
    return all[static_cast<std::size_t>(type)];
  }
  std::string expression(const Scope& scope, plan::Type type, int depth) {
    if (depth <= 0 || choices_.below(3) == 0) return leaf(scope, type);
    return filled(scope, choices_.one_of(forms(type)), depth);
  }
  std::string truth(const Scope& scope, int depth) {
    return filled(scope, choices_.one_of(forms(plan::Type::boolean)), depth);
  }

  std::string key(const Scope& scope) {
    switch (choices_.below(6)) {
      case 0:
      case 1:
      case 2:
        return choices_.one_of(scope.columns).name;
      case 3:
        return truth(scope, 1);
      case 4:
        return fmt::format("CASE WHEN {} THEN 'p' ELSE 'q' END", truth(scope, 1));
      default:
        return any(scope).name;
    }
  }

  // Something with bounds.
  std::string number(const Scope& scope, int depth) {
    std::vector<std::string> bounded;
    for (const Column& column : scope.columns) {
      if (plan::is_number(column.type) && column.bounded) {
        bounded.push_back(column.type == plan::Type::real && choices_.below(2) == 1
                              ? fmt::format("ROUND({}, 1)", column.name)
                              : column.name);
      }
    }
    const std::uint64_t kind = choices_.below(depth > 0 ? 12 : 6);
    if (kind < 4 && !bounded.empty()) return choices_.one_of(bounded);
    switch (kind) {
      case 4:
        return fmt::format("ROUND(CLAMP({}, -1, 2), 1)", expression(scope, plan::Type::real, 1));
      case 6:
        return fmt::format("CASE WHEN {} THEN {} ELSE {} END", truth(scope, 1), number(scope, depth - 1),
                           number(scope, depth - 1));
      case 7:
        return fmt::format("({} * 2 - 1)", number(scope, depth - 1));
      case 8:
        return fmt::format("ABS({})", number(scope, depth - 1));
      case 9:
        return fmt::format("COALESCE({}, 2)", number(scope, depth - 1));
      case 10:
        return fmt::format("CAST({} AS integer)", truth(scope, 1));
      case 11:
        return choices_.one_of(std::vector<std::string>{"0", "1", "CLAMP(3, 0, 2)"});
      default: {
        const std::uint64_t low = choices_.below(3);
        return fmt::format("CLAMP({}, {}, {})", expression(scope, plan::Type::integer, 2), low,
                           low + choices_.below(4));
      }
    }
  }
  std::string aggregate(const Scope& scope) {
    std::string call = "COUNT(*)";
    const std::uint64_t kind = choices_.below(12);
    if (kind == 2) call = fmt::format("COUNT({})", any(scope).name);
    if (kind == 3 && !scope.unit.empty()) call = fmt::format("COUNT(DISTINCT {})", scope.unit);
    if (kind >= 4) {
      static const std::vector<std::string> names = {"SUM", "SUM",     "SUM",      "AVG",
                                                     "AVG", "VAR_POP", "VAR_SAMP", "STDDEV"};
      call = fmt::format("{}({})", names[kind - 4], number(scope, 1));
    }
    return choices_.below(5) == 4 ? fmt::format("{} FILTER (WHERE {})", call, truth(scope, 1)) : call;
  }
  // A column of the answer.
  std::string shown(const Scope& scope) {
    const std::string one = aggregate(scope);
    switch (choices_.below(10)) {
      case 8:
        return fmt::format("{} * 10", one);
      case 9:
        return fmt::format("{} / {}", one, aggregate(scope));
      default:
        return one;
    }
  }

  const plan::Project& project_;
  Choices& choices_;
  std::string with_;
  int depth_ = 0;
};

}  // namespace dither::sql::search
