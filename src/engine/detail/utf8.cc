#include "engine/detail/utf8.h"

#include <exception>

#include "base/text.h"
#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

void run(duckdb_data_chunk chunk, duckdb_vector output) {
  duckdb_vector bytes = duckdb().data_chunk_get_vector(chunk, 0);
  const auto* values = static_cast<const duckdb_string_t*>(duckdb().vector_get_data(bytes));
  const std::uint64_t* validity = duckdb().vector_get_validity(bytes);
  for (std::size_t row = 0; row < duckdb().data_chunk_get_size(chunk); ++row) {
    const std::string_view text = is_valid(validity, row) ? view_of(values[row]) : std::string_view();
    if (is_valid(validity, row) && is_utf8(text)) {
      duckdb().unsafe_vector_assign_string_element_len(output, row, text.data(), text.size());
    } else {
      set_null(output, row);
    }
  }
}

// What DuckDB calls. A text may be more than there is memory for.
void called(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) noexcept {
  try {
    run(chunk, output);
  } catch (const std::exception&) {
    duckdb().scalar_function_set_error(info, "texts could not be read");
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x80) {
      text.remove_prefix(1);
      continue;
    }
    const Character first = first_character(text);
    if (!first.valid) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

void register_text_of_bytes(duckdb_connection connection) {
  ScalarFunction function("dither_text_of_bytes", DUCKDB_TYPE_VARCHAR);
  function.takes(DUCKDB_TYPE_BLOB);
  duckdb().scalar_function_set_function(function.get(), called);
  function.add_to(connection);
}

}  // namespace dither::engine::detail
