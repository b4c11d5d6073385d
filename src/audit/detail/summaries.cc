#include "audit/detail/summaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include "audit/logistic.h"

namespace dither::audit::detail {

namespace {

constexpr std::size_t kMostColumns = 24;     // each with a summary of its own
constexpr std::size_t kMostDifferences = 8;  // of neighbouring columns
constexpr std::size_t kMostFractions = 2;

using Row = std::span<const double>;

bool counts(double cell) { return !std::isnan(cell); }

double largest(Row row) {
  double best = absent();
  for (const double cell : row) best = counts(cell) && !(best >= cell) ? cell : best;
  return best;
}

double smallest(Row row) {
  double best = absent();
  for (const double cell : row) best = counts(cell) && !(best <= cell) ? cell : best;
  return best;
}

double place_of_largest(Row row) {
  const double best = largest(row);
  const auto at = std::find(row.begin(), row.end(), best);
  return at == row.end() ? absent() : static_cast<double>(at - row.begin());
}

double sum(Row row) {
  double total = 0;
  for (const double cell : row) total += counts(cell) ? cell : 0;
  return std::isnan(total) ? 0 : total;  // of opposite infinities
}

double how_many(Row row) {
  return static_cast<double>(std::count_if(row.begin(), row.end(), [](double cell) { return !is_absent(cell); }));
}

double first_change(Row row) {
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (!same(row.subspan(i, 1), row.first(1))) return static_cast<double>(i);
  }
  return absent();
}

// A number of 52 bits for the whole row: outputs that differ get others, but for accidents of 2^-52.
double whole(Row row) {
  std::uint64_t hash = 0x243F'6A88'85A3'08D3;
  for (const double cell : row) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(cell)) * 0x9E37'79B9'7F4A'7C15;
    hash ^= hash >> 29;
  }
  return static_cast<double>(hash >> 12);
}

void add_columns(const Shape& shape, std::vector<Summary>& all) {
  for (std::size_t i = 0; i < std::min(shape.size(), kMostColumns); ++i) {
    all.push_back({fmt::format("output {}", i + 1), [i](Row row) { return row[i]; }});
  }
  for (std::size_t i = 0; i < std::min(shape.size(), kMostFractions); ++i) {
    if (shape[i] == Reading::word) continue;
    all.push_back(
        {fmt::format("the fraction of output {}", i + 1), [i](Row row) { return row[i] - std::floor(row[i]); }});
  }
}

}  // namespace

std::vector<Summary> summaries(const Shape& shape, const Outputs& first, const Outputs& second) {
  std::vector<Summary> all;
  add_columns(shape, all);
  if (shape.size() > 1) {
    all.push_back({"the largest output", largest});
    all.push_back({"the smallest output", smallest});
    all.push_back({"which output is largest", place_of_largest});
    all.push_back({"the sum of the outputs", sum});
    all.push_back({"how many outputs there are", how_many});
    all.push_back({"the first output that differs from output 1", first_change});
    all.push_back({"the whole output", whole});
    for (std::size_t i = 0; i + 1 < shape.size() && i < kMostDifferences; ++i) {
      all.push_back(
          {fmt::format("output {} less output {}", i + 1, i + 2), [i](Row row) { return row[i] - row[i + 1]; }});
    }
  }
  const FeatureChoice choice{.shapes = true, .atoms = true};
  const auto fitted = std::make_shared<const Logistic>(fit_logistic({first, second, shape, choice}, first, second));
  all.push_back({"the score of a classifier", [fitted](Row row) { return fitted->score(row); }});
  return all;
}

}  // namespace dither::audit::detail
