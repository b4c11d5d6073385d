#include "accounting/detail/require_exact.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::accounting::detail {

void require_epsilon(const Rational& epsilon) {
  if (epsilon >= 0) return;
  throw Error{Code::bad_number, fmt::format("epsilon is {}, but it must not be negative", epsilon.str()),
              "give epsilon >= 0"};
}

void require_probability(const char* name, const Rational& value) {
  if (value >= 0 && value <= 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in [0, 1]", name, value.str()),
              "give a probability, not a percentage"};
}

void require_scale(const char* name, const Rational& value, const Rational& most) {
  if (value > 0 && value <= most) return;
  throw Error{Code::bad_scale,
              fmt::format("{} is {}, but it must be above 0 and at most {}", name, value.str(), most.str()),
              fmt::format("give a {} in that range", name)};
}

}  // namespace dither::accounting::detail
