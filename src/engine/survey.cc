#include "engine/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/detail/csv.h"
#include "engine/detail/json.h"
#include "engine/detail/key_survey.h"
#include "engine/detail/opened.h"
#include "engine/detail/source_files.h"
#include "engine/detail/table_sql.h"

namespace dither::engine {
namespace {

using plan::ColumnDeclaration;
using plan::Dialect;
using plan::TableDeclaration;

std::uint64_t count_of(const Cell& cell) {
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole == nullptr ? 0 : static_cast<std::uint64_t>(*whole);
}

std::string count_where(const std::string& condition) { return fmt::format("count(*) FILTER (WHERE {})", condition); }

class Surveyor {
 public:
  explicit Surveyor(const plan::Project& project)
      : project_(project), opened_(project, {}), connection_(opened_.database()) {}

  TableSurvey table(const TableDeclaration& table) {
    const std::vector<std::string> tables = detail::with_owners(project_, {table.name});
    const bool can_fail = opened_.can_fail(tables);
    try {
      return counted(table);
    } catch (const detail::DuckDbFailure&) {
      if (can_fail) opened_.take_care(tables);
    }
    try {
      return counted(table);
    } catch (const detail::DuckDbFailure&) {
      throw Error{Code::bad_source,
                  fmt::format("table \"{}\": {} cannot be read to its end", table.name, table.source.path),
                  "look whether the file is complete, and whether memory and the folder for temporary files have room"};
    }
  }

 private:
  TableSurvey counted(const TableDeclaration& table) {
    TableSurvey survey;
    survey.table = table.name;
    cells(table, survey);
    if (!table.is_public) units(table, survey);
    if (!table.is_public) keys(table, survey);
    uniqueness(table, survey);
    damage(table, survey);
    return survey;
  }

  std::vector<Cell> row(const std::string& sql) { return connection_.query(sql).rows().at(0); }

  void cells(const TableDeclaration& table, TableSurvey& survey) {
    std::string counts = "count(*)";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      ColumnDeclaration column = table.columns[i];
      column.null_as.reset();
      const std::string cell = fmt::format("c{}", i);
      const std::string kept = plan::enforced_sql(column, Dialect::duckdb, cell);
      const std::string is_there = fmt::format("{} IS NOT NULL", cell);
      const std::string readable =
          column.type == plan::Type::real ? fmt::format("({} AND isfinite({}))", is_there, cell) : is_there;
      counts += fmt::format(", {}, {}, {}", count_where(fmt::format("n{}", i)),
                            count_where(fmt::format("NOT n{} AND NOT ({})", i, readable)),
                            count_where(fmt::format("{} AND {} IS DISTINCT FROM {}", readable, kept, cell)));
    }
    const std::vector<Cell> found = row(
        fmt::format("SELECT {} FROM {} AS t", counts, opened_.typed_with_nulls(table, opened_.reading_of(table.name))));
    survey.rows = count_of(found[0]);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      survey.columns.push_back(
          {table.columns[i].name, count_of(found[1 + 3 * i]), count_of(found[2 + 3 * i]), count_of(found[3 + 3 * i])});
    }
  }

  std::string enforced(const TableDeclaration& table) {
    const auto typed = [&](const TableDeclaration& one) { return opened_.typed(one, opened_.reading_of(one.name)); };
    return *detail::table_leaves(project_, Dialect::duckdb, typed)(plan::scan(project_, table.name));
  }

  void units(const TableDeclaration& table, TableSurvey& survey) {
    const plan::Relation scan = plan::scan(project_, table.name);
    const std::string unit = fmt::format("c{}", scan->owner().unit);
    survey.without_unit =
        count_of(row(fmt::format("SELECT {} FROM {} AS t", count_where(unit + " IS NULL"), enforced(table)))[0]);
    if (!table.bounds.rows_per_unit || scan->owner().row_is_unit) return;
    survey.cut_units =
        count_of(row(fmt::format("SELECT count(*) FROM (SELECT count(*) AS n FROM {1} AS t WHERE {2} IS NOT NULL GROUP "
                                 "BY {2}) AS u WHERE n > {0}",
                                 *table.bounds.rows_per_unit, enforced(table), unit))[0]);
    if (survey.cut_units == 0) return;
    for (const ColumnDeclaration& column : table.columns) {
      if (plan::is_number(column.type) && column.bounds) cut(table, column, unit, survey);
    }
  }

  // Of every column with declared keys. A row that is a unit is not cut.
  void keys(const TableDeclaration& table, TableSurvey& survey) {
    if (plan::scan(project_, table.name)->owner().row_is_unit) return;
    for (std::size_t at = 0; at < table.columns.size(); ++at) {
      if (!table.columns[at].keys) continue;
      auto found = detail::survey_keys(opened_.database(), project_, table, at, enforced(table));
      if (found && (found->over_keys > 0 || found->over_rows > 0 || !found->keys.empty())) {
        survey.by_key.push_back(std::move(*found));
      }
    }
  }

  // By the rules of docs/bounding.md, in doubles: in the mean a unit's rows weigh less, its sum is clamped.
  void cut(const TableDeclaration& table, const ColumnDeclaration& column, const std::string& unit,
           TableSurvey& survey) {
    const std::string value = fmt::format("CAST(c{} AS DOUBLE)", &column - table.columns.data());
    const auto digits = [](double bound) { return fmt::format("CAST({} AS DOUBLE)", bound); };
    const std::vector<Cell> found =
        row(fmt::format("SELECT sum(s) / sum(n), sum(s), sum(s / n * t) / sum(t), "
                        "sum(greatest(least(s, greatest({5}, t * {5})), least({4}, t * {4}))) FROM (SELECT s, n, "
                        "least(n, {0}) AS t FROM "
                        "(SELECT count({1}) AS n, sum({1}) AS s FROM {2} AS t WHERE {3} IS NOT NULL GROUP BY {3}) AS u "
                        "WHERE n > 0) AS v",
                        *table.bounds.rows_per_unit, value, enforced(table), unit,
                        digits(column.bounds->low.to_double_down()), digits(column.bounds->high.to_double_up())));
    const auto at = [&](std::size_t i) {
      const auto* real = std::get_if<double>(&found[i]);
      return real == nullptr ? 0.0 : *real;
    };
    survey.cut.push_back({column.name, at(0), at(1), at(2), at(3)});
  }

  // Rows beyond those that may share these columns; all of them where they are to name one row. A row with a NULL there meets no
  // other one.
  std::uint64_t too_many(const TableDeclaration& table, const std::vector<std::string>& columns, std::uint64_t most) {
    std::string group, all;
    for (const std::string& column : columns) {
      const std::string cell = fmt::format("c{}", table.find(column) - table.columns.data());
      group += (group.empty() ? "" : ", ") + cell;
      all += (all.empty() ? "" : " AND ") + cell + " IS NOT NULL";
    }
    return count_of(
        row(fmt::format("SELECT CAST(COALESCE(sum(n), 0) AS BIGINT) FROM (SELECT count(*) AS n FROM {} AS t "
                        "WHERE {} GROUP BY {}) AS g WHERE n > {}",
                        enforced(table), all, group, most))[0]);
  }

  void uniqueness(const TableDeclaration& table, TableSurvey& survey) {
    if (table.unique.empty() && table.multiplicity.empty()) return;
    survey.not_unique = 0;
    for (const auto& columns : table.unique) *survey.not_unique += too_many(table, columns, 1);
    for (const auto& [columns, most] : table.multiplicity) *survey.not_unique += too_many(table, columns, most);
  }

  // What the readers make NULL looks like NULL above.
  void damage(const TableDeclaration& table, TableSurvey& survey) const {
    if (table.source.kind != plan::SourceKind::csv && table.source.kind != plan::SourceKind::json) return;
    std::vector<std::string> names;
    for (const ColumnDeclaration& column : table.columns) names.push_back(column.name);
    for (const std::string& file : detail::files_of(table.source, detail::folder_of(project_))) {
      if (table.source.kind == plan::SourceKind::csv) {
        detail::CsvReader reader(file, detail::delimiter_of(table.source));
        add_damage(reader, reader.header(), survey);
      } else {
        detail::JsonReader reader(file, names);
        add_damage(reader, names, survey);
      }
    }
  }

  static void add_damage(detail::RecordReader& reader, const std::vector<std::string>& names, TableSurvey& survey) {
    std::vector<std::string_view> cells;
    while (reader.next(cells)) {
    }
    survey.damaged += reader.damage().records;
    for (ColumnSurvey& column : survey.columns) {
      const auto at = std::find(names.begin(), names.end(), column.column);
      const std::uint64_t count = reader.damage().cells.at(static_cast<std::size_t>(at - names.begin()));
      column.null -= count;
      column.unreadable += count;
    }
  }

  const plan::Project& project_;
  detail::Opened opened_;
  detail::Connection connection_;
};

}  // namespace

std::vector<TableSurvey> survey(const plan::Project& project) {
  Surveyor surveyor(project);
  std::vector<TableSurvey> surveys;
  for (const TableDeclaration& table : project.tables) surveys.push_back(surveyor.table(table));
  return surveys;
}

}  // namespace dither::engine
