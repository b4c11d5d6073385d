#include "audit/detail/summaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>

#include "audit/detail/columns.h"
#include "audit/logistic.h"

namespace dither::audit::detail {

namespace {

constexpr std::size_t kMostDifferences = 8;  // of neighbouring columns
constexpr std::size_t kMostFractions = 2;

using Row = std::span<const double>;
using Places = std::vector<std::size_t>;

bool counts(double cell) { return !std::isnan(cell); }

// The best of the numbers, where it stands among all cells; the width of the row when there is none.
template <class Better>
std::size_t place_of(Row row, const Places& numbers, const Better& better) {
  std::size_t best = row.size();
  for (const std::size_t i : numbers) {
    if (counts(row[i]) && (best == row.size() || better(row[i], row[best]))) best = i;
  }
  return best;
}

double cell_or_absent(Row row, std::size_t place) { return place == row.size() ? absent() : row[place]; }

double sum(Row row, const Places& numbers) {
  double total = 0;
  for (const std::size_t i : numbers) total += counts(row[i]) ? row[i] : 0;
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

void add_columns(const Target& target, const Runs& runs, std::vector<Summary>& all) {
  for (const std::size_t i : telling_columns(runs, target.shape, kMostColumns)) {
    const bool word = target.shape[i] == Reading::word;
    all.push_back({fmt::format("output {}", i + 1), target.shape[i], [i](Row row) { return row[i]; },
                   word ? target.words : Words()});
  }
}

// Of columns that are numbers; the order of words means nothing.
void add_numbers(const Places& numbers, std::vector<Summary>& all) {
  for (std::size_t at = 0; at < std::min(numbers.size(), kMostFractions); ++at) {
    all.push_back({fmt::format("the fraction of output {}", numbers[at] + 1), Reading::number,
                   [i = numbers[at]](Row row) { return row[i] - std::floor(row[i]); }});
  }
  if (numbers.size() < 2) return;
  all.push_back({"the largest output", Reading::number,
                 [numbers](Row row) { return cell_or_absent(row, place_of(row, numbers, std::greater<>())); }});
  all.push_back({"the smallest output", Reading::number,
                 [numbers](Row row) { return cell_or_absent(row, place_of(row, numbers, std::less<>())); }});
  all.push_back({"which output is largest", Reading::word,
                 [numbers](Row row) { return static_cast<double>(place_of(row, numbers, std::greater<>()) + 1); }});
  all.push_back({"the sum of the outputs", Reading::number, [numbers](Row row) { return sum(row, numbers); }});
  for (std::size_t at = 0; at + 1 < numbers.size() && at < kMostDifferences; ++at) {
    all.push_back({fmt::format("output {} less output {}", numbers[at] + 1, numbers[at + 1] + 1), Reading::number,
                   [i = numbers[at], j = numbers[at + 1]](Row row) { return row[i] - row[j]; }});
  }
}

}  // namespace

std::vector<Summary> summaries(const Target& target, const Runs& runs) {
  const Shape& shape = target.shape;
  Places numbers;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == Reading::number) numbers.push_back(i);
  }
  std::vector<Summary> all;
  add_columns(target, runs, all);
  add_numbers(numbers, all);
  if (shape.size() > 1) {
    all.push_back({"how many outputs there are", Reading::number, how_many});
    all.push_back({"the first output that differs from output 1", Reading::number, first_change});
    all.push_back({"the whole output", Reading::word, whole});
  }
  const FeatureChoice choice{.shapes = true, .atoms = true};
  const auto fitted =
      std::make_shared<const Logistic>(fit_logistic({runs.first, runs.second, shape, choice}, runs.first, runs.second));
  all.push_back({"the score of a classifier", Reading::number, [fitted](Row row) { return fitted->score(row); }});
  return all;
}

}  // namespace dither::audit::detail
