#include "audit/detail/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "audit/outputs.h"

namespace dither::audit::detail {

namespace {

constexpr std::int64_t kLooked = 20'000;  // runs of each input

// The values of a column, ascending; what is no number is counted apart.
struct Sample {
  std::vector<double> values = {};
  double absent = 0, nan = 0;  // shares
  double all = 0;
};
Sample sample_of(const Outputs& outputs, std::size_t column) {
  Sample sample;
  const std::int64_t runs = std::min(outputs.runs(), kLooked);
  sample.all = static_cast<double>(std::max<std::int64_t>(1, runs));
  for (std::int64_t run = 0; run < runs; ++run) {
    const double cell = outputs.row(run)[column];
    if (!std::isnan(cell)) sample.values.push_back(cell);
    if (std::isnan(cell)) (is_absent(cell) ? sample.absent : sample.nan) += 1 / sample.all;
  }
  std::sort(sample.values.begin(), sample.values.end());
  return sample;
}

double apart(const Sample& first, const Sample& second, Reading reading) {
  double most = std::max(std::abs(first.absent - second.absent), std::abs(first.nan - second.nan));
  double below = 0;  // the difference of the shares below what comes next
  auto a = first.values.begin(), b = second.values.begin();
  while (a != first.values.end() || b != second.values.end()) {
    const bool from_first = b == second.values.end() || (a != first.values.end() && *a <= *b);
    const double value = from_first ? *a : *b;
    const auto end_a = std::upper_bound(a, first.values.end(), value);
    const auto end_b = std::upper_bound(b, second.values.end(), value);
    const double here = static_cast<double>(end_a - a) / first.all - static_cast<double>(end_b - b) / second.all;
    below += here;
    most = std::max(most, std::abs(reading == Reading::word ? here : below));
    a = end_a;
    b = end_b;
  }
  return most;
}

}  // namespace

std::vector<std::size_t> telling_columns(const Runs& runs, const Shape& shape, std::size_t most) {
  std::vector<std::size_t> columns(shape.size());
  std::iota(columns.begin(), columns.end(), 0);
  if (columns.size() < 2) return columns;
  std::vector<double> distances;
  for (const std::size_t column : columns) {
    distances.push_back(apart(sample_of(runs.first, column), sample_of(runs.second, column), shape[column]));
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
  columns.resize(std::min(most, columns.size()));
  return columns;
}

std::optional<std::string> left_out_columns(const Shape& shape, std::size_t most) {
  if (shape.size() <= most) return std::nullopt;
  return fmt::format(
      "{} of {} columns were looked at one by one, those that differed most in training; {} were left out", most,
      shape.size(), shape.size() - most);
}

}  // namespace dither::audit::detail
