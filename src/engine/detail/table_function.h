// Tables of our own that DuckDB reads: a table function whose one parameter says which of them.
#pragma once

#include <exception>

#include "engine/detail/duckdb.h"

namespace dither::engine::detail {

// How DuckDB ends what it was given.
template <class T>
void destroy(void* one) {
  delete static_cast<T*>(one);
}

// No exception may cross the functions of a library in C: DuckDB is told that the table is lost, and nothing of why.
template <auto act, auto complain, class Info, class... More>
void guarded(Info info, More... more) {
  try {
    act(info, more...);
  } catch (const std::exception&) {
    (duckdb().*complain)(info, "a table cannot be read");
  }
}

// Makes it known under a name: bound, begun once, begun by each thread, filled chunk by chunk, columns as they are wanted.
// `owner` is what the functions find as extra info; it lives as long as the database. Throws DuckDbFailure.
template <auto bind, auto begin, auto begin_thread, auto fill>
void register_table(Connection& connection, const char* name, void* owner) {
  duckdb_table_function function = duckdb().create_table_function();
  duckdb().table_function_set_name(function, name);
  duckdb_logical_type whole = duckdb().create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb().table_function_add_parameter(function, whole);
  duckdb().destroy_logical_type(&whole);
  duckdb().table_function_set_extra_info(function, owner, nullptr);
  duckdb().table_function_set_bind(function, guarded<bind, &DuckDbApi::bind_set_error>);
  duckdb().table_function_set_init(function, guarded<begin, &DuckDbApi::init_set_error>);
  duckdb().table_function_set_local_init(function, guarded<begin_thread, &DuckDbApi::init_set_error>);
  duckdb().table_function_set_function(function, guarded<fill, &DuckDbApi::function_set_error>);
  duckdb().table_function_supports_projection_pushdown(function, true);
  const duckdb_state done = duckdb().register_table_function(connection.get(), function);
  duckdb().destroy_table_function(&function);
  if (done != DuckDBSuccess) throw DuckDbFailure("a table function is not taken");
}

}  // namespace dither::engine::detail
