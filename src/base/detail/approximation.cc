#include "base/detail/approximation.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::detail {

void throw_nan(const char* function) {
  throw Error{Code::bad_number, fmt::format("{} was given NaN", function), "give a number; NaN has no safe side"};
}

void throw_outside(const char* function, const char* rule) {
  throw Error{Code::out_of_range, fmt::format("{} {}", function, rule), "check the parameter this number comes from"};
}

}  // namespace dither::detail
