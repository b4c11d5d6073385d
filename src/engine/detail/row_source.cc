#include "engine/detail/row_source.h"

#include <fmt/format.h>

#include "engine/detail/row_bytes.h"
#include "engine/detail/table_function.h"
#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

using Bound = std::shared_ptr<const RowSource>;

struct Reading {
  std::vector<std::size_t> columns;  // wanted now
  std::vector<std::string_view> cells;
  std::unique_ptr<RowSource::Cursor> cursor;
};

void bind(duckdb_bind_info info) {
  const auto* sources = static_cast<const RowSources*>(duckdb().bind_get_extra_info(info));
  duckdb_value parameter = duckdb().bind_get_parameter(info, 0);
  const Bound source = sources->at(duckdb().get_int64(parameter));
  duckdb().destroy_value(&parameter);
  for (std::size_t i = 0; i < source->types().size(); ++i) {
    duckdb_logical_type type = duckdb().create_logical_type(type_in_duckdb(source->types()[i]));
    duckdb().bind_add_result_column(info, fmt::format("c{}", i).c_str(), type);
    duckdb().destroy_logical_type(&type);
  }
  duckdb().bind_set_bind_data(info, new Bound(source), destroy<Bound>);
}

void begin(duckdb_init_info info) {
  const auto& source = *static_cast<const Bound*>(duckdb().init_get_bind_data(info));
  auto reading = std::make_unique<Reading>();
  for (std::size_t i = 0; i < duckdb().init_get_column_count(info); ++i) {
    reading->columns.push_back(duckdb().init_get_column_index(info, i));
  }
  reading->cells.resize(source->types().size());
  reading->cursor = source->open();
  duckdb().init_set_max_threads(info, 1);
  duckdb().init_set_init_data(info, reading.release(), destroy<Reading>);
}

void begin_thread(duckdb_init_info) {}

void fill(duckdb_function_info info, duckdb_data_chunk output) {
  const auto& source = *static_cast<const Bound*>(duckdb().function_get_bind_data(info));
  auto& reading = *static_cast<Reading*>(duckdb().function_get_init_data(info));
  const std::size_t most = duckdb().vector_size();
  std::size_t row = 0;
  for (; row < most && reading.cursor->next(reading.cells); ++row) {
    for (std::size_t i = 0; i < reading.columns.size(); ++i) {
      const std::size_t column = reading.columns[i];
      if (column >= source->types().size()) continue;  // a row number, where rows are only counted
      put_cell(reading.cells[column], source->types()[column], duckdb().data_chunk_get_vector(output, i), row);
    }
  }
  duckdb().data_chunk_set_size(output, row);
}

}  // namespace

RowSources::RowSources(const Database& database) {
  Connection connection(database);
  register_table<bind, begin, begin_thread, fill>(connection, "dither_rows", this);
}

std::shared_ptr<const RowSource> RowSources::at(std::int64_t number) const {
  const std::lock_guard lock(guard_);
  return sources_.at(number);
}

RowSources::Named::Named(RowSources& all, std::shared_ptr<const RowSource> source) : all_(all) {
  const std::lock_guard lock(all_.guard_);
  number_ = all_.next_++;
  all_.sources_.emplace(number_, std::move(source));
}

RowSources::Named::~Named() {
  const std::lock_guard lock(all_.guard_);
  all_.sources_.erase(number_);
}

std::string RowSources::Named::from() const { return fmt::format("dither_rows({})", number_); }

}  // namespace dither::engine::detail
