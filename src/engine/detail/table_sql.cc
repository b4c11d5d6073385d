#include "engine/detail/table_sql.h"

#include <fmt/format.h>

namespace dither::engine::detail {
namespace {

using plan::Dialect;
using plan::TableDeclaration;

class Tables {
 public:
  Tables(const plan::Project& project, Dialect dialect, Typed typed, bool units)
      : project_(project), dialect_(dialect), typed_(std::move(typed)), units_(units) {}

  std::string sql(const TableDeclaration& table) const {
    if (table.is_public || std::holds_alternative<plan::UnitColumn>(table.unit)) {
      return fmt::format("({})", enforced(table, ""));
    }
    const std::string unit = fmt::format("c{}", table.columns.size());
    if (const auto* through = std::get_if<plan::UnitThrough>(&table.unit)) return owned(table, *through, unit);
    return fmt::format("({})", enforced(table, fmt::format("{} AS {}", number(), unit)));
  }

 private:
  std::string enforced(const TableDeclaration& table, const std::string& more) const {
    std::string list;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string cell = plan::enforced_sql(table.columns[i], dialect_, fmt::format("c{}", i));
      list += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", cell, i);
    }
    if (!more.empty()) list += (list.empty() ? "" : ", ") + more;
    return fmt::format("SELECT {} FROM {} AS t", list, typed_(table));
  }

  std::string number() const {
    if (!units_) return "CAST(0 AS BIGINT)";
    return dialect_ == Dialect::spark ? "monotonically_increasing_id()" : "row_number() OVER ()";
  }

  static std::size_t place(const TableDeclaration& table, const std::string& column) {
    return static_cast<std::size_t>(table.find(column) - table.columns.data());
  }

  // The rows with the unit of the row they refer to, NULL where there is none.
  std::string owned(const TableDeclaration& table, const plan::UnitThrough& through, const std::string& unit) const {
    const TableDeclaration& parent = project_.table(through.table);
    const auto* column = std::get_if<plan::UnitColumn>(&parent.unit);
    const std::size_t parent_unit = column != nullptr ? place(parent, column->column) : parent.columns.size();
    std::string group, on;
    for (const auto& [mine, theirs] : through.equal) {
      const std::size_t there = place(parent, theirs);
      group += fmt::format("{}c{}", group.empty() ? "" : ", ", there);
      on += fmt::format("{}l.c{} = r.c{}", on.empty() ? "" : " AND ", place(table, mine), there);
    }
    return fmt::format(
        "(SELECT {}, r.u AS {} FROM ({}) AS l LEFT JOIN (SELECT {}, min(c{}) AS u FROM {} AS t GROUP BY {}) AS r ON "
        "{})",
        plan::column_list(table.columns.size(), "l."), unit, enforced(table, ""), group, parent_unit, sql(parent),
        group, on);
  }

  const plan::Project& project_;
  Dialect dialect_;
  Typed typed_;
  bool units_;
};

}  // namespace

plan::Leaf table_leaves(const plan::Project& project, Dialect dialect, Typed typed, bool units) {
  return [&project, tables = Tables(project, dialect, std::move(typed), units)](
             const plan::Relation& relation) -> std::optional<std::string> {
    const auto* scan = std::get_if<plan::Scan>(&relation->step());
    if (scan == nullptr) return std::nullopt;
    return tables.sql(project.table(scan->table));
  };
}

}  // namespace dither::engine::detail
