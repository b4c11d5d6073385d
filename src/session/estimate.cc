#include "session/estimate.h"

#include <algorithm>
#include <cmath>

#include "session/detail/column_estimate.h"

namespace dither::session {
namespace {

// Numbers by size with NaN last, text by its bytes, false before true, NULL behind all. Keys of one column have one
// type.
int order(const Cell& a, const Cell& b) {
  const bool none_a = a.index() == 0, none_b = b.index() == 0;
  if (none_a || none_b) return static_cast<int>(none_a) - static_cast<int>(none_b);
  const double* x = std::get_if<double>(&a);
  const double* y = std::get_if<double>(&b);
  if (x != nullptr && y != nullptr && (std::isnan(*x) || std::isnan(*y))) {
    return static_cast<int>(std::isnan(*x)) - static_cast<int>(std::isnan(*y));
  }
  return a < b ? -1 : b < a ? 1 : 0;
}

bool before(const std::vector<Cell>& a, const std::vector<Cell>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int which = order(a[i], b[i]);
    if (which != 0) return which < 0;
  }
  return false;
}

}  // namespace

Estimated estimated(const PricedPlan& plan, const Released& released, double failure) {
  std::vector<detail::ColumnEstimate> columns;
  for (const Estimate& estimate : plan.estimates) columns.emplace_back(plan, estimate, failure);
  std::vector<std::pair<std::vector<Cell>, std::size_t>> keys;  // of the statement, and where they stand
  for (std::size_t at = 0; at < released.keys.size(); ++at) {
    std::vector<Cell> key;
    for (const std::size_t place : plan.key_places) key.push_back(released.keys[at][place]);
    keys.emplace_back(std::move(key), at);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return before(a.first, b.first); });
  Estimated result;
  for (auto& [key, at] : keys) {
    result.errors.emplace_back(key.size());
    result.rows.push_back(std::move(key));
    for (const detail::ColumnEstimate& column : columns) {
      detail::Valued valued = column.at(released, at);
      result.rows.back().push_back(std::move(valued.value));
      result.errors.back().push_back(valued.error);
      result.too_few += valued.too_few ? 1 : 0;
    }
  }
  return result;
}

}  // namespace dither::session
