#include "engine/detail/table_sql.h"

#include <fmt/format.h>

namespace dither::engine::detail {
namespace {

using plan::Dialect;
using plan::TableDeclaration;

class Tables {
 public:
  Tables(const plan::Project& project, Dialect dialect, Typed typed, bool units, Own own)
      : project_(project), dialect_(dialect), typed_(std::move(typed)), units_(units), own_(std::move(own)) {}

  std::string sql(const TableDeclaration& table) const {
    if (table.is_public || std::holds_alternative<plan::UnitColumn>(table.unit)) {
      return fmt::format("({})", enforced(table, ""));
    }
    if (const auto* through = std::get_if<plan::UnitThrough>(&table.unit)) return owned(table, *through);
    return fmt::format("({})", enforced(table, fmt::format("{} AS c{}", number(), table.columns.size())));
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

  std::string owned(const TableDeclaration& table, const plan::UnitThrough& through) const {
    const TableDeclaration& parent = project_.table(through.table);
    OwnedRows rows{enforced(table, ""), {}, {}, "SELECT ", unit_type(parent)};
    for (const plan::ColumnDeclaration& column : table.columns) rows.types.push_back(column.type);
    for (const auto& [mine, theirs] : through.equal) {
      rows.owners += fmt::format("c{} AS k{}, ", place(parent, theirs), rows.refer.size());
      rows.refer.push_back(place(table, mine));
    }
    const auto* column = std::get_if<plan::UnitColumn>(&parent.unit);
    rows.owners += fmt::format("c{} AS u FROM {} AS t",
                               column != nullptr ? place(parent, column->column) : parent.columns.size(), sql(parent));
    return own_(rows);
  }

  plan::Type unit_type(const TableDeclaration& table) const {
    if (const auto* through = std::get_if<plan::UnitThrough>(&table.unit)) {
      return unit_type(project_.table(through->table));
    }
    const auto* column = std::get_if<plan::UnitColumn>(&table.unit);
    return column == nullptr ? plan::Type::integer : table.columns[place(table, column->column)].type;
  }

  const plan::Project& project_;
  Dialect dialect_;
  Typed typed_;
  bool units_;
  Own own_;
};

}  // namespace

std::string owned_sql(const OwnedRows& rows) {
  std::string keys, on;
  for (std::size_t i = 0; i < rows.refer.size(); ++i) {
    keys += fmt::format("k{}, ", i);
    on += fmt::format("{}l.c{} = r.k{}", i == 0 ? "" : " AND ", rows.refer[i], i);
  }
  return fmt::format(
      "(SELECT {}, r.u AS c{} FROM ({}) AS l LEFT JOIN (SELECT {}min(u) AS u FROM ({}) AS o GROUP BY {}) AS r ON {})",
      plan::column_list(rows.types.size(), "l."), rows.types.size(), rows.rows, keys, rows.owners,
      keys.substr(0, keys.size() - 2), on);
}

plan::Leaf table_leaves(const plan::Project& project, Dialect dialect, Typed typed, bool units, Own own) {
  return [&project, tables = Tables(project, dialect, std::move(typed), units, std::move(own))](
             const plan::Relation& relation) -> std::optional<std::string> {
    const auto* scan = std::get_if<plan::Scan>(&relation->step());
    if (scan == nullptr) return std::nullopt;
    return tables.sql(project.table(scan->table));
  };
}

}  // namespace dither::engine::detail
