#include "audit/likelihood_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace dither::audit {

namespace {

using Row = std::span<const double>;
using Columns = std::vector<std::size_t>;

constexpr std::size_t kMostDifferences = 6;  // columns, of which any two
constexpr std::size_t kMostBits = 16;        // columns whose bits are looked at

// A number of what is there, taken one after the other; absent where nothing is.
template <class Take>
std::function<double(Row)> over(const Columns& columns, const Take& take) {
  return [columns, take](Row row) {
    double result = absent();
    for (const std::size_t column : columns) {
      if (!std::isnan(row[column])) result = is_absent(result) ? row[column] : take(result, row[column]);
    }
    return result;
  };
}

double where_the_largest_is(Row row, const Columns& columns) {
  double best = -1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double here = row[columns[i]];
    const bool first = best < 0;
    if (!std::isnan(here) && (first || here > row[columns[static_cast<std::size_t>(best)]]))
      best = static_cast<double>(i);
  }
  return best;
}

double how_many(Row row, const Columns& columns) {
  return static_cast<double>(
      std::count_if(columns.begin(), columns.end(), [&](std::size_t c) { return !is_absent(row[c]); }));
}

// The sum of all, which may be NaN where infinities meet; that is as good a value as any.
void add_summaries(const Columns& columns, std::vector<Feature>& features) {
  const auto add = [&](const char* name, std::function<double(Row)> value) {
    features.push_back({name, Reading::number, std::move(value)});
  };
  add("the sum", over(columns, [](double a, double b) { return a + b; }));
  add("the smallest number", over(columns, [](double a, double b) { return std::min(a, b); }));
  add("the largest number", over(columns, [](double a, double b) { return std::max(a, b); }));
  add("how many numbers there are", [columns](Row row) { return how_many(row, columns); });
  features.push_back({"the place of the largest number, from 0", Reading::word,
                      [columns](Row row) { return where_the_largest_is(row, columns); }});
}

void add_differences(const Columns& columns, const std::vector<std::string>& names, std::vector<Feature>& features) {
  const std::size_t most = std::min(columns.size(), kMostDifferences);
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t j = i + 1; j < most; ++j) {
      features.push_back({fmt::format("{} minus {}", names[columns[i]], names[columns[j]]), Reading::number,
                          [a = columns[i], b = columns[j]](Row row) { return row[a] - row[b]; }});
    }
  }
}

}  // namespace

std::vector<Feature> likelihood_features(const Shape& shape, const std::vector<std::string>& names) {
  std::vector<Feature> features;
  Columns numbers;
  for (std::size_t column = 0; column < shape.size(); ++column) {
    features.push_back({names[column], shape[column], [column](Row row) { return row[column]; }});
    if (shape[column] == Reading::number) numbers.push_back(column);
  }
  if (numbers.size() > 1) {
    add_summaries(numbers, features);
    add_differences(numbers, names, features);
  }
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostBits); ++i) {
    features.push_back({"the zero bits at the end of " + names[numbers[i]], Reading::number, [c = numbers[i]](Row row) {
                          return static_cast<double>(std::countr_zero(std::bit_cast<std::uint64_t>(row[c])));
                        }});
  }
  return features;
}

}  // namespace dither::audit
