// For tests: a project with tables of every kind, random rows for it, and random relations and aggregates over it.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "engine/detail/row_range.h"
#include "plan/bounded_aggregate.h"
#include "plan/functions.h"
#include "testing/plan_reference.h"

namespace dither::engine {

// {0} is the ending of the sources: csv, parquet ...
inline std::string every_kind(const std::string& ending, const std::string& neighbours = "add-remove") {
  std::string text = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: NEIGHBOURS}
tables:
  visits:
    source: visits.ENDING
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, "it's", "Zürich"], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [-2, 5.5], outside: clamp}
      day: {type: date, bounds: ["2024-01-01", "2024-03-01"], outside: null}
      note: {type: text}
      heat: {type: real}
      seen: {type: boolean, null_as: false}
      at: {type: timestamp}
      code: {type: text, max_length: 3, outside: null}
  people:
    source: people.ENDING
    unit: person
    columns:
      person: {type: integer}
      team: {type: text, keys: [x, z], outside: null}
      weight: {type: real, bounds: [0.5, 2], outside: null, null_as: 1}
      level: {type: integer, keys: [1, 2, 3], outside: {other: -1}}
      nick: {type: text, max_length: 2, outside: clamp}
      word: {type: text, max_length: 2, outside: {other: "?"}, null_as: "-"}
  orders:
    source: orders.ENDING
    unit: person
    unique: [id]
    columns:
      id: {type: integer}
      person: {type: integer}
  bills:
    source: bills.ENDING
    unit: {through: orders, by: {order_id: id}}
    unique: [number]
    columns:
      number: {type: integer}
      order_id: {type: integer}
      amount: {type: integer, bounds: [1, 4], outside: clamp}
  parts:
    source: parts.ENDING
    unit: {through: bills, by: {bill: number}}
    columns:
      bill: {type: integer}
      size: {type: integer, bounds: [0, 3], outside: clamp}
  logs:
    source: logs.ENDING
    unit: row
    columns:
      kind: {type: text}
      size: {type: integer, bounds: [2, 6], outside: clamp, null_as: 4}
      heat: {type: real, bounds: [-1, 1], outside: clamp}
  regions:
    source: regions.ENDING
    public: true
    unique: [city]
    multiplicity: {zone: 3}
    columns:
      city: {type: text}
      zone: {type: integer}
      height: {type: real}
budgets: {main: {epsilon: 1}}
)";
  const auto put = [&](const std::string& word, const std::string& with) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
      text.replace(at, word.size(), with);
  };
  put("ENDING", ending);
  put("NEIGHBOURS", neighbours);
  return text;
}

class RandomPlans {
 public:
  RandomPlans(const plan::Project& project, std::uint64_t seed) : project_(project), random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  // Few values, so that rows meet; some outside what is declared, and the difficult ones.
  Cell cell(plan::Type type) {
    if (below(8) == 0) return {};
    switch (type) {
      case plan::Type::boolean:
        return below(2) == 0;
      case plan::Type::integer:
        return one_of(std::vector<std::int64_t>{0, 1, 2, 3, 4, 7, -1});
      case plan::Type::real:
        return one_of(
            std::vector<double>{0.0, -0.0, 0.5, 1.0, -1.25, 2.0, 1.115, 1e300, -1e300, kInf, -kInf, std::nan("")});
      case plan::Type::text:
        return one_of(std::vector<std::string>{"a", "b", "x", "z", "it's", "Zürich", "a,b", "say \"hi\"", "two\nlines",
                                               std::string("n\0l", 3)});
      case plan::Type::date:
        return one_of(std::vector<std::int64_t>{19723, 19724, 19782, 19783, -25509, plan::kFirstDay, plan::kLastDay});
      case plan::Type::timestamp:
        return one_of(
            std::vector<std::int64_t>{0, -1, 1709251199999999, plan::kFirstMicrosecond, plan::kLastMicrosecond});
    }
    return {};
  }

  // Ids of orders, numbers of bills and cities of regions keep what is declared of them.
  testing::PlanDatabase database(std::size_t most_rows) {
    testing::PlanDatabase database;
    for (const plan::TableDeclaration& table : project_.tables) {
      testing::PlanRows& rows = database[table.name];
      for (std::size_t n = below(most_rows + 1); rows.size() < n;) {
        testing::PlanRow& row = rows.emplace_back();
        for (const plan::ColumnDeclaration& column : table.columns) row.push_back(cell(column.type));
        if (!table.unique.empty() && (is_null(row[0]) || repeats(rows))) rows.pop_back(), --n;
      }
    }
    return database;
  }

  plan::Expression constant(plan::Type type) { return plan::constant({type, cell(type)}); }

  // Something of this type over the columns.
  plan::Expression value(const std::vector<plan::Facts>& columns, plan::Type type, int depth) {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].type == type) fitting.push_back(i);
    }
    if (depth == 0 || below(3) == 0) {
      if (fitting.empty() || below(4) == 0) return constant(type);
      return plan::column(one_of(fitting), type);
    }
    const auto again = [&](plan::Type of) { return value(columns, of, depth - 1); };
    if (below(3) == 0) return plan::resolve("case", {again(plan::Type::boolean), again(type), again(type)});
    if (below(3) == 0) return plan::resolve("coalesce", {again(type), again(type)});
    if (type == plan::Type::boolean) {
      const plan::Type of = one_of(kTypes);
      return plan::resolve(one_of(std::vector<std::string>{"=", "<", "is not distinct from"}), {again(of), again(of)});
    }
    if (plan::is_number(type))
      return plan::resolve(one_of(std::vector<std::string>{"+", "*", "-"}), {again(type), again(type)});
    return again(type);
  }

  plan::Relation scan_of(const std::string& table) { return plan::scan(project_, table); }

  // Rows of units, through up to `steps` steps.
  plan::Relation relation(int steps) {
    plan::Relation rows =
        scan_of(one_of(std::vector<std::string>{"visits", "visits", "people", "bills", "parts", "logs"}));
    for (int i = 0; i < steps; ++i) rows = stepped(rows);
    return rows;
  }

  // Keys, the unit, values; every measure that the values allow.
  plan::BoundedAggregate aggregate(const plan::Relation& rows, bool apart) {
    const std::vector<plan::Facts>& from = rows->columns();
    plan::BoundedAggregate asked;
    std::vector<plan::Expression> columns;
    asked.keys = below(3);
    for (std::size_t i = 0; i < asked.keys; ++i) columns.push_back(any(from, one_of(kTypes)));
    columns.push_back(plan::column(rows->owner().unit, from[rows->owner().unit].type));
    const std::size_t first = columns.size();
    for (std::size_t i = 0; i < 3; ++i) columns.push_back(any(from, i == 0 ? plan::Type::integer : plan::Type::real));
    columns.push_back(any(from, plan::Type::text));
    asked.rows = plan::project(rows, columns);
    asked.keys_per_unit = 1 + below(3);
    if (below(2) == 0) asked.rows_per_unit = 1 + below(5);
    const std::uint64_t most = 1 + below(3);
    const auto count = static_cast<Int128>(most);
    asked.measures = {
        {.kind = plan::MeasureKind::units, .column = {}, .total_low = 0, .total_high = 1},
        {.kind = plan::MeasureKind::rows, .column = {}, .rows = most, .total_low = 0, .total_high = count},
        {.kind = plan::MeasureKind::rows, .column = first + 1, .rows = most, .total_low = 0, .total_high = count},
        {.kind = plan::MeasureKind::rows, .column = first, .rows = 0, .total_low = 0, .total_high = count},
        {.kind = plan::MeasureKind::cut_units, .column = {}, .rows = most, .total_low = 0, .total_high = 1},
        {.kind = plan::MeasureKind::cut_units, .column = first + 2, .rows = most, .total_low = 0, .total_high = 1}};
    for (const plan::MeasureKind kind :
         {plan::MeasureKind::sum, plan::MeasureKind::squares, plan::MeasureKind::products}) {
      for (std::size_t column = first; column < first + 3; ++column) {
        asked.measures.push_back(measure(kind, column));
        asked.measures.back().centred = kind == plan::MeasureKind::sum && column == first + 2;
        limit(asked.measures.back(), most);
      }
    }
    if (!apart) return asked;
    asked.measures.push_back(
        {.kind = plan::MeasureKind::distinct, .column = first + 3, .rows = most, .total_high = count});
    asked.measures.push_back(
        {.kind = plan::MeasureKind::distinct, .column = first + 1, .rows = most, .total_high = count});
    asked.measures.push_back(measure(plan::MeasureKind::histogram, first));
    asked.measures.push_back(measure(plan::MeasureKind::histogram, first + 2));
    for (std::size_t i = asked.measures.size() - 2; i < asked.measures.size(); ++i) asked.measures[i].rows = most;
    return asked;
  }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  static inline const std::vector<plan::Type> kTypes = {plan::Type::boolean, plan::Type::integer,
                                                        plan::Type::real,    plan::Type::text,
                                                        plan::Type::date,    plan::Type::timestamp};

  static bool is_null(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }
  static bool repeats(const testing::PlanRows& rows) {
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      if (rows[i][0] == rows.back()[0]) return true;
    }
    return false;
  }

  plan::Expression any(const std::vector<plan::Facts>& columns, plan::Type type) {
    for (int i = 0; i < 20; ++i) {
      plan::Expression found = value(columns, type, static_cast<int>(below(2)));
      if (!found.reads().empty()) return found;
    }
    return constant(type);
  }

  plan::Measure measure(plan::MeasureKind kind, std::size_t column) {
    plan::Measure one{.kind = kind, .column = column};
    one.step = one_of(std::vector<Rational>{Rational(1), Rational(1, 100), Rational(3, 2), Rational(2)});
    one.low = -static_cast<Int128>(below(4));
    one.high = one.low + static_cast<Int128>(below(200));
    if (kind == plan::MeasureKind::products) {
      one.second = plan::Measure::Second{column == 1 ? 2 : column, Rational(1, 2), -1, 3};
    }
    return one;
  }

  // By rows, clamped or scaled, or by a total that is stated itself.
  void limit(plan::Measure& one, std::uint64_t rows) {
    const auto [low, high] = detail::row_range(one);
    if (below(4) == 0) {
      one.rows = 0;
      one.total_low = low * static_cast<Int128>(below(3));
      one.total_high = high + static_cast<Int128>(below(9));
      return;
    }
    one.rows = rows;
    if (below(2) == 0) {
      one.cut = plan::Cut::scale;
      one.finer = one_of(std::vector<unsigned>{0, 1, 3, 16});
    }
    const Int128 finer = Int128{1} << one.finer;
    const auto count = static_cast<Int128>(rows);
    one.total_low = finer * std::min(low, count * low);
    one.total_high = finer * std::max(high, count * high);
  }

  plan::Relation stepped(const plan::Relation& rows) {
    const std::vector<plan::Facts>& columns = rows->columns();
    const std::size_t unit = rows->owner().unit;
    switch (below(6)) {
      case 0:
        return plan::filter(rows, value(columns, plan::Type::boolean, 2));
      case 1: {
        std::vector<plan::Expression> list;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          list.push_back(i == unit ? plan::column(unit, columns[i].type) : value(columns, columns[i].type, 1));
        }
        return plan::project(rows, list);
      }
      case 2:
        return rows->owner().row_is_unit
                   ? plan::distinct(rows)
                   : plan::union_all({rows, plan::filter(rows, value(columns, plan::Type::boolean, 1))});
      case 3:
        return plan::distinct(rows);
      case 4: {
        if (rows->owner().row_is_unit || columns[unit].type != plan::Type::integer) return rows;
        const plan::Relation people = scan_of(below(2) == 0 ? "people" : "visits");
        return plan::join(rows, people, below(2) == 0 ? plan::JoinKind::inner : plan::JoinKind::left, {{unit, 0}});
      }
      default: {
        const bool by_zone = below(2) == 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          if (i == unit || columns[i].type != (by_zone ? plan::Type::integer : plan::Type::text)) continue;
          return plan::join(rows, scan_of("regions"), below(2) == 0 ? plan::JoinKind::inner : plan::JoinKind::left,
                            {{i, by_zone ? 1 : 0}});
        }
        return rows;
      }
    }
  }

  const plan::Project& project_;
  std::mt19937_64 random_;
};

}  // namespace dither::engine
