#include "engine/detail/memory_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "engine/detail/memory_fill.h"
#include "engine/detail/table_function.h"

namespace dither::engine::detail {
namespace {

// What one scan shares between its threads.
struct Scan {
  std::vector<std::size_t> columns;  // of the table, wanted now
  std::atomic<std::size_t> next = 0;
};

// What each thread has: the rest of its slice.
struct Reading {
  MemorySlice slice{0, 0, 0};
};

void add_column(duckdb_bind_info info, std::size_t place, const MemoryLayout& layout) {
  const duckdb_type id = type_in_duckdb("", layout).type;
  duckdb_logical_type type = id == DUCKDB_TYPE_DECIMAL
                                 ? duckdb().create_decimal_type(static_cast<std::uint8_t>(layout.digits),
                                                                static_cast<std::uint8_t>(layout.scale))
                                 : duckdb().create_logical_type(id);
  duckdb().bind_add_result_column(info, fmt::format("f{}", place).c_str(), type);
  duckdb().destroy_logical_type(&type);
}

void bind(duckdb_bind_info info) {
  const auto* scans = static_cast<const MemoryScans*>(duckdb().bind_get_extra_info(info));
  duckdb_value parameter = duckdb().bind_get_parameter(info, 0);
  const MemoryTable& table = scans->at(static_cast<std::size_t>(duckdb().get_int64(parameter)));
  duckdb().destroy_value(&parameter);
  const MemoryContent& content = table.content();
  for (std::size_t i = 0; i < content.layouts.size(); ++i) add_column(info, i, content.layouts[i]);
  if (content.layouts.empty()) add_column(info, 0, {});  // a table without columns still has rows to count
  duckdb().bind_set_cardinality(info, content.rows, true);
  duckdb().bind_set_bind_data(info, const_cast<MemoryContent*>(&content), nullptr);
}

void begin(duckdb_init_info info) {
  const auto& content = *static_cast<const MemoryContent*>(duckdb().init_get_bind_data(info));
  auto scan = std::make_unique<Scan>();
  for (std::size_t i = 0; i < duckdb().init_get_column_count(info); ++i) {
    scan->columns.push_back(duckdb().init_get_column_index(info, i));
  }
  duckdb().init_set_max_threads(info, std::max<std::size_t>(content.slices.size(), 1));
  duckdb().init_set_init_data(info, scan.release(), destroy<Scan>);
}

void begin_thread(duckdb_init_info info) { duckdb().init_set_init_data(info, new Reading, destroy<Reading>); }

void fill(duckdb_function_info info, duckdb_data_chunk output) {
  const auto& content = *static_cast<const MemoryContent*>(duckdb().function_get_bind_data(info));
  auto& scan = *static_cast<Scan*>(duckdb().function_get_init_data(info));
  MemorySlice& left = static_cast<Reading*>(duckdb().function_get_local_init_data(info))->slice;
  if (left.rows == 0) {
    const std::size_t next = scan.next.fetch_add(1);
    if (next >= content.slices.size()) return duckdb().data_chunk_set_size(output, 0);
    left = content.slices[next];
  }
  const auto most = static_cast<std::int64_t>(std::min(kMostRows, static_cast<std::size_t>(duckdb().vector_size())));
  const MemorySlice now{left.chunk, left.begin, std::min(left.rows, most)};
  for (std::size_t i = 0; i < scan.columns.size(); ++i) {
    duckdb_vector vector = duckdb().data_chunk_get_vector(output, i);
    if (scan.columns[i] < content.layouts.size()) {
      fill_vector(rows_of(content, scan.columns[i], now), vector);
    } else {
      fill_nothing(static_cast<std::size_t>(now.rows), vector);
    }
  }
  duckdb().data_chunk_set_size(output, static_cast<idx_t>(now.rows));
  left.begin += now.rows;
  left.rows -= now.rows;
}

}  // namespace

MemoryScans::MemoryScans(Connection& connection, MemoryTables tables) : tables_(std::move(tables)) {
  if (tables_.empty()) return;
  register_table<bind, begin, begin_thread, fill>(connection, "dither_memory", this);
}

const MemoryTable& MemoryScans::at(std::size_t index) const {
  return *std::next(tables_.begin(), static_cast<std::ptrdiff_t>(index))->second;
}

SourcePart MemoryScans::part(const std::string& table) const {
  const auto given = tables_.find(table);
  SourcePart part = part_in_memory(*given->second);
  part.from = fmt::format("dither_memory({})", std::distance(tables_.begin(), given));
  return part;
}

SourcePart part_in_memory(const MemoryTable& table) {
  const std::vector<MemoryColumn>& columns = table.columns();
  SourcePart part;
  part.file = kTableInMemory;
  part.in_memory = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto same = [&](const ResultColumn& other) { return other.name == columns[i].name; };
    if (std::any_of(part.columns.begin(), part.columns.end(), same)) part.unfit[columns[i].name] = "shares its name";
    if (!columns[i].is) part.unfit[columns[i].name] = fmt::format("is of Arrow's type {}", columns[i].type);
    part.columns.push_back(type_in_duckdb(columns[i].name, table.content().layouts[i]));
    part.cells.push_back(fmt::format("f{}", i));
  }
  return part;
}

}  // namespace dither::engine::detail
