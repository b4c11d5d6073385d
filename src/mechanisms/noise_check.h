// For the tests of noise on numbers: the laws of the released number, and what is asked of every one of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/laplace.h"
#include "mechanisms/real_gaussian.h"
#include "mechanisms/truncated_geometric.h"
#include "random/pmf.h"
#include "random/real_cdf.h"
#include "random/source.h"
#include "testing/statistical.h"

namespace dither::mechanisms::check {

inline bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// P(released | exact), computed once; all but 1e-12 of it lies within `reach` of the exact number.
class OutputLaw {
 public:
  using Pmf = std::function<BigInterval(Int128 exact, Int128 released)>;
  OutputLaw(Pmf pmf, Int128 reach_of) : reach(reach_of), pmf_(std::move(pmf)) {}

  double operator()(Int128 exact, Int128 released) const {
    const auto [entry, fresh] = known_->try_emplace({exact, released});
    if (fresh) entry->second = pmf_(exact, released).low_double();
    return entry->second;
  }

  const Int128 reach;

 private:
  Pmf pmf_;
  std::shared_ptr<std::map<std::pair<Int128, Int128>, double>> known_ =
      std::make_shared<std::map<std::pair<Int128, Int128>, double>>();
};

// One family of noise at one scale, with the law it should have, for numbers in 0 .. 30.
struct Family {
  std::string name;
  calculus::AnyMeasurement noise;
  OutputLaw law;
};

inline Int128 reach_of(const Rational& scale) { return (30 * scale).ceil() + 2; }

inline Family discrete_laplace_family(const Rational& scale) {
  return {"discrete Laplace",
          make_discrete_laplace({}, scale).any(),
          {[scale](Int128 x, Int128 y) { return random::discrete_laplace_pmf(scale, y - x, 128); }, reach_of(scale)}};
}
inline Family laplace_family(const Rational& scale) {
  return {"Laplace",
          make_laplace({}, scale).any(),
          {[scale](Int128 x, Int128 y) {
             return random::rounded_real_pmf(random::RealLaw::laplace(), Rational(x), scale, y, 128);
           },
           reach_of(scale)}};
}
inline Family gaussian_family(const Rational& sigma) {
  return {"discrete Gaussian",
          make_gaussian({}, sigma).any(),
          {[sigma](Int128 x, Int128 y) { return random::discrete_gaussian_pmf(sigma * sigma, y - x, 128); },
           (9 * sigma).ceil() + 2}};
}
inline Family real_gaussian_family(const Rational& sigma) {
  return {"Gaussian",
          make_real_gaussian({}, sigma).any(),
          {[sigma](Int128 x, Int128 y) {
             return random::rounded_real_pmf(random::RealLaw::normal(), Rational(x), sigma, y, 128);
           },
           (9 * sigma).ceil() + 2}};
}
inline constexpr int kTop = 30;
inline Family truncated_family(const Rational& scale) {
  return {"truncated geometric",
          make_truncated_geometric({.bounds = calculus::bounds(0, kTop)}, scale).any(),
          {[scale](Int128 x, Int128 y) {
             return y < 0 || y > kTop ? BigInterval(128) : random::truncated_geometric_pmf(scale, kTop, x, y, 128);
           },
           Int128{kTop}}};
}

inline std::vector<Family> families(const Rational& scale) {
  return {discrete_laplace_family(scale), laplace_family(scale), gaussian_family(scale), real_gaussian_family(scale),
          truncated_family(scale)};
}

// n releases of one exact number, as one vector.
inline calculus::Integers releases(const calculus::AnyMeasurement& noise, Int128 exact, std::size_t n,
                                   random::Source& source) {
  return std::get<calculus::Integers>(noise.release(calculus::Private(calculus::Integers(n, exact)), source).value());
}

// Whether released numbers fit the law: a cell for each number within `width` of the exact one, and one for the rest.
inline bool fits(const calculus::Integers& released, const OutputLaw& law, Int128 exact, Int128 width,
                 double false_alarm) {
  const auto cells = static_cast<std::size_t>(2 * width + 1);
  std::vector<std::int64_t> counts(cells + 1);
  std::vector<double> probabilities(cells + 1);
  for (std::size_t i = 0; i < cells; ++i) probabilities[i] = law(exact, exact - width + static_cast<Int128>(i));
  double sum = 0;
  for (std::size_t i = 0; i < cells; ++i) sum += probabilities[i];
  probabilities[cells] = std::max(0.0, 1 - sum);
  for (const Int128 y : released) {
    const Int128 at = y - exact + width;
    ++counts[at >= 0 && at < static_cast<Int128>(cells) ? static_cast<std::size_t>(at) : cells];
  }
  return testing::chi_square_accepts(counts, probabilities, false_alarm);
}

// The probability that the bar of what is released holds the exact number: a sum over the law, nothing is drawn.
inline double coverage(const calculus::AnyMeasurement& noise, const OutputLaw& law, Int128 exact) {
  double sum = 0;
  for (Int128 y = exact - law.reach; y <= exact + law.reach; ++y) {
    const calculus::ErrorBar bar = noise.error(y).value();
    if (bar.low <= Rational(exact) && Rational(exact) <= bar.high) sum += law(exact, y);
  }
  return sum;
}

// The largest log ratio of the laws of two inputs over all outputs that either gives with 1e-250 or more.
inline double worst_log_ratio(const OutputLaw& law, Int128 x, Int128 y) {
  double worst = 0;
  for (Int128 out = std::min(x, y) - law.reach; out <= std::max(x, y) + law.reach; ++out) {
    const double p = law(x, out);
    const double q = law(y, out);
    if (p < 1e-250 && q < 1e-250) continue;
    worst = std::max(worst, std::abs(std::log(p) - std::log(q)));
  }
  return worst;
}

// The Renyi divergence of the law of x from that of y.
inline double renyi(const OutputLaw& law, Int128 x, Int128 y, double order) {
  double sum = 0;
  for (Int128 out = std::min(x, y) - law.reach; out <= std::max(x, y) + law.reach; ++out) {
    const double p = law(x, out);
    const double q = law(y, out);
    if (p > 1e-250 && q > 1e-250) sum += std::exp(order * std::log(p) - (order - 1) * std::log(q));
  }
  return std::log(sum) / (order - 1);
}

// The hockey-stick divergence: the least delta at epsilon.
inline double delta_between(const OutputLaw& law, Int128 x, Int128 y, double epsilon) {
  double sum = 0;
  for (Int128 out = std::min(x, y) - law.reach; out <= std::max(x, y) + law.reach; ++out) {
    sum += std::max(0.0, law(x, out) - std::exp(epsilon) * law(y, out));
  }
  return sum;
}

// Mean square of released - exact, by the law.
inline double mean_square(const OutputLaw& law, Int128 exact) {
  double sum = 0;
  for (Int128 y = exact - law.reach; y <= exact + law.reach; ++y) {
    const auto error = static_cast<double>(y - exact);
    sum += error * error * law(exact, y);
  }
  return sum;
}

}  // namespace dither::mechanisms::check
