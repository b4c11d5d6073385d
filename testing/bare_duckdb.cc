#include "testing/bare_duckdb.h"

#include <dlfcn.h>
#include <duckdb.h>

#include <cstdlib>
#include <stdexcept>

namespace dither::testing {

namespace {

void* library() {
  static void* const handle = [] {
    const char* folder = std::getenv("DITHER_DUCKDB");
    const std::string path = std::string(folder != nullptr ? folder : DITHER_DUCKDB) + "/libduckdb.so";
    return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  return handle;
}

template <typename Function>
Function* found(const char* name) {
  void* const address = library() == nullptr ? nullptr : dlsym(library(), name);
  if (address == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function*>(address);
}

#define DITHER_CALL(name) found<decltype(::name)>(#name)

void require(duckdb_state state, const char* what) {
  if (state != DuckDBSuccess) throw std::runtime_error(what);
}

std::int64_t first_cell(duckdb_result& result) {
  duckdb_data_chunk chunk = DITHER_CALL(duckdb_fetch_chunk)(result);
  if (chunk == nullptr) return 0;
  const duckdb_vector column = DITHER_CALL(duckdb_data_chunk_get_vector)(chunk, 0);
  const std::int64_t cell = *static_cast<const std::int64_t*>(DITHER_CALL(duckdb_vector_get_data)(column));
  DITHER_CALL(duckdb_destroy_data_chunk)(&chunk);
  return cell;
}

}  // namespace

std::int64_t bare_duckdb(const std::string& file, const std::string& statements) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_result result;
  require(DITHER_CALL(duckdb_open)(file.empty() ? nullptr : file.c_str(), &database), "duckdb_open failed");
  require(DITHER_CALL(duckdb_connect)(database, &connection), "duckdb_connect failed");
  const duckdb_state state = DITHER_CALL(duckdb_query)(connection, statements.c_str(), &result);
  const std::string error = state == DuckDBSuccess ? "" : DITHER_CALL(duckdb_result_error)(&result);
  const std::int64_t cell = state == DuckDBSuccess ? first_cell(result) : 0;
  DITHER_CALL(duckdb_destroy_result)(&result);
  DITHER_CALL(duckdb_disconnect)(&connection);
  DITHER_CALL(duckdb_close)(&database);
  if (state != DuckDBSuccess) throw std::runtime_error(error);
  return cell;
}

}  // namespace dither::testing
