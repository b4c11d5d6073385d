#include "engine/detail/real_steps.h"

#include <algorithm>
#include <cmath>

#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

// All but x are constants.
void called(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_vector output) noexcept {
  const auto data = [&](idx_t argument) {
    return duckdb().vector_get_data(duckdb().data_chunk_get_vector(chunk, argument));
  };
  const std::size_t rows = duckdb().data_chunk_get_size(chunk);
  if (rows == 0) return;
  const std::uint64_t* validity = duckdb().vector_get_validity(duckdb().data_chunk_get_vector(chunk, 0));
  const auto* x = static_cast<const double*>(data(0));
  const double q = *static_cast<const double*>(data(1));
  const double p = *static_cast<const double*>(data(2));
  const std::int64_t low = *static_cast<const std::int64_t*>(data(3));
  const std::int64_t high = *static_cast<const std::int64_t*>(data(4));
  auto* steps = static_cast<std::int64_t*>(duckdb().vector_get_data(output));
  bool all = true;
  for (std::size_t row = 0; row < rows; ++row) {
    // Bounds may not be doubles: the clamp of the whole number decides, the one of the double keeps it convertible.
    const double value = std::isnan(x[row]) ? 0 : x[row];
    const double near = std::nearbyint(std::clamp(value * q / p, -0x1p62, 0x1p62));
    steps[row] = std::clamp(static_cast<std::int64_t>(near), low, high);
    all = all && !std::isnan(x[row]);
  }
  if (all && validity == nullptr) return;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_valid(validity, row) || std::isnan(x[row])) set_null(output, row);
  }
}

}  // namespace

void register_steps(duckdb_connection connection) {
  ScalarFunction function("dither_steps", DUCKDB_TYPE_BIGINT);
  for (int i = 0; i < 3; ++i) function.takes(DUCKDB_TYPE_DOUBLE);
  for (int i = 0; i < 2; ++i) function.takes(DUCKDB_TYPE_BIGINT);
  duckdb().scalar_function_set_function(function.get(), called);
  function.add_to(connection);
}

}  // namespace dither::engine::detail
