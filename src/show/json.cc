#include "show/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace dither::show {

Json json_integer(Int128 value) {
  constexpr Int128 safe = Int128{1} << 53;
  if (value >= -safe && value <= safe) return static_cast<std::int64_t>(value);
  return to_string(value);
}

Json json_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value + 0.0;
}

Json json_rational(const Rational& value) { return value.str(); }

std::string json_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string json_pretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace dither::show
