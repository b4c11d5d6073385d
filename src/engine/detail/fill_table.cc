#include "engine/detail/fill_table.h"

#include <algorithm>
#include <cstdlib>

namespace dither::engine::detail {
namespace {

duckdb_type type_of(plan::Type type) {
  switch (type) {
    case plan::Type::boolean:
      return DUCKDB_TYPE_BOOLEAN;
    case plan::Type::integer:
      return DUCKDB_TYPE_BIGINT;
    case plan::Type::real:
      return DUCKDB_TYPE_DOUBLE;
    case plan::Type::text:
      return DUCKDB_TYPE_VARCHAR;
    case plan::Type::date:
      return DUCKDB_TYPE_DATE;
    case plan::Type::timestamp:
      return DUCKDB_TYPE_TIMESTAMP;
  }
  std::abort();
}

template <class T>
void put(duckdb_vector vector, std::size_t row, T value) {
  static_cast<T*>(duckdb().vector_get_data(vector))[row] = value;
}

void put_cell(duckdb_vector vector, plan::Type type, std::size_t row, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) {
    duckdb().vector_ensure_validity_writable(vector);
    duckdb().validity_set_row_validity(duckdb().vector_get_validity(vector), row, false);
    return;
  }
  switch (type) {
    case plan::Type::boolean:
      return put(vector, row, std::get<bool>(cell));
    case plan::Type::integer:
    case plan::Type::timestamp:
      return put(vector, row, std::get<std::int64_t>(cell));
    case plan::Type::date:
      return put(vector, row, static_cast<std::int32_t>(std::get<std::int64_t>(cell)));
    case plan::Type::real:
      return put(vector, row, std::get<double>(cell));
    case plan::Type::text: {
      const auto& text = std::get<std::string>(cell);
      return duckdb().vector_assign_string_element_len(vector, row, text.data(), text.size());
    }
  }
}

// An appender with a chunk to fill.
class Appender {
 public:
  Appender(Connection& connection, const std::string& table, const std::vector<plan::Type>& types) : types_(types) {
    std::vector<duckdb_logical_type> logical;
    for (const plan::Type type : types) logical.push_back(duckdb().create_logical_type(type_of(type)));
    chunk_ = duckdb().create_data_chunk(logical.data(), logical.size());
    for (duckdb_logical_type& type : logical) duckdb().destroy_logical_type(&type);
    check(duckdb().appender_create(connection.get(), nullptr, table.c_str(), &appender_));
  }
  ~Appender() {
    duckdb().destroy_data_chunk(&chunk_);
    duckdb().appender_destroy(&appender_);
  }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  void append(std::span<const std::vector<Cell>> rows) {
    duckdb().data_chunk_reset(chunk_);
    for (std::size_t column = 0; column < types_.size(); ++column) {
      const duckdb_vector vector = duckdb().data_chunk_get_vector(chunk_, column);
      for (std::size_t row = 0; row < rows.size(); ++row) put_cell(vector, types_[column], row, rows[row][column]);
    }
    duckdb().data_chunk_set_size(chunk_, rows.size());
    check(duckdb().append_data_chunk(appender_, chunk_));
  }

  void finish() { check(duckdb().appender_flush(appender_)); }

 private:
  void check(duckdb_state state) {
    if (state == DuckDBSuccess) return;
    const char* why = appender_ == nullptr ? nullptr : duckdb().appender_error(appender_);
    throw DuckDbFailure(why == nullptr ? "cannot append" : why);
  }

  const std::vector<plan::Type>& types_;
  duckdb_appender appender_ = nullptr;
  duckdb_data_chunk chunk_ = nullptr;
};

}  // namespace

const char* sql_type(plan::Type type) {
  switch (type) {
    case plan::Type::boolean:
      return "BOOLEAN";
    case plan::Type::integer:
      return "BIGINT";
    case plan::Type::real:
      return "DOUBLE";
    case plan::Type::text:
      return "VARCHAR";
    case plan::Type::date:
      return "DATE";
    case plan::Type::timestamp:
      return "TIMESTAMP";
  }
  std::abort();
}

void fill_table(Connection& connection, const std::string& table, const std::vector<plan::Type>& types,
                std::span<const std::vector<Cell>> rows) {
  Appender appender(connection, table, types);
  const std::size_t most = duckdb().vector_size();
  while (!rows.empty()) {
    const auto some = rows.first(std::min(most, rows.size()));
    appender.append(some);
    rows = rows.subspan(some.size());
  }
  appender.finish();
}

}  // namespace dither::engine::detail
