// For tests: cells of a declared table in Arrow's layout.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/arrow_check.h"
#include "plan/project.h"
#include "testing/plan_reference.h"

namespace dither::engine {

template <class T>
Maybe<T> values_of_cells(const testing::PlanRows& rows, std::size_t column) {
  Maybe<T> values;
  for (const testing::PlanRow& row : rows) {
    const T* value = std::get_if<T>(&row[column]);
    values.push_back(value == nullptr ? std::nullopt : std::optional(*value));
  }
  return values;
}

// Cells of a declared column; texts by turns as each layout has them.
inline ArrowColumn column_of_cells(const plan::ColumnDeclaration& column, const testing::PlanRows& rows,
                                   std::size_t place, std::size_t before) {
  switch (column.type) {
    case plan::Type::boolean:
      return boolean_column(column.name, values_of_cells<bool>(rows, place), before);
    case plan::Type::integer:
      return fixed_column(column.name, "l", values_of_cells<std::int64_t>(rows, place), before);
    case plan::Type::real:
      return fixed_column(column.name, "g", values_of_cells<double>(rows, place), before);
    case plan::Type::text:
      if (place % 2 == 0) return view_column(column.name, values_of_cells<std::string>(rows, place));
      return text_column<std::int64_t>(column.name, "U", values_of_cells<std::string>(rows, place), before);
    case plan::Type::timestamp:
      return fixed_column(column.name, "tsu:UTC", values_of_cells<std::int64_t>(rows, place), before);
    case plan::Type::date: {
      Maybe<std::int32_t> days;
      for (const auto& day : values_of_cells<std::int64_t>(rows, place)) {
        days.push_back(day ? std::optional(static_cast<std::int32_t>(*day)) : std::nullopt);
      }
      return fixed_column(column.name, "tdD", days, before);
    }
  }
  std::abort();
}

// In chunks of so many rows, each behind more nonsense than the one before.
inline std::shared_ptr<const MemoryTable> table_of_cells(const plan::TableDeclaration& table,
                                                         const testing::PlanRows& rows, std::size_t most) {
  std::vector<ArrowChunk> chunks;
  for (std::size_t from = 0; from < rows.size() || chunks.empty(); from += most) {
    const std::size_t to = std::min(rows.size(), from + most);
    const testing::PlanRows some(rows.begin() + static_cast<std::ptrdiff_t>(from),
                                 rows.begin() + static_cast<std::ptrdiff_t>(to));
    ArrowChunk& chunk = chunks.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      chunk.push_back(column_of_cells(table.columns[i], some, i, chunks.size() - 1));
    }
  }
  return table_of(std::move(chunks));
}

}  // namespace dither::engine
