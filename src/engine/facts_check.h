// For tests and fuzzing: whether DuckDB gives what an expression means, within the facts that are claimed of it.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "engine/detail/fill_table.h"
#include "plan/facts_check.h"
#include "plan/functions.h"

namespace dither::engine {

// Rows of cells, in columns c0, c1, ...
struct CheckTable {
  std::vector<plan::Type> types;
  std::vector<std::vector<Cell>> rows;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < types.size(); ++i) all.push_back(fmt::format("c{}", i));
    return all;
  }
  // What is known of each column: all its values, their range, or the type alone.
  std::vector<plan::Facts> facts(int how) const {
    std::vector<plan::Facts> all;
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::vector<Cell> cells;
      for (const auto& row : rows) cells.push_back(row[i]);
      all.push_back(plan::known_of(types[i], cells, how));
    }
    return all;
  }
};

// An expression, how it is asked for, and what is claimed of it. A planted bug changes one of the last two.
struct CheckCase {
  plan::Expression expression;
  std::string sql;
  std::vector<plan::Facts> claims;
};

inline CheckCase make_case(const plan::Expression& expression, const CheckTable& table) {
  CheckCase made{expression, plan::spell(expression, plan::Dialect::duckdb, table.names()), {}};
  for (int how = 0; how < 4; ++how) made.claims.push_back(plan::facts(expression, table.facts(how)));
  return made;
}

inline std::string shown(plan::Type type, const Cell& cell) {
  std::string text = plan::str({type, cell});
  return text.size() <= 60 ? text : fmt::format("{}... ({} bytes)", text.substr(0, 60), text.size());
}

class FactsChecker {
 public:
  FactsChecker() : database_(options()), connection_(database_) {}

  // The first thing that is wrong with these cases over the table, in words. Rows alone and filters are tried for some
  // rows and cases that `pick` names.
  template <class Pick>
  std::optional<std::string> wrong_with(const CheckTable& table, std::span<const CheckCase> cases, Pick pick) {
    table_ = &table;
    try {
      hold(table);
      if (auto wrong = all_rows(cases)) return wrong;
      for (int i = 0; i < 3; ++i) {
        const std::size_t row = pick(table.rows.size());
        if (auto wrong = row_alone(cases, row)) return wrong;
        if (auto wrong = row_of_constants(cases, row)) return wrong;
      }
      if (auto wrong = filtered(cases[pick(cases.size())], cases[pick(cases.size())])) return wrong;
    } catch (const detail::DuckDbFailure& failure) {
      return described_failure(cases, failure);
    }
    return std::nullopt;
  }

 private:
  static detail::DatabaseOptions options() {
    detail::DatabaseOptions options;
    options.threads = 1;
    return options;
  }

  // All cells of the table, and the number of each row.
  void hold(const CheckTable& table) {
    std::string columns = "row BIGINT";
    std::vector<plan::Type> types = {plan::Type::integer};
    for (std::size_t i = 0; i < table.types.size(); ++i) {
      columns += fmt::format(", c{} {}", i, detail::sql_type(table.types[i]));
      types.push_back(table.types[i]);
    }
    connection_.query(fmt::format("CREATE OR REPLACE TABLE t ({})", columns));
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      rows.push_back({static_cast<std::int64_t>(i)});
      rows.back().insert(rows.back().end(), table.rows[i].begin(), table.rows[i].end());
    }
    detail::fill_table(connection_, "t", types, rows);
  }

  static std::string selected(std::span<const CheckCase> cases) {
    std::string text;
    for (const CheckCase& one : cases) text += ", " + one.sql;
    return text;
  }

  Cell meant(const CheckCase& one, std::size_t row) const { return plan::evaluate(one.expression, table_->rows[row]); }

  std::string complaint(const CheckCase& one, std::size_t row, std::string_view what) const {
    std::string text =
        fmt::format("{}\n  as {}\n  {}\n  where", one.expression.text().substr(0, 2000), one.sql.substr(0, 2000), what);
    for (const std::size_t column : one.expression.reads()) {
      text += fmt::format(" #{} = {}", column, shown(table_->types[column], table_->rows[row][column]));
    }
    return text;
  }

  std::optional<std::string> cell_wrong(const CheckCase& one, std::size_t row, const Cell& given,
                                        std::string_view how) const {
    const plan::Type type = one.expression.type();
    const Cell wanted = meant(one, row);
    if (given == wanted || canonical(given) == canonical(wanted)) return std::nullopt;
    return complaint(one, row, fmt::format("is {} ({}), but means {}", shown(type, given), how, shown(type, wanted)));
  }

  std::optional<std::string> all_rows(std::span<const CheckCase> cases) {
    detail::Result result = connection_.query(fmt::format("SELECT row{} FROM t", selected(cases)));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (auto wrong = type_wrong(cases[i], result.type(i + 1))) return wrong;
    }
    const auto rows = result.rows();
    if (rows.size() != table_->rows.size()) return fmt::format("{} rows of {}", rows.size(), table_->rows.size());
    for (const auto& row : rows) {
      const auto number = static_cast<std::size_t>(std::get<std::int64_t>(row[0]));
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (auto wrong = cell_wrong(cases[i], number, row[i + 1], "among all rows")) return wrong;
        for (const plan::Facts& claim : cases[i].claims) {
          if (keeps(claim, row[i + 1])) continue;
          return complaint(cases[i], number,
                           fmt::format("is {}, but: {}", shown(claim.type, row[i + 1]), describe(claim)));
        }
      }
    }
    return std::nullopt;
  }

  static std::optional<std::string> type_wrong(const CheckCase& one, duckdb_type given) {
    const std::pair<plan::Type, duckdb_type> types[] = {
        {plan::Type::boolean, DUCKDB_TYPE_BOOLEAN}, {plan::Type::integer, DUCKDB_TYPE_BIGINT},
        {plan::Type::real, DUCKDB_TYPE_DOUBLE},     {plan::Type::text, DUCKDB_TYPE_VARCHAR},
        {plan::Type::date, DUCKDB_TYPE_DATE},       {plan::Type::timestamp, DUCKDB_TYPE_TIMESTAMP}};
    for (const auto& [type, wanted] : types) {
      if (type == one.expression.type() && given == wanted) return std::nullopt;
    }
    return fmt::format("{}\n  as {}\n  has DuckDB's type {}", one.expression.text(), one.sql, static_cast<int>(given));
  }

  std::optional<std::string> row_alone(std::span<const CheckCase> cases, std::size_t row) {
    return one_row(cases, row, fmt::format("SELECT row{} FROM t WHERE row = {}", selected(cases), row),
                   "in a row alone");
  }

  // The row's cells written out: what the optimiser works out itself.
  std::optional<std::string> row_of_constants(std::span<const CheckCase> cases, std::size_t row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < table_->types.size(); ++i) {
      cells.push_back(plan::spell(plan::constant({table_->types[i], table_->rows[row][i]}), plan::Dialect::duckdb, {}));
    }
    std::string list;
    for (const CheckCase& one : cases) list += ", " + plan::spell(one.expression, plan::Dialect::duckdb, cells);
    return one_row(cases, row, fmt::format("SELECT {}{}", row, list), "of constants");
  }

  std::optional<std::string> one_row(std::span<const CheckCase> cases, std::size_t row, const std::string& sql,
                                     std::string_view how) {
    const auto rows = connection_.query(sql).rows();
    if (rows.size() != 1) return fmt::format("{} rows {}", rows.size(), how);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (auto wrong = cell_wrong(cases[i], row, rows[0][i + 1], how)) return wrong;
    }
    return std::nullopt;
  }

  // One under a condition made of another: the rows that mean it, and the same cells in them.
  std::optional<std::string> filtered(const CheckCase& shown_case, const CheckCase& other) {
    const std::string condition =
        other.expression.type() == plan::Type::boolean ? other.sql : fmt::format("({} IS NOT NULL)", other.sql);
    const auto rows =
        connection_.query(fmt::format("SELECT row, {} FROM t WHERE {}", shown_case.sql, condition)).rows();
    std::size_t next = 0;
    for (std::size_t row = 0; row < table_->rows.size(); ++row) {
      const Cell truth = meant(other, row);
      const bool wanted = other.expression.type() == plan::Type::boolean ? truth == Cell{true} : truth != Cell{};
      const bool given = next < rows.size() && rows[next][0] == Cell{static_cast<std::int64_t>(row)};
      if (given != wanted) return complaint(other, row, given ? "is kept as a condition" : "is dropped as a condition");
      if (!given) continue;
      if (auto wrong = cell_wrong(shown_case, row, rows[next][1], "under the condition " + other.sql)) return wrong;
      ++next;
    }
    return std::nullopt;
  }

  // Which of the cases fails, by itself.
  std::string described_failure(std::span<const CheckCase> cases, const detail::DuckDbFailure& failure) {
    for (const CheckCase& one : cases) {
      try {
        connection_.query(fmt::format("SELECT {} FROM t", one.sql));
      } catch (const detail::DuckDbFailure& own) {
        return fmt::format("{}\n  as {}\n  fails: {}", one.expression.text().substr(0, 2000), one.sql.substr(0, 2000),
                           own.text());
      }
    }
    return fmt::format("fails: {}", failure.text());
  }

  detail::Database database_;
  detail::Connection connection_;
  const CheckTable* table_ = nullptr;
};

}  // namespace dither::engine
