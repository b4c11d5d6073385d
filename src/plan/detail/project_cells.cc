#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

std::int64_t read_integer(const Value& value, std::string_view what) {
  if (value.kind() != config::Kind::number) {
    throw error_at(value, Code::wrong_type, fmt::format("{} must be a whole number: the column is integer", what),
                   "write a whole number such as 3, without quotes");
  }
  const Rational number = value.number(what);
  if (!number.is_integer()) {
    throw error_at(value, Code::wrong_type,
                   fmt::format("{} is {}, but the column is integer", what, echo(value.written())),
                   "write a whole number, or `type: decimal` and a grid");
  }
  if (number < Rational(long{std::numeric_limits<std::int64_t>::min()}) ||
      number > Rational(long{std::numeric_limits<std::int64_t>::max()})) {
    throw error_at(value, Code::out_of_range,
                   fmt::format("{} is {}, beyond the integers of 64 bits", what, echo(value.written())),
                   "write a number between -2^63 and 2^63 - 1");
  }
  return static_cast<std::int64_t>(number.floor());
}

double read_real(const Value& value, std::string_view what) {
  const double number = nearest_double(value.number(what));
  if (std::isfinite(number)) return number;
  throw error_at(value, Code::out_of_range, fmt::format("{} is {}, beyond the doubles", what, echo(value.written())),
                 "write a number between -1e308 and 1e308");
}

std::int64_t read_time(const Value& value, Type type, std::string_view what) {
  std::int64_t time = 0;
  if (type == Type::date ? date_from(value.text(what), time) : timestamp_from(value.text(what), time)) return time;
  throw error_at(value, Code::wrong_type,
                 fmt::format("{} is \"{}\", which is no {}", what, echo(value.text(what)), type_name(type)),
                 type == Type::date ? "write a day in quotes, such as \"2024-02-29\""
                                    : "write a time in quotes, such as \"2024-02-29 12:00:00\"");
}

}  // namespace

double nearest_double(const Rational& number) {
  const double below = number.to_double_down(), above = number.to_double_up();
  if (!std::isfinite(below)) return below;
  if (!std::isfinite(above) || below == above) return above;
  const Rational down = number - Rational::from_double(below), up = Rational::from_double(above) - number;
  if (down != up) return down < up ? below : above;
  return (std::bit_cast<std::uint64_t>(below) & 1) == 0 ? below : above;
}

Cell read_cell(const Value& value, Type type, std::string_view what) {
  switch (type) {
    case Type::boolean:
      return value.boolean(what);
    case Type::integer:
      return read_integer(value, what);
    case Type::real:
      return read_real(value, what);
    case Type::text:
      return value.text(what);
    case Type::date:
    case Type::timestamp:
      return read_time(value, type, what);
  }
  std::abort();
}

}  // namespace dither::plan::detail
