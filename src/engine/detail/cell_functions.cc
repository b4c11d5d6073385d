#include "engine/detail/cell_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dither::engine::detail {
namespace {

using plan::Plain;
using plan::Type;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

bool cast(const plan::Function& function, std::string_view text, Plain& result, std::string& room) {
  Plain given{};
  given.text = text;
  return function.for_rows(&given, result, room);
}

// Of those beyond 64 bits the end of these: the largest double among them.
std::int64_t nearest_whole(double real) {
  return static_cast<std::int64_t>(std::nearbyint(std::clamp(real, -0x1p63, 0x1.fffffffffffffp62)));
}

bool is_whole(std::string_view text, Plain& result, std::string& room) {
  static const plan::Function& function = plan::function_named("integer_of_text");
  return cast(function, text, result, room);
}
bool is_real(std::string_view text, Plain& result, std::string& room) {
  static const plan::Function& function = plan::function_named("real_of_text");
  return cast(function, text, result, room);
}
bool is_day(std::string_view text, Plain& result, std::string& room) {
  static const plan::Function& function = plan::function_named("date_of_text");
  return cast(function, text, result, room);
}
bool is_moment(std::string_view text, Plain& result, std::string& room) {
  static const plan::Function& function = plan::function_named("timestamp_of_text");
  return cast(function, text, result, room);
}

bool integer(const Plain* cell, Plain& result, std::string& room) {
  if (is_whole(cell->text, result, room)) return true;
  const std::string_view text = trimmed(cell->text);
  if (is_whole(text, result, room)) return true;
  Plain number{};
  const bool names_one = is_real(text, number, room) && std::fabs(number.number) < 0x1p53;
  if (!names_one || number.number != std::floor(number.number)) return false;
  result.whole = static_cast<std::int64_t>(number.number);
  return true;
}

bool near_integer(const Plain* cell, Plain& result, std::string& room) {
  if (is_whole(cell->text, result, room)) return true;
  Plain number{};
  if (!is_real(trimmed(cell->text), number, room)) return false;
  result.whole = nearest_whole(number.number);
  return true;
}

bool real(const Plain* cell, Plain& result, std::string& room) {
  return is_real(cell->text, result, room) || is_real(trimmed(cell->text), result, room);
}

bool date(const Plain* cell, Plain& result, std::string& room) {
  if (is_day(cell->text, result, room)) return true;
  Plain moment{};
  if (!is_moment(cell->text, moment, room)) return false;
  result.whole = plan::kFirstDay + (moment.whole - plan::kFirstMicrosecond) / plan::kMicrosecondsPerDay;
  return true;
}

plan::Function of_text(std::string_view name, Type gives, bool (*for_rows)(const Plain*, Plain&, std::string&)) {
  plan::Function function{};
  function.name = name;
  function.takes = {Type::text};
  function.gives = gives;
  function.for_rows = for_rows;
  return function;
}

}  // namespace

std::span<const plan::Function> cell_functions() {
  static const std::array kFunctions = {of_text("cell_integer", Type::integer, integer),
                                        of_text("cell_near_integer", Type::integer, near_integer),
                                        of_text("cell_real", Type::real, real), of_text("cell_date", Type::date, date)};
  return kFunctions;
}

}  // namespace dither::engine::detail
