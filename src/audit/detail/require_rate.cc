#include "audit/detail/require_rate.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace dither::audit::detail {

void require_probability(const char* name, double value) {
  if (value >= 0 && value <= 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in [0, 1]", name, value),
              "give a probability, not a percentage"};
}

void require_open_probability(const char* name, double value) {
  if (value > 0 && value < 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in (0, 1)", name, value),
              "give a probability strictly between 0 and 1"};
}

void require_not_negative(const char* name, double value) {
  if (!std::isfinite(value)) {
    throw Error{Code::bad_number, fmt::format("{} is {}, but it must be a number", name, value),
                "give a finite number"};
  }
  if (value >= 0) return;
  throw Error{Code::out_of_range, fmt::format("{} is {}, but it must be 0 or more", name, value),
              "give a number that is not negative"};
}

void require_count(const char* name, std::int64_t count, std::int64_t low, std::int64_t high) {
  if (count >= low && count <= high) return;
  throw Error{Code::bad_count, fmt::format("{} is {}, but it must lie in {}..{}", name, count, low, high),
              "count every trial once"};
}

}  // namespace dither::audit::detail
