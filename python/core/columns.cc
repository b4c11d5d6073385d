#include "columns.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "arrow_column.h"
#include "base/error.h"
#include "engine/column_digest.h"
#include "object_column.h"
#include "object_digest.h"
#include "text_column.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();  // numpy's NaT

struct Fixed {
  std::string_view kind;
  const char* format;
  std::size_t width;
};
constexpr std::array kFixed = {Fixed{"int8", "c", 1},    Fixed{"int16", "s", 2},  Fixed{"int32", "i", 4},
                               Fixed{"int64", "l", 8},   Fixed{"uint8", "C", 1},  Fixed{"uint16", "S", 2},
                               Fixed{"uint32", "I", 4},  Fixed{"uint64", "L", 8}, Fixed{"float16", "e", 2},
                               Fixed{"float32", "f", 4}, Fixed{"float64", "g", 8}};

// One dimension of equal cells, wherever they lie; held as long as this lives.
class Cells {
 public:
  Cells(const GivenColumn& column, nb::handle data, std::int64_t rows) {
    if (PyObject_GetBuffer(data.ptr(), &view_, PyBUF_STRIDES) != 0) throw nb::python_error();
    if (view_.ndim == 1 && view_.shape[0] == rows) return;
    PyBuffer_Release(&view_);
    throw Error{Code::bad_source, fmt::format("the column \"{}\" has not as many cells as the table rows", column.name),
                "give every column one value for each row"};
  }
  ~Cells() { PyBuffer_Release(&view_); }
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;

  std::size_t width() const { return static_cast<std::size_t>(view_.itemsize); }
  const std::byte* at(std::int64_t row) const {
    return static_cast<const std::byte*>(view_.buf) + row * view_.strides[0];
  }
  bool together() const { return view_.strides[0] == view_.itemsize; }
  template <class T>
  T get(std::int64_t row) const {
    T value;
    std::memcpy(&value, at(row), sizeof(T));  // NOLINT(bugprone-sizeof-expression): of objects it is a pointer
    return value;
  }

 private:
  Py_buffer view_{};
};

void require_width(const GivenColumn& column, const Cells& cells, std::size_t width) {
  if (cells.width() == width) return;
  throw Error{Code::bad_source, fmt::format("the cells of \"{}\" are not of {} bytes", column.name, width),
              "give it as an array of numpy's own types"};
}

ArrowColumn fixed_column(const GivenColumn& column, const Fixed& fixed, const Cells& cells, std::int64_t rows) {
  require_width(column, cells, fixed.width);
  ArrowColumn made(column.name, fixed.format, rows);
  Bytes data = ArrowColumn::room(static_cast<std::size_t>(rows) * fixed.width);
  if (cells.together()) {
    if (rows > 0) std::memcpy(data.get(), cells.at(0), static_cast<std::size_t>(rows) * fixed.width);
  } else {
    for (std::int64_t i = 0; i < rows; ++i) {
      std::memcpy(data.get() + static_cast<std::size_t>(i) * fixed.width, cells.at(i), fixed.width);
    }
  }
  made.add(std::move(data));
  return made;
}

ArrowColumn bool_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  require_width(column, cells, 1);
  ArrowColumn made(column.name, "b", rows);
  Bytes data = ArrowColumn::zeros(ArrowColumn::bits(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    if (cells.get<std::uint8_t>(i) != 0) data[static_cast<std::size_t>(i / 8)] |= std::byte{1} << (i % 8);
  }
  made.add(std::move(data));
  return made;
}

// Cut toward zero, as Arrow and Parquet are read; nothing where it does not fit.
std::optional<std::int64_t> microseconds(std::int64_t count, const GivenColumn& column) {
  if (count == kNothing) return {};
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count, column.numerator, &product)) return {};
  return product / column.denominator;
}

ArrowColumn time_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  require_width(column, cells, 8);
  ArrowColumn made(column.name, "tsu:", rows);
  Bytes data = ArrowColumn::room(static_cast<std::size_t>(rows) * 8);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto time = microseconds(cells.get<std::int64_t>(i), column);
    const std::int64_t value = time.value_or(0);
    std::memcpy(data.get() + i * 8, &value, 8);
    if (!time) made.set_null(i);
  }
  made.add(std::move(data));
  return made;
}

ArrowColumn day_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  require_width(column, cells, 8);
  ArrowColumn made(column.name, "tdD", rows);
  Bytes data = ArrowColumn::room(static_cast<std::size_t>(rows) * 4);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto day = cells.get<std::int64_t>(i);
    const auto value = static_cast<std::int32_t>(day);
    if (value != day) made.set_null(i);  // NaT too
    std::memcpy(data.get() + i * 4, &value, 4);
  }
  made.add(std::move(data));
  return made;
}

ArrowColumn wide_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  TextColumn made(column.name, rows);
  for (std::int64_t i = 0; i < rows; ++i) made.add_wide(cells.at(i), cells.width() / 4);
  return std::move(made).column();
}

ArrowColumn bytes_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  TextColumn made(column.name, rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::string_view text(reinterpret_cast<const char*>(cells.at(i)), cells.width());
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    made.add(text);
  }
  return std::move(made).column();
}

template <class Use>
void for_each_object(const Cells& cells, std::int64_t rows, Use use) {
  for (std::int64_t i = 0; i < rows; ++i) {
    use(nb::handle(cells.get<PyObject*>(i)));
    if ((i & 0xFFFF) == 0xFFFF && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

ArrowColumn object_column(const GivenColumn& column, const Cells& cells, std::int64_t rows, const nb::object& value) {
  require_width(column, cells, sizeof(PyObject*));
  ObjectColumn made(column.name, rows, column.declared, value);
  for_each_object(cells, rows, [&](nb::handle object) { made.add(object); });
  return std::move(made).column();
}

ArrowColumn plain_column(const GivenColumn& column, const Cells& cells, std::int64_t rows) {
  for (const Fixed& fixed : kFixed) {
    if (column.kind == fixed.kind) return fixed_column(column, fixed, cells, rows);
  }
  if (column.kind == "bool") return bool_column(column, cells, rows);
  if (column.kind == "time") return time_column(column, cells, rows);
  if (column.kind == "days") return day_column(column, cells, rows);
  if (column.kind == "wide") return wide_column(column, cells, rows);
  if (column.kind == "bytes") return bytes_column(column, cells, rows);
  throw Error{Code::unknown_type, fmt::format("there is no kind of column \"{}\"", column.kind), "see columns.h"};
}

// Where a column says what is missing in it.
void read_missing(const GivenColumn& column, std::int64_t rows, std::optional<Cells>& missing) {
  if (column.missing.is_none()) return;
  missing.emplace(column, column.missing, rows);
  require_width(column, *missing, 1);
}

ArrowColumn copied(const GivenColumn& column, std::int64_t rows, const nb::object& cell_value) {
  const Cells cells(column, column.data, rows);
  std::optional<Cells> missing;
  read_missing(column, rows, missing);
  std::optional<ArrowColumn> made;
  if (column.kind == "object") {
    made = object_column(column, cells, rows, cell_value);
  } else {
    const Unlocked unlocked;
    made = plain_column(column, cells, rows);
  }
  for (std::int64_t i = 0; missing && i < rows; ++i) {
    if (missing->get<std::uint8_t>(i) != 0) made->set_null(i);
  }
  return std::move(*made);
}

template <class Part>
Part moved(nb::handle capsule, const char* name) {
  auto* part = static_cast<Part*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (part == nullptr) throw nb::python_error();
  if (part->release == nullptr) {
    throw Error{Code::bad_source, "a column of Arrow was handed over before", "give a table that holds its columns"};
  }
  Part taken = *part;
  part->release = nullptr;
  return taken;
}

// What is not handed over is released.
struct Parts {
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowArray> arrays;
  ~Parts() {
    for (ArrowSchema& one : schemas) {
      if (one.release != nullptr) one.release(&one);
    }
    for (ArrowArray& one : arrays) {
      if (one.release != nullptr) one.release(&one);
    }
  }
};

void add_foreign(const GivenColumn& column, std::int64_t rows, Parts& parts) {
  const nb::tuple pair = nb::cast<nb::tuple>(column.data);
  parts.arrays.push_back(moved<ArrowArray>(pair[1], "arrow_array"));
  parts.schemas.push_back(renamed(moved<ArrowSchema>(pair[0], "arrow_schema"), column.name));
  if (parts.arrays.back().length == rows) return;
  throw Error{Code::bad_source, fmt::format("the column \"{}\" has not as many cells as the table rows", column.name),
              "give every column one value for each row"};
}

}  // namespace

std::shared_ptr<const engine::MemoryTable> table_of(const std::vector<GivenColumn>& given, std::int64_t rows,
                                                    const nb::object& cell_value,
                                                    std::vector<engine::SeenColumn> seen) {
  Parts parts;
  parts.schemas.reserve(given.size());
  parts.arrays.reserve(given.size());
  for (const GivenColumn& column : given) {
    if (column.kind == "arrow") {
      add_foreign(column, rows, parts);
    } else {
      ArrowColumn made = copied(column, rows, cell_value);
      std::move(made).hand_over(parts.schemas.emplace_back(), parts.arrays.emplace_back());
    }
  }
  ArrowArrayStream stream{};
  make_stream(std::move(parts.schemas), std::move(parts.arrays), rows, stream);
  return engine::MemoryTable::take(&stream, std::move(seen));
}

engine::SeenColumn seen_column(const GivenColumn& column, std::int64_t rows, const nb::object& content_value) {
  if (column.kind == "unfit") {
    engine::ColumnDigest digest;
    for (std::int64_t i = 0; i < rows; ++i) digest.add_null();
    return {column.name, digest.digest()};
  }
  if (column.kind != "object") {
    const auto table = table_of({column}, rows, {});
    const Unlocked unlocked;
    return table->seen_columns().front();
  }
  const Cells cells(column, column.data, rows);
  require_width(column, cells, sizeof(PyObject*));
  std::optional<Cells> missing;
  read_missing(column, rows, missing);
  ObjectDigest digest(content_value);
  std::int64_t row = 0;
  for_each_object(cells, rows, [&](nb::handle object) {
    const bool is_missing = missing && missing->get<std::uint8_t>(row) != 0;
    digest.add(is_missing ? nb::handle() : object);
    ++row;
  });
  return {column.name, digest.digest()};
}

}  // namespace dither::python
