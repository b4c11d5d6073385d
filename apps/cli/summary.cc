#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/decimal.h"
#include "show/table.h"

namespace dither::cli {

namespace {

constexpr double kFarthest = 0x1p120;  // of the points where tails are looked at

// Four points: at and beyond the middle of a law on one side, outward from zero for a law around zero.
std::vector<Int128> tail_points(const random::Moments& law) {
  const std::array<double, 4> steps = law.centre == 0 ? std::array{1.0, 2.0, 3.0, 5.0} : std::array{0.0, 1.0, 2.0, 3.0};
  std::vector<Int128> points;
  for (const double step : steps) {
    const double at = std::ceil(std::abs(law.centre) + step * law.spread);
    points.push_back(static_cast<Int128>(at < kFarthest ? std::max(at, 1.0) : kFarthest));  // also for NaN
  }
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// Sums over the numbers drawn, taken from a centre so that nothing cancels.
struct Sums {
  double centre;
  std::vector<Int128> points;
  long double first = 0;
  long double second = 0;
  std::vector<std::uint64_t> hits;

  template <typename Number>
  void add(std::span<Number> block) {
    double block_first = 0;
    double block_second = 0;
    for (const Number k : block) {
      const double d = static_cast<double>(k) - centre;
      block_first += d;
      block_second += d * d;
    }
    first += static_cast<long double>(block_first);
    second += static_cast<long double>(block_second);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto beyond = [t = static_cast<UInt128>(points[i])](Number k) { return magnitude(k) >= t; };
      hits[i] += static_cast<std::uint64_t>(std::count_if(block.begin(), block.end(), beyond));
    }
  }
};

std::string cell(std::optional<double> x, const char* otherwise) { return x ? fmt::format("{:.6g}", *x) : otherwise; }

show::Json json_cell(std::optional<double> x) { return x ? show::json_real(*x) : show::Json(); }

show::Json json_line(const Summary::Line& line) {
  return {{"drawn", json_cell(line.drawn)}, {"exact", json_cell(line.exact)}};
}

std::optional<double> times(std::optional<double> x, double factor) {
  return x ? std::optional(*x * factor) : std::nullopt;
}

}  // namespace

Summary summarise(const Draws& draws, std::uint64_t count, Progress& progress) {
  const random::Moments law = draws.exact();
  const std::vector<Int128> points = tail_points(law);
  Sums sums{std::isfinite(law.mean.value_or(0)) ? law.mean.value_or(0) : 0, points, 0, 0,
            std::vector<std::uint64_t>(points.size())};
  draw_in_blocks(draws, count, progress, [&](auto block) { sums.add(block); });

  const double grid = draws.grid.to_double_down();
  const auto n = static_cast<long double>(count);
  const long double shift = sums.first / n;
  Summary summary;
  summary.before_rounding = draws.rounded;
  summary.mean = {(sums.centre + static_cast<double>(shift)) * grid, times(law.mean, grid)};
  if (count > 1)
    summary.variance.drawn = static_cast<double>((sums.second - n * shift * shift) / (n - 1)) * grid * grid;
  summary.variance.exact = times(law.variance, grid * grid);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double drawn = static_cast<double>(sums.hits[i]) / static_cast<double>(count);
    summary.tails.push_back({Decimal(Grid(draws.grid), points[i]).str(), {drawn, law.tail(points[i])}});
  }
  return summary;
}

std::string summary_text(const Summary& summary) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"mean", cell(summary.mean.drawn, "none"), cell(summary.mean.exact, "none")});
  rows.push_back({"variance", cell(summary.variance.drawn, "none"), cell(summary.variance.exact, "none")});
  for (const auto& [at, line] : summary.tails) {
    rows.push_back({fmt::format("P(|K| >= {})", at), cell(line.drawn, "-"), cell(line.exact, "-")});
  }
  using show::Align;
  std::string text = show::text_table({{"", Align::left}, {"drawn", Align::right}, {"exact", Align::right}}, rows);
  if (summary.before_rounding) text += "\nThe exact mean and variance are those before rounding to the grid.\n";
  return text;
}

void add_summary(const Summary& summary, show::Json& document) {
  document["mean"] = json_line(summary.mean);
  document["variance"] = json_line(summary.variance);
  document["tails"] = show::Json::array();
  for (const auto& [at, line] : summary.tails) {
    show::Json tail = {{"at", at}};
    tail.update(json_line(line));
    document["tails"].push_back(tail);
  }
}

}  // namespace dither::cli
