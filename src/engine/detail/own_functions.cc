#include "engine/detail/own_functions.h"

#include <exception>
#include <string>
#include <vector>

#include "engine/detail/among.h"
#include "engine/detail/cell_functions.h"
#include "engine/detail/real_steps.h"
#include "engine/detail/utf8.h"
#include "engine/detail/vectors.h"
#include "plan/functions.h"

namespace dither::engine::detail {
namespace {

using plan::Plain;
using plan::Type;

// One column of arguments among so many, row after row.
void read(duckdb_vector vector, Type type, std::size_t rows, std::size_t arguments, Plain* plain) {
  const void* data = duckdb().vector_get_data(vector);
  const auto each = [&](auto* values, auto put) {
    for (std::size_t row = 0; row < rows; ++row) put(plain[row * arguments], values[row]);
  };
  switch (type) {
    case Type::boolean:
      return each(static_cast<const bool*>(data), [](Plain& to, bool value) { to.truth = value; });
    case Type::integer:
    case Type::timestamp:
      return each(static_cast<const std::int64_t*>(data), [](Plain& to, std::int64_t value) { to.whole = value; });
    case Type::date:
      return each(static_cast<const std::int32_t*>(data), [](Plain& to, std::int32_t value) { to.whole = value; });
    case Type::real:
      return each(static_cast<const double*>(data), [](Plain& to, double value) { to.number = value; });
    case Type::text:
      return each(static_cast<const duckdb_string_t*>(data),
                  [](Plain& to, const auto& value) { to.text = view_of(value); });
  }
}

// The arguments of all rows, and which rows have no NULL among them.
class Arguments {
 public:
  Arguments(duckdb_data_chunk chunk, const plan::Function& function)
      : rows_(duckdb().data_chunk_get_size(chunk)), count_(function.takes.size()), plain_(rows_ * count_) {
    for (std::size_t i = 0; i < count_; ++i) {
      duckdb_vector vector = duckdb().data_chunk_get_vector(chunk, i);
      read(vector, function.takes[i], rows_, count_, plain_.data() + i);  // what stands for NULL is never looked at
      if (const std::uint64_t* validity = duckdb().vector_get_validity(vector)) validities_.push_back(validity);
    }
  }

  std::size_t rows() const { return rows_; }
  const Plain* row(std::size_t row) const { return plain_.data() + row * count_; }
  bool complete(std::size_t row) const {
    for (const std::uint64_t* validity : validities_) {
      if (!is_valid(validity, row)) return false;
    }
    return true;
  }

 private:
  std::size_t rows_, count_;
  std::vector<Plain> plain_;
  std::vector<const std::uint64_t*> validities_;
};

// Calls the function for every row and hands what is not NULL to `put`.
template <class Put>
void each_row(const plan::Function& function, duckdb_data_chunk chunk, duckdb_vector output, Put put) {
  const Arguments arguments(chunk, function);
  std::string room;
  for (std::size_t row = 0; row < arguments.rows(); ++row) {
    Plain result{};
    if (arguments.complete(row) && function.for_rows(arguments.row(row), result, room)) {
      put(row, result);
    } else {
      set_null(output, row);
    }
  }
}

void run(const plan::Function& function, duckdb_data_chunk chunk, duckdb_vector output) {
  void* data = duckdb().vector_get_data(output);
  const auto store = [&](auto* values, auto take) {
    each_row(function, chunk, output, [&](std::size_t row, const Plain& result) { values[row] = take(result); });
  };
  switch (function.gives) {
    case Type::boolean:
      return store(static_cast<bool*>(data), [](const Plain& result) { return result.truth; });
    case Type::integer:
    case Type::timestamp:
      return store(static_cast<std::int64_t*>(data), [](const Plain& result) { return result.whole; });
    case Type::date:
      return store(static_cast<std::int32_t*>(data),
                   [](const Plain& result) { return static_cast<std::int32_t>(result.whole); });
    case Type::real:
      return store(static_cast<double*>(data), [](const Plain& result) { return result.number; });
    case Type::text:
      return each_row(function, chunk, output, [&](std::size_t row, const Plain& result) {
        duckdb().unsafe_vector_assign_string_element_len(output, row, result.text.data(), result.text.size());
      });
  }
}

// What DuckDB calls. Nothing but a lack of memory can go wrong.
void called(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) noexcept {
  try {
    run(*static_cast<const plan::Function*>(duckdb().scalar_function_get_extra_info(info)), chunk, output);
  } catch (const std::exception&) {
    duckdb().scalar_function_set_error(info, "a function could not be worked out");
  }
}

void register_one(duckdb_connection connection, const plan::Function& row) {
  ScalarFunction function("dither_" + std::string(row.name), type_in_duckdb(row.gives));
  for (const Type type : row.takes) function.takes(type_in_duckdb(type));
  duckdb().scalar_function_set_extra_info(function.get(), const_cast<plan::Function*>(&row), [](void*) {});  // NOLINT
  duckdb().scalar_function_set_function(function.get(), called);
  function.add_to(connection);
}

}  // namespace

void register_own_functions(duckdb_connection connection) {
  for (const plan::Function& function : plan::all_functions()) {
    if (function.for_rows != nullptr) register_one(connection, function);
  }
  for (const plan::Function& function : cell_functions()) register_one(connection, function);
  register_among(connection);
  register_steps(connection);
  register_text_of_bytes(connection);
}

}  // namespace dither::engine::detail
