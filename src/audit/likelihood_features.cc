#include "audit/likelihood_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace dither::audit {

namespace {

using Row = std::span<const double>;
using Columns = std::vector<std::size_t>;

constexpr std::size_t kMostRelated = 6;  // columns, of which any two
constexpr std::size_t kMostBits = 16;    // columns whose bits are looked at

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

bool are_equal(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Even, odd, or no whole number at all; a word.
double parity(double sum) { return std::floor(sum) != sum ? 2 : std::fmod(std::abs(sum), 2); }

void add_relations_of_numbers(std::size_t a, std::size_t b, const std::string& both, std::vector<Feature>& features) {
  const auto add = [&](std::string name, Reading reading, double (*of)(double, double)) {
    features.push_back({std::move(name), reading, [=](Row row) { return of(row[a], row[b]); }});
  };
  const Reading number = Reading::number;
  add("the difference of " + both, number, [](double x, double y) { return x - y; });
  add("the quotient of " + both, number, [](double x, double y) { return x / y; });
  add("the fraction of the sum of " + both, number, [](double x, double y) { return x + y - std::floor(x + y); });
  add("whether the sum is even (0), odd (1) or no whole number (2) of " + both, Reading::word,
      [](double x, double y) { return parity(x + y); });
}

void add_relations(const Shape& shape, std::size_t parts, const std::vector<std::string>& names,
                   std::vector<Feature>& features) {
  for (const auto& [a, b] : column_pairs(shape, parts)) {
    if (shape[a] != shape[b]) continue;
    const std::string both = names[a] + " and " + names[b];
    features.push_back({"whether equal (1) are " + both, Reading::word,
                        [a = a, b = b](Row row) { return are_equal(row[a], row[b]) ? 1.0 : 0.0; }});
    if (shape[a] == Reading::number) add_relations_of_numbers(a, b, both, features);
  }
}

// The order of these numbers as a word: for each how many of the others lie below it.
double order_of(Row row, const Columns& columns) {
  double order = 0;
  for (const std::size_t one : columns) {
    const auto below = std::count_if(columns.begin(), columns.end(), [&](std::size_t c) { return row[c] < row[one]; });
    order = order * static_cast<double>(kMostRelated) + static_cast<double>(below);
  }
  return order;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> column_pairs(const Shape& shape, std::size_t parts) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t most = std::min(shape.size() - parts, kMostRelated);
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t j = i + 1; j < most; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

std::vector<Feature> likelihood_features(const Shape& shape, std::size_t parts, const std::vector<std::string>& names) {
  std::vector<Feature> features;
  Columns numbers;  // that are said
  for (std::size_t column = 0; column < shape.size(); ++column) {
    features.push_back({names[column], shape[column], [column](Row row) { return row[column]; }});
    if (shape[column] == Reading::number && column < shape.size() - parts) numbers.push_back(column);
  }
  if (numbers.size() > 1) {
    add_summaries(numbers, features);
    const Columns first(numbers.begin(), numbers.begin() + std::min<std::ptrdiff_t>(std::ssize(numbers), kMostRelated));
    features.push_back({"the order of the numbers", Reading::word, [first](Row row) { return order_of(row, first); }});
  }
  add_relations(shape, parts, names, features);
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostBits); ++i) {
    features.push_back({"the zero bits at the end of " + names[numbers[i]], Reading::number, [c = numbers[i]](Row row) {
                          return static_cast<double>(std::countr_zero(std::bit_cast<std::uint64_t>(row[c])));
                        }});
  }
  return features;
}

}  // namespace dither::audit
