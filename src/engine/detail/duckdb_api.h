// The functions of DuckDB's library that are used here, found when the first of them is needed.
#pragma once

#include <duckdb.h>

// clang-format off
#define DITHER_DUCKDB_FUNCTIONS(X)                                                                                     \
  X(library_version) X(create_config) X(set_config) X(destroy_config) X(open_ext) X(close) X(connect) X(disconnect)    \
  X(interrupt) X(query_progress) X(free) X(query) X(destroy_result) X(result_error) X(result_error_type)               \
  X(column_count) X(column_name) X(column_type) X(column_logical_type) X(fetch_chunk) X(prepare) X(prepare_error)      \
  X(destroy_prepare) X(execute_prepared) X(prepared_statement_column_count) X(prepared_statement_column_name)          \
  X(prepared_statement_column_logical_type) X(bind_varchar_length) X(bind_int64) X(bind_null)                          \
  X(create_logical_type) X(destroy_logical_type) X(get_type_id) X(decimal_width) X(decimal_scale)                      \
  X(decimal_internal_type) X(vector_size) X(create_data_chunk) X(destroy_data_chunk) X(data_chunk_reset)               \
  X(data_chunk_get_column_count) X(data_chunk_get_vector) X(data_chunk_get_size) X(data_chunk_set_size)                \
  X(vector_get_column_type) X(vector_get_data) X(vector_get_validity) X(vector_ensure_validity_writable)               \
  X(vector_assign_string_element_len) X(validity_row_is_valid) X(validity_set_row_validity)                            \
  X(string_t_length) X(string_t_data) X(list_vector_get_child)                                                         \
  X(appender_create) X(appender_destroy) X(appender_flush) X(append_data_chunk) X(appender_error)                      \
  X(create_scalar_function) X(destroy_scalar_function) X(scalar_function_set_name)                                     \
  X(scalar_function_set_special_handling) X(scalar_function_set_volatile) X(scalar_function_add_parameter)             \
  X(scalar_function_set_return_type) X(scalar_function_set_extra_info) X(scalar_function_set_function)                 \
  X(scalar_function_set_init) X(scalar_function_init_set_state) X(scalar_function_init_get_extra_info)                 \
  X(scalar_function_get_state) X(scalar_function_get_extra_info) X(scalar_function_set_error)                          \
  X(register_scalar_function) X(create_table_function) X(destroy_table_function) X(table_function_set_name)            \
  X(table_function_add_parameter) X(table_function_set_extra_info) X(table_function_set_bind)                          \
  X(table_function_set_init) X(table_function_set_local_init) X(table_function_set_function)                           \
  X(table_function_supports_projection_pushdown) X(register_table_function) X(bind_get_extra_info)                     \
  X(bind_get_parameter) X(bind_add_result_column) X(bind_set_bind_data) X(bind_set_error) X(init_get_bind_data)        \
  X(bind_set_cardinality) X(create_decimal_type)                                                                       \
  X(init_set_init_data) X(init_get_column_count) X(init_get_column_index) X(init_set_max_threads) X(init_set_error)    \
  X(function_get_bind_data) X(function_get_init_data) X(function_get_local_init_data) X(function_set_error)            \
  X(destroy_value) X(get_int64) X(unsafe_vector_assign_string_element_len) X(pending_prepared)                         \
  X(pending_execute_task) X(pending_execution_is_finished) X(pending_error) X(execute_pending) X(destroy_pending)      \
  X(scalar_function_set_bind) X(scalar_function_set_bind_data) X(scalar_function_set_bind_data_copy)                   \
  X(scalar_function_get_bind_data) X(scalar_function_bind_get_extra_info) X(scalar_function_bind_get_argument)         \
  X(scalar_function_bind_set_error) X(scalar_function_get_client_context) X(expression_fold) X(get_blob)               \
  X(destroy_error_data) X(destroy_expression) X(destroy_client_context)
// clang-format on

namespace dither::engine::detail {

struct DuckDbApi {
#define DITHER_DUCKDB_MEMBER(name) decltype(&::duckdb_##name) name;  // NOLINT: a name takes no brackets
  DITHER_DUCKDB_FUNCTIONS(DITHER_DUCKDB_MEMBER)
#undef DITHER_DUCKDB_MEMBER
};

// Loads the library at the first call: the one that the environment variable DITHER_DUCKDB names (a folder), else one
// that lies beside the program, or beside the module of Python that this is part of, else the one that this was built
// with; a wheel knows no such place.
// Refuses    a library that is missing, lacks a function or has another version than the header (no-engine).
// Cost       about 15 ms the first time.
const DuckDbApi& duckdb();

}  // namespace dither::engine::detail
