#include "audit/lipschitz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "base/error.h"

namespace dither::audit {

namespace {

constexpr double kMostPoints = 1e6;

void require_domain(const ProductDomain& domain) {
  const bool fine = !domain.empty() && std::all_of(domain.begin(), domain.end(), [](const std::vector<double>& values) {
    return values.size() >= 2 && std::set<double>(values.begin(), values.end()).size() == values.size();
  });
  if (!fine) {
    throw Error(Code::bad_count, "a product domain needs coordinates of at least two values, each listed once",
                "list the different values of each");
  }
}

[[noreturn]] void refuse_range(const std::string& what) {
  throw Error(Code::out_of_range, what, "give c > 0 (c >= 0 for a test) and low <= high");
}

// Each coordinate as often as it makes neighbours of a point: once for each of its other values.
std::vector<std::size_t> neighbours_by_coordinate(const ProductDomain& domain) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < domain.size(); ++i) all.insert(all.end(), domain[i].size() - 1, i);
  return all;
}

std::size_t place_of(double value, std::span<const double> values) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

// How far f moves; nothing when it moves by no number.
std::optional<Rational> moved(const PlainFunction& f, std::span<const double> x, std::span<const double> y) {
  const double a = f(x), b = f(y);
  if (!std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
  return abs(Rational::from_double(a) - Rational::from_double(b));
}

bool moves_further(const PlainFunction& f, std::span<const double> x, std::span<const double> y, const Rational& c) {
  const auto distance = moved(f, x, y);
  return !distance || *distance > c;
}

}  // namespace

LipschitzReport test_lipschitz(const ProductDomain& domain, const PlainFunction& f, const Rational& c,
                               std::int64_t samples, double false_alarm, std::uint64_t seed) {
  require_domain(domain);
  if (c < 0) refuse_range("c is negative");
  std::mt19937_64 random(seed);
  LipschitzReport report;
  std::vector<double> x(domain.size()), y;
  const std::vector<std::size_t> neighbours = neighbours_by_coordinate(domain);
  while (report.tried < samples && !report.counterexample) {
    for (std::size_t i = 0; i < domain.size(); ++i) x[i] = domain[i][random() % domain[i].size()];
    const std::size_t at = neighbours[random() % neighbours.size()];
    const std::size_t own = place_of(x[at], domain[at]);
    const std::size_t other = random() % (domain[at].size() - 1);
    y = x;
    y[at] = domain[at][other + (other >= own ? 1 : 0)];
    ++report.tried;
    const auto distance = moved(f, x, y);
    report.largest = std::max(report.largest, distance ? distance->to_double_up() : HUGE_VAL);
    if (distance && *distance <= c) continue;
    for (std::size_t i = 0; i < domain.size(); ++i) {  // coordinates that do not matter become plain
      std::vector<double> plain_x = x, plain_y = y;
      plain_x[i] = i == at ? x[i] : domain[i][0];
      plain_y[i] = i == at ? y[i] : domain[i][0];
      if (!moves_further(f, plain_x, plain_y, c)) continue;
      x = plain_x;
      y = plain_y;
    }
    report.counterexample = {x, y};
  }
  // All of n pairs are fine with probability at most (1 - share)^n <= e^(-share n).
  if (!report.counterexample && report.tried > 0) {
    report.at_most_share = std::min(1.0, std::log(1 / false_alarm) / static_cast<double>(report.tried) * (1 + 1e-12));
  }
  return report;
}

LipschitzFilter::LipschitzFilter(ProductDomain domain, PlainFunction f, const Rational& c, const Rational& low,
                                 const Rational& high)
    : domain_(std::move(domain)), f_(std::move(f)), c_(c), low_(low), high_(high) {
  require_domain(domain_);
  if (c <= 0 || low > high) refuse_range("c, low and high make no filter");
  const Rational far = (high - low) / c;
  radius_ = far >= static_cast<long>(domain_.size()) ? domain_.size() : static_cast<std::size_t>(far.floor());
  // Points by the number of coordinates that differ: products of the other values, coordinate by coordinate.
  std::vector<double> points(radius_ + 1);
  points[0] = 1;
  for (const auto& values : domain_) {
    for (std::size_t changed = radius_; changed > 0; --changed) {
      points[changed] += points[changed - 1] * static_cast<double>(values.size() - 1);
    }
  }
  double sum = 0;
  for (const double some : points) sum += some;
  if (sum > kMostPoints) {
    throw Error(Code::bad_count, fmt::format("the filter would look at {:.3g} points for one answer", sum),
                "give a larger c, narrower bounds or a smaller domain");
  }
}

Rational LipschitzFilter::operator()(std::span<const double> x) const {
  std::vector<double> y(x.begin(), x.end());
  Rational best = high_;
  look(y, 0, 0, best);
  return best;
}

Rational LipschitzFilter::cut(std::span<const double> y) const {
  const double value = f_(y);
  if (!std::isfinite(value)) return high_;
  return std::clamp(Rational::from_double(value), low_, high_);
}

// y differs from x in `changed` coordinates, all of them before `from`.
void LipschitzFilter::look(std::vector<double>& y, std::size_t from, std::size_t changed, Rational& best) const {
  best = std::min(best, cut(y) + c_ * Rational(static_cast<long>(changed)));
  if (changed == radius_) return;
  for (std::size_t i = from; i < y.size(); ++i) {
    const double own = y[i];
    for (const double value : domain_[i]) {
      if (value == own) continue;
      y[i] = value;
      look(y, i + 1, changed + 1, best);
    }
    y[i] = own;
  }
}

}  // namespace dither::audit
