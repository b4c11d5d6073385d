#include "audit/logistic.h"

#include <algorithm>
#include <cmath>

#include "audit/detail/minimise.h"

namespace dither::audit {

namespace {

constexpr double kRidge = 1e-6;
constexpr int kSteps = 60;
constexpr std::size_t kMostCells = 4'000'000;

// Training runs as rows of features; those of the first input come first.
struct Rows {
  std::size_t width;
  std::vector<double> cells = {};
  std::size_t of_first = 0;

  void add(const Features& features, const Outputs& outputs, std::int64_t runs) {
    std::size_t at = cells.size();
    cells.resize(at + static_cast<std::size_t>(runs) * width);
    for (std::int64_t run = 0; run < runs; ++run, at += width) {
      features.visit(outputs.row(run), [&](std::size_t i, double value) { cells[at + i] = value; });
    }
  }
  std::size_t count() const { return width == 0 ? 0 : cells.size() / width; }
};

// log(1 + e^x), and 1 / (1 + e^-x) put into `slope`.
double softplus(double x, double& slope) {
  const double small = std::exp(-std::abs(x));
  slope = (x >= 0 ? 1.0 : small) / (1 + small);
  return std::max(x, 0.0) + std::log1p(small);
}

// Mean log loss; each input weighs one half, and the last coordinate is the constant.
double log_loss(const Rows& rows, std::span<const double> point, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const std::size_t width = rows.width;
  const std::size_t count = rows.count();
  const double weight_first = 0.5 / static_cast<double>(rows.of_first);
  const double weight_second = 0.5 / static_cast<double>(count - rows.of_first);
  double loss = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double* row = rows.cells.data() + r * width;
    double odds = point[width];
    for (std::size_t i = 0; i < width; ++i) odds += row[i] * point[i];
    const double sign = r < rows.of_first ? -1 : 1;
    const double weight = r < rows.of_first ? weight_first : weight_second;
    double slope = 0;
    loss += weight * softplus(sign * odds, slope);
    const double pull = weight * sign * slope;
    for (std::size_t i = 0; i < width; ++i) gradient[i] += pull * row[i];
    gradient[width] += pull;
  }
  for (std::size_t i = 0; i < width; ++i) {
    loss += kRidge / 2 * point[i] * point[i];
    gradient[i] += kRidge * point[i];
  }
  return loss;
}

}  // namespace

Logistic fit_logistic(Features features, const Outputs& first, const Outputs& second) {
  const std::size_t width = features.size();
  if (first.runs() == 0 || second.runs() == 0 || width == 0) {
    return Logistic(std::move(features), std::vector<double>(width));
  }
  const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, kMostCells / (2 * width)));
  Rows rows{.width = width};
  rows.of_first = static_cast<std::size_t>(std::min(first.runs(), most));
  rows.add(features, first, std::min(first.runs(), most));
  rows.add(features, second, std::min(second.runs(), most));
  std::vector<double> weights = detail::minimise(
      [&](std::span<const double> point, std::span<double> gradient) { return log_loss(rows, point, gradient); },
      std::vector<double>(width + 1), kSteps);
  weights.pop_back();
  return Logistic(std::move(features), std::move(weights));
}

}  // namespace dither::audit
