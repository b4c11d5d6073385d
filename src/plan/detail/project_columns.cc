#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "plan/detail/characters.h"
#include "plan/detail/project_read.h"
#include "plan/detail/ranges.h"

namespace dither::plan::detail {

namespace {

using config::Fields;

// Sums of steps are whole numbers of 128 bits; a bound of so many steps leaves room for as many rows.
const Rational kMostSteps = Rational::power_of_two(62);

std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

Rational bound_of(const Value& value, Type type) {
  const Cell cell = read_cell(value, type, "a bound");
  if (type == Type::real) return value.number("a bound");
  return Rational(long{std::get<std::int64_t>(cell)});
}

Range read_bounds(const Value& value, const ColumnDeclaration& column) {
  if (column.type == Type::boolean || column.type == Type::text) {
    throw error_at(value, Code::bad_bounds, fmt::format("a {} column has no bounds", type_name(column.type)),
                   "list its values: `keys: [...]`");
  }
  const std::vector<Value>& ends = value.list("\"bounds\"");
  if (ends.size() != 2) {
    throw error_at(value, Code::bad_bounds, fmt::format("bounds are two values, not {}", ends.size()),
                   "write the lowest and the highest one: `bounds: [0, 5000]`");
  }
  Range range{bound_of(ends[0], column.type), bound_of(ends[1], column.type)};
  if (range.low <= range.high) return range;
  throw error_at(
      value, Code::bad_bounds,
      fmt::format("the lower bound {} is above the upper one, {}", echo(ends[0].written()), echo(ends[1].written())),
      "write the lower one first");
}

void require_on_grid(const Value& value, const Rational& number, const Rational& grid, std::string_view what) {
  const Rational steps = number / grid;
  if (!steps.is_integer()) {
    throw error_at(value, Code::bad_grid, fmt::format("{} {} does not lie on the grid", what, echo(value.written())),
                   "write a multiple of the grid's step");
  }
  if (abs(steps) <= kMostSteps) return;
  throw error_at(value, Code::bad_grid,
                 fmt::format("{} {} is more than 2^62 steps of the grid", what, echo(value.written())),
                 "write a coarser grid or a closer bound");
}

Rational read_grid(const Value& value, const ColumnDeclaration& column) {
  if (column.type != Type::real) {
    throw error_at(value, Code::bad_grid, fmt::format("a column of type {} has no grid", type_name(column.type)),
                   "leave `grid:` out; it is for decimal and real columns");
  }
  Rational grid = value.number("\"grid\"");
  const Rational most = pow(Rational(10), 30);
  if (grid.sign() > 0 && grid <= most && grid * most >= 1) return grid;
  throw error_at(value, Code::bad_grid,
                 fmt::format("the grid is {}, but a step lies between 1e-30 and 1e30", echo(value.written())),
                 "write the step that values are multiples of, such as 0.01");
}

std::vector<Cell> read_keys(const Value& value, const ColumnDeclaration& column) {
  const std::vector<Value>& items = value.list("\"keys\"");
  if (items.empty()) {
    throw error_at(value, Code::bad_count, "the list of keys is empty",
                   "list the values that are public, or leave it out");
  }
  if (items.size() > kMostKeys) {
    throw error_at(value, Code::bad_count, fmt::format("{} keys, but at most {} are read", items.size(), kMostKeys),
                   "list fewer, or leave `keys:` out and pay for keys with a delta");
  }
  std::vector<Cell> keys;
  std::set<std::string> seen;
  for (const Value& item : items) {
    keys.push_back(read_cell(item, column.type, "a key"));
    if (column.grid) require_on_grid(item, item.number("a key"), *column.grid, "the key");
    if (seen.insert(canonical(keys.back())).second) continue;
    throw error_at(item, Code::duplicate_key,
                   fmt::format("the key {} is listed twice", str(Constant{column.type, keys.back()})),
                   "list every key once");
  }
  return keys;
}

bool holds(const std::vector<Cell>& keys, const Cell& cell) {
  return std::any_of(keys.begin(), keys.end(), [&](const Cell& key) { return canonical(key) == canonical(cell); });
}

std::uint64_t read_max_length(const Value& value, const ColumnDeclaration& column) {
  if (column.type == Type::text) return read_limit(value, "max_length", kMostLength);
  throw error_at(value, Code::bad_bounds,
                 fmt::format("a column of type {} has no \"max_length\"", type_name(column.type)),
                 "leave it out; it is for text");
}

// What replaces other values is not longer than they may be.
void require_short(const Value& value, const Cell& cell, const ColumnDeclaration& column) {
  if (!column.max_length) return;
  const std::size_t characters = count_characters(std::get<std::string>(cell));
  if (characters <= *column.max_length) return;
  throw error_at(value, Code::bad_bounds,
                 fmt::format("{} has {} characters, but \"max_length\" is {}", str(Constant{Type::text, cell}),
                             characters, *column.max_length),
                 "write a shorter one");
}

void read_other(const Value& value, Cell other, ColumnDeclaration& column) {
  if (column.bounds) {
    throw error_at(value, Code::bad_bounds, "values outside bounds cannot become another one",
                   "write `outside: clamp` or `outside: null`; `other` is for keys");
  }
  column.outside = Outside::other;
  require_short(value, other, column);
  if (column.keys && !holds(*column.keys, other)) column.keys->push_back(other);
  column.other = std::move(other);
}

// clamp, null, other, {other: VALUE}
void read_outside(const Value& value, ColumnDeclaration& column) {
  if (value.kind() == config::Kind::null) return void(column.outside = Outside::null);
  if (value.kind() == config::Kind::map) {
    Fields fields(value, "\"outside\"");
    fields.expect(keys_of("outside_other"));
    const Value& other = fields.required("other");
    fields.finish();
    if (column.grid) require_on_grid(other, other.number("\"other\""), *column.grid, "the value");
    return read_other(other, read_cell(other, column.type, "\"other\""), column);
  }
  switch (one_of(value, "outside", {"clamp", "null", "other"}, Code::wrong_type)) {
    case 0:
      if (!column.keys) return void(column.outside = Outside::clamp);
      throw error_at(value, Code::bad_bounds, "values outside a list of keys cannot be clamped",
                     "write `outside: other` or `outside: null`");
    case 1:
      return void(column.outside = Outside::null);
    default:
      if (column.type == Type::text) return read_other(value, std::string("other"), column);
      throw error_at(value, Code::wrong_type,
                     fmt::format("`outside: other` is text, but the column is {}", type_name(column.type)),
                     "name a value of its type, such as `outside: {other: -1}`");
  }
}

void read_null_as(const Value& value, ColumnDeclaration& column) {
  if (column.outside == Outside::other && column.keys) {
    throw error_at(value, Code::unknown_key, "NULL becomes `other` already: it is outside the keys",
                   "leave `null_as:` out, or write `outside: null`");
  }
  Cell cell = read_cell(value, column.type, "\"null_as\"");
  const std::string shown = str(Constant{column.type, cell});
  if (column.keys && !holds(*column.keys, cell)) {
    throw error_at(value, Code::bad_bounds, fmt::format("NULL becomes {}, which is none of the keys", shown),
                   "write one of the keys, or add this one to them");
  }
  require_short(value, cell, column);
  const std::optional<Range> range = declared_range(column);
  if (range && (*exact(cell) < range->low || *exact(cell) > range->high)) {
    throw error_at(value, Code::bad_bounds, fmt::format("NULL becomes {}, which lies outside the bounds", shown),
                   "write a value within the bounds");
  }
  if (column.grid) require_on_grid(value, value.number("\"null_as\""), *column.grid, "the value");
  column.null_as = std::move(cell);
}

void require_one_domain(const Value& map, const Value* bounds, const Value* keys, const Value* max_length,
                        const Value* outside) {
  if (max_length != nullptr && keys != nullptr) {
    throw error_at(*max_length, Code::bad_bounds, "a column has keys or \"max_length\", not both",
                   "leave \"max_length\" out: keys are all the values there are");
  }
  if (max_length != nullptr && outside == nullptr) {
    throw error_at(*max_length, Code::missing_key, "max_length without \"outside\": what becomes of longer texts?",
                   "add `outside: clamp`, which cuts them, `outside: null` or `outside: other`");
  }
  if (bounds != nullptr && keys != nullptr) {
    throw error_at(*bounds, Code::bad_bounds, "a column has bounds or keys, not both",
                   "leave one out: keys are all the values there are");
  }
  if ((bounds != nullptr || keys != nullptr) && outside == nullptr) {
    throw error_at(
        bounds != nullptr ? *bounds : *keys, Code::missing_key,
        fmt::format("{} without \"outside\": what becomes of other values?", bounds != nullptr ? "bounds" : "keys"),
        bounds != nullptr ? "add `outside: clamp` or `outside: null`" : "add `outside: other` or `outside: null`");
  }
  if (bounds == nullptr && keys == nullptr && max_length == nullptr && outside != nullptr) {
    throw error_at(map, Code::missing_key, "\"outside\" without bounds or keys or \"max_length\" to be outside of",
                   "add `bounds:`, `keys:` or `max_length:`, or leave `outside:` out");
  }
}

}  // namespace

std::optional<Range> declared_range(const ColumnDeclaration& column) {
  if (!column.bounds || column.type != Type::real) return column.bounds;
  return Range{Rational::from_double(nearest_double(column.bounds->low)),
               Rational::from_double(nearest_double(column.bounds->high))};
}

ColumnDeclaration read_column(const config::Entry& entry) {
  require_name(entry.value.where(entry.position), "a column", entry.key);
  ColumnDeclaration column;
  column.name = entry.key;
  Fields fields(entry.value, fmt::format("the column \"{}\"", echo(entry.key)));
  fields.expect(keys_of("column"));
  const Value& type = fields.required("type");
  try {
    column.type = type_from(type.text("\"type\""));
  } catch (const Error& error) {
    if (error.code() != Code::unknown_type) throw;
    throw error_at(type, error.code(), error.what(), error.hint());
  }
  const Value *grid = fields.optional("grid"), *bounds = fields.optional("bounds"), *keys = fields.optional("keys"),
              *max_length = fields.optional("max_length"), *outside = fields.optional("outside"),
              *null_as = fields.optional("null_as");
  if (grid != nullptr) column.grid = read_grid(*grid, column);
  if (grid == nullptr && type.written() == "decimal") {
    throw error_at(type, Code::missing_key,
                   fmt::format("the decimal column {} needs \"grid\"", quoted(echo(entry.key))),
                   "add the step that its values are multiples of: `grid: 0.01`");
  }
  require_one_domain(entry.value, bounds, keys, max_length, outside);
  if (bounds != nullptr) column.bounds = read_bounds(*bounds, column);
  if (bounds != nullptr && column.grid) {
    require_on_grid(bounds->list("")[0], column.bounds->low, *column.grid, "the bound");
    require_on_grid(bounds->list("")[1], column.bounds->high, *column.grid, "the bound");
  }
  if (keys != nullptr) column.keys = read_keys(*keys, column);
  if (max_length != nullptr) column.max_length = read_max_length(*max_length, column);
  if (outside != nullptr) read_outside(*outside, column);
  if (null_as != nullptr) read_null_as(*null_as, column);
  fields.finish();
  return column;
}

}  // namespace dither::plan::detail
