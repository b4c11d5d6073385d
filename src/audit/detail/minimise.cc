#include "audit/detail/minimise.h"

#include <cmath>
#include <cstddef>
#include <deque>
#include <numeric>

namespace dither::audit::detail {

namespace {

constexpr std::size_t kMemory = 8;
constexpr double kFlat = 1e-5;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::span<double> to, double times, std::span<const double> what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += times * what[i];
}

// How the gradient changed along a step: what stands in for second derivatives.
struct Turn {
  std::vector<double> step, change;
  double curvature;  // their product, positive
};

// The two loops of Nocedal: from a gradient to a direction of descent.
std::vector<double> direction(const std::deque<Turn>& turns, const std::vector<double>& gradient) {
  std::vector<double> way = gradient;
  std::vector<double> parts(turns.size());
  for (std::size_t i = turns.size(); i-- > 0;) {
    parts[i] = dot(turns[i].step, way) / turns[i].curvature;
    add(way, -parts[i], turns[i].change);
  }
  if (!turns.empty()) {
    const double scale = turns.back().curvature / dot(turns.back().change, turns.back().change);
    for (double& value : way) value *= scale;
  }
  for (std::size_t i = 0; i < turns.size(); ++i) {
    add(way, parts[i] - dot(turns[i].change, way) / turns[i].curvature, turns[i].step);
  }
  for (double& value : way) value = -value;
  return way;
}

}  // namespace

std::vector<double> minimise(const Objective& objective, std::vector<double> start, int steps) {
  std::vector<double> point = std::move(start);
  std::vector<double> gradient(point.size());
  double value = objective(point, gradient);
  std::deque<Turn> turns;
  for (int step = 0; step < steps && std::sqrt(dot(gradient, gradient)) > kFlat; ++step) {
    const std::vector<double> way = direction(turns, gradient);
    const double slope = dot(way, gradient);
    double length = 1;
    std::vector<double> next = point;
    std::vector<double> next_gradient(point.size());
    double next_value = value;
    bool lower = false;
    for (int halved = 0; halved < 30 && !lower; ++halved, length /= 2) {
      next = point;
      add(next, length, way);
      next_value = objective(next, next_gradient);
      lower = next_value <= value + 1e-4 * length * slope;
    }
    if (!lower) break;
    Turn turn{next, next_gradient, 0};
    add(turn.step, -1, point);
    add(turn.change, -1, gradient);
    turn.curvature = dot(turn.step, turn.change);
    if (turn.curvature > 1e-300) turns.push_back(std::move(turn));
    if (turns.size() > kMemory) turns.pop_front();
    point = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
  }
  return point;
}

}  // namespace dither::audit::detail
