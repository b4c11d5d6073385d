#include "audit/features.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dither::audit {

namespace {

constexpr std::int64_t kLooked = 40'000;  // training runs of each input that decide on features
constexpr std::size_t kMostWords = 64;
constexpr std::size_t kMostAtoms = 48;
constexpr double kLeastAtom = 0.002;  // share of runs that makes a value of a number an atom

void add_cells(const Outputs& outputs, std::size_t column, std::vector<double>& cells) {
  const std::int64_t runs = std::min(outputs.runs(), kLooked);
  for (std::int64_t run = 0; run < runs; ++run) cells.push_back(outputs.row(run)[column]);
}

double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

// Half the distance of the 16% and 84% points; where those are equal, the mean distance from the centre.
double spread_of(std::vector<double>& values, double centre) {
  const double spread = (quantile(values, 0.84) - quantile(values, 0.16)) / 2;
  if (spread > 0 && std::isfinite(spread)) return spread;
  double sum = 0;
  for (const double value : values) sum += std::abs(value - centre) / static_cast<double>(values.size());
  return sum > 0 && std::isfinite(sum) ? sum : 1;
}

}  // namespace

Features::Features(const Outputs& first, const Outputs& second, const Shape& shape, const FeatureChoice& choice) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    Column column{.reading = shape[i]};
    std::vector<double> cells;
    add_cells(first, i, cells);
    add_cells(second, i, cells);
    if (shape[i] == Reading::number) learn_number(column, cells, choice);
    if (shape[i] == Reading::number && choice.ramps) learn_ramp(column, first, second, i);
    if (shape[i] == Reading::word) learn_atoms(column, cells, kMostWords, 0);
    if (shape[i] == Reading::number && choice.atoms) learn_atoms(column, cells, kMostAtoms, kLeastAtom);
    columns_.push_back(std::move(column));
  }
}

void Features::learn_number(Column& column, const std::vector<double>& cells, const FeatureChoice& choice) {
  column.z = size_++;
  if (choice.shapes) size_ = (column.shapes = size_) + 2;
  if (choice.bits) size_ = (column.bits = size_) + 65;
  std::vector<double> finite;
  const auto seen = [&](std::size_t& flag) { flag = flag == kNone ? size_++ : flag; };
  for (const double cell : cells) {
    if (std::isfinite(cell)) {
      finite.push_back(cell);
    } else {
      seen(is_absent(cell)    ? column.absent
           : std::isnan(cell) ? column.nan
           : cell > 0         ? column.plus_infinity
                              : column.minus_infinity);
    }
  }
  if (finite.empty()) return;
  column.centre = quantile(finite, 0.5);
  column.per_spread = 1 / spread_of(finite, column.centre);
  if (!std::isfinite(column.per_spread)) column.per_spread = 1;
}

void Features::learn_ramp(Column& column, const Outputs& first, const Outputs& second, std::size_t at) {
  const auto median = [&](const Outputs& outputs) {
    std::vector<double> cells;
    add_cells(outputs, at, cells);
    cells.erase(std::remove_if(cells.begin(), cells.end(), [](double cell) { return !std::isfinite(cell); }),
                cells.end());
    return cells.empty() ? std::nan("") : quantile(cells, 0.5);
  };
  column.ramp_from = median(first);
  column.per_ramp = 1 / (median(second) - column.ramp_from);
  if (std::isfinite(column.per_ramp) && column.per_ramp != 0) column.ramp = size_++;
}

void Features::learn_atoms(Column& column, const std::vector<double>& cells, std::size_t most, double least_share) {
  std::vector<std::uint64_t> all;
  for (const double cell : cells) all.push_back(bits_of(cell));
  std::sort(all.begin(), all.end());
  std::vector<std::pair<std::size_t, std::uint64_t>> counts;  // how often, which
  for (std::size_t i = 0; i < all.size();) {
    const auto next = std::upper_bound(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(), all[i]);
    const auto end = static_cast<std::size_t>(next - all.begin());
    if (static_cast<double>(end - i) >= std::max(2.0, least_share * static_cast<double>(all.size()))) {
      counts.emplace_back(end - i, all[i]);
    }
    i = end;
  }
  std::sort(counts.rbegin(), counts.rend());
  if (counts.size() > most) counts.resize(most);
  for (const auto& [count, bits] : counts) column.atoms.push_back(bits);
  std::sort(column.atoms.begin(), column.atoms.end());
  column.atoms_from = size_;
  size_ += column.atoms.size();
}

std::uint64_t Features::bits_of(double number) { return std::bit_cast<std::uint64_t>(number); }

double Features::lowest_bit_place(double number) {
  if (!std::isfinite(number) || number == 0) return 0;
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t bits = bits_of(number);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t digits = exponent == 0 ? bits & fraction : (bits & fraction) | (fraction + 1);
  const int place = std::max(exponent, 1) - 1075 + __builtin_ctzll(digits);
  return (place + 52) / 8.0;
}

std::size_t Features::place_of(const std::vector<std::uint64_t>& atoms, std::uint64_t bits) {
  const auto found = std::lower_bound(atoms.begin(), atoms.end(), bits);
  return found != atoms.end() && *found == bits ? static_cast<std::size_t>(found - atoms.begin()) : kNone;
}

}  // namespace dither::audit
