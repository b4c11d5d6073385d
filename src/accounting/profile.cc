#include "accounting/profile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accounting/native_atoms.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/rational.h"

namespace dither::accounting {
namespace {

// A point of the curve in e^epsilon, exact.
struct Point {
  Rational ratio;
  double double_ratio;
  Rational delta;
};

const Rational& least_mass() {
  static const Rational value = Rational::parse("1e-290");
  return value;
}

Rational slope(const Point& a, const Point& b) { return (b.delta - a.delta) / (b.ratio - a.ratio); }

// Nodes that lie closer near 0, where a composition of many needs them: at most * (i / last)^3. The ratio is the double
// itself, and delta is taken at an epsilon not above its logarithm.
std::vector<Point> points_of(const std::function<double(double)>& delta_up, double most, int nodes) {
  std::vector<Point> points;
  double least = 1;
  for (int i = 0; i < nodes; ++i) {
    const double part = static_cast<double>(i) / (nodes - 1);
    const double ratio = std::exp(most * part * part * part);
    if (i > 0 && ratio <= points.back().double_ratio) continue;  // closer than doubles are
    const double epsilon = std::max(0.0, log_down(ratio));
    const double delta = delta_up(epsilon);
    if (!std::isnan(delta)) least = std::min(least, delta);  // the curve falls: what held before still does
    points.push_back({Rational::from_double(ratio), ratio, Rational::from_double(std::max(0.0, least))});
  }
  return points;
}

std::vector<Point> lower_hull(const std::vector<Point>& points) {
  std::vector<Point> hull;
  for (const Point& point : points) {
    while (hull.size() >= 2 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) hull.pop_back();
    hull.push_back(point);
  }
  return hull;
}

}  // namespace

// With h the hull, Q gives a ratio r > 1 the increase of the slope of h there, P r times as much; by symmetry Q and P
// exchange these at 1/r. What is missing of P has ratio 1.
AtomLoss symmetric_pair(const std::function<double(double)>& delta_up, double most, int nodes) {
  if (!(most > 0 && most <= 300) || nodes < 2 || nodes > 100000) {
    throw Error{Code::out_of_range, "a curve needs an end in (0, 300] and 2 to 100000 nodes", "take another range"};
  }
  const std::vector<Point> points = points_of(delta_up, most, nodes);
  const std::vector<Point> hull = lower_hull(points);
  AtomLoss pair;
  Rational infinite = hull.back().delta;
  Rational rest = Rational(1) - hull.back().delta;
  std::vector<LossAtom> above;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Rational after = i + 1 < hull.size() ? slope(hull[i], hull[i + 1]) : Rational(0);
    const Rational q = after - slope(hull[i - 1], hull[i]);
    if (q.sign() == 0) continue;
    rest -= q * (hull[i].ratio + Rational(1));
    if (q < least_mass()) {  // too small for a double that keeps its digits: counted as infinite
      infinite += q * (hull[i].ratio + Rational(1));
      continue;
    }
    const double loss = std::log(hull[i].double_ratio);
    above.push_back({loss, (q * hull[i].ratio).to_double_down()});
    pair.atoms.push_back({-loss, q.to_double_down()});
  }
  if (rest.sign() < 0) {
    const Point& last = points.back();
    return black_box(Rational::from_double(log_up(last.double_ratio)), last.delta);
  }
  std::reverse(pair.atoms.begin(), pair.atoms.end());
  if (rest.sign() > 0) pair.atoms.push_back({0, rest.to_double_down()});
  pair.atoms.insert(pair.atoms.end(), above.begin(), above.end());
  pair.infinite_mass = infinite.to_double_up();
  return pair;
}

}  // namespace dither::accounting
