#include "accounting/detail/require.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace dither::accounting::detail {

namespace {

constexpr std::uint64_t kMaxCount = 1'000'000'000'000;

void require_finite(const char* name, double value) {
  if (std::isfinite(value)) return;
  throw Error{Code::bad_number, fmt::format("{} is {}, but it must be a finite number", name, value),
              fmt::format("give a number for {}", name)};
}

}  // namespace

void require_not_negative(const char* name, double value) {
  require_finite(name, value);
  if (value >= 0) return;
  throw Error{Code::out_of_range, fmt::format("{} is {}, but it must not be negative", name, value),
              fmt::format("give {} >= 0", name)};
}

void require_positive(const char* name, double value) {
  require_finite(name, value);
  if (value > 0) return;
  throw Error{Code::out_of_range, fmt::format("{} is {}, but it must be positive", name, value),
              fmt::format("give {} > 0", name)};
}

void require_probability(const char* name, double value) {
  if (value >= 0 && value <= 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in [0, 1]", name, value),
              "give a probability, not a percentage"};
}

void require_order(double order) {
  require_finite("the order", order);
  if (order > 1) return;
  throw Error{Code::out_of_range, fmt::format("the order is {}, but Renyi orders are above 1 here", order),
              "give an order such as 2"};
}

void require_count(const char* name, std::uint64_t count) {
  if (count >= 1 && count <= kMaxCount) return;
  throw Error{Code::bad_count, fmt::format("{} is {}, but it must lie in 1..10^12", name, count),
              fmt::format("give {} from 1 to 10^12", name)};
}

}  // namespace dither::accounting::detail
