// How DuckDB keeps values of our types in its vectors.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/detail/duckdb.h"
#include "plan/type.h"

namespace dither::engine::detail {

inline duckdb_type type_in_duckdb(plan::Type type) {
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

// A text where it lies.
inline constexpr std::uint32_t kInlined = 12;  // bytes that are kept in place
inline std::string_view view_of(const duckdb_string_t& text) {
  const std::uint32_t size = text.value.inlined.length;
  return {size <= kInlined ? text.value.inlined.inlined : text.value.pointer.ptr, size};
}

// Which rows of a vector are not NULL: nothing where all are not.
inline bool is_valid(const std::uint64_t* validity, std::size_t row) {
  return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
}

// Writes NULL into a row of a result.
inline void set_null(duckdb_vector output, std::size_t row) {
  duckdb().vector_ensure_validity_writable(output);
  duckdb().vector_get_validity(output)[row / 64] &= ~(std::uint64_t{1} << (row % 64));
}

// A function to be registered, of these types.
class ScalarFunction {
 public:
  ScalarFunction(const std::string& name, duckdb_type gives) : function_(duckdb().create_scalar_function()) {
    duckdb().scalar_function_set_name(function_, name.c_str());
    duckdb_logical_type logical = duckdb().create_logical_type(gives);
    duckdb().scalar_function_set_return_type(function_, logical);
    duckdb().destroy_logical_type(&logical);
    duckdb().scalar_function_set_special_handling(function_);  // NULL comes in, and may come out of what is none
  }
  ScalarFunction(const ScalarFunction&) = delete;
  ScalarFunction& operator=(const ScalarFunction&) = delete;
  ~ScalarFunction() { duckdb().destroy_scalar_function(&function_); }

  void takes(duckdb_type type) {
    duckdb_logical_type logical = duckdb().create_logical_type(type);
    duckdb().scalar_function_add_parameter(function_, logical);
    duckdb().destroy_logical_type(&logical);
  }
  duckdb_scalar_function get() const { return function_; }
  // Throws DuckDbFailure.
  void add_to(duckdb_connection connection) const {
    if (duckdb().register_scalar_function(connection, function_) != DuckDBSuccess) {
      throw DuckDbFailure("a function could not be registered");
    }
  }

 private:
  duckdb_scalar_function function_;
};

}  // namespace dither::engine::detail
