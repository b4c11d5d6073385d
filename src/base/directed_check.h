// What directed_test.cc and directed_normal_test.cc share: MPFR as the oracle, points over all exponents, one verdict.
#pragma once

#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/ulps.h"

namespace dither::check {

// An MPFR number of 140 bits; composed oracles are wrong by 2^-125 or so, which no double can come near by chance.
class Big {
 public:
  explicit Big(double value = 0) {
    mpfr_init2(value_, 140);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Big(const Big&) = delete;
  Big& operator=(const Big&) = delete;
  ~Big() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }  // NOLINT: stands in for it in calls

 private:
  mpfr_t value_;
};

// 10^4 points for each function, 10^6 in the nightly run.
inline int points_per_function() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 1'000'000 : 10'000; }

// Doubles between low and high: the ends and special points inside, then half of them uniform on the ladder, so that
// every exponent is as likely, and half uniform between the two near points, where the function bends.
struct Range {
  double low;
  double high;
  double near_low;
  double near_high;
};

inline std::vector<double> special_points() {
  std::vector<double> points;
  const double anchors[] = {0.0,  0x1p-1074, 0x1p-1022, 1e-300, 1e-20, 0x1p-53, 0x1p-52,  0.25,  0.5,     std::log(2.0),
                            0.75, 1.0,       1.5,       2.0,    3.0,   10.0,    26.5,     27.0,  36.0,    38.5,
                            100,  709.78,    745.13,    1e4,    1e9,   1e154,   1.34e154, 1e300, 1.7e308, kInfinity};
  for (double anchor : anchors) {
    for (int step : {-2, -1, 0, 1, 2}) {
      const double x = step < 0 ? steps_down(anchor, -step) : steps_up(anchor, step);
      points.push_back(x);
      points.push_back(-x);
    }
  }
  return points;
}

inline std::vector<double> points_in(const Range& range, int count, std::uint64_t seed) {
  std::vector<double> points;
  for (double x : special_points()) {
    if (x >= range.low && x <= range.high) points.push_back(x);
  }
  std::mt19937_64 random(seed);
  const std::uint64_t rungs = steps_between(range.low, range.high);
  while (static_cast<int>(points.size()) < count) {
    const std::uint64_t offset = rungs == 0 ? 0 : random() % rungs;
    points.push_back(double_at(static_cast<std::int64_t>(static_cast<std::uint64_t>(rung_of(range.low)) + offset)));
    points.push_back(std::uniform_real_distribution<double>(range.near_low, range.near_high)(random));
  }
  return points;
}

// A pair of directed functions, what they should bracket, and how closely.
struct Pair {
  std::string name;
  std::function<double(double)> up;
  std::function<double(double)> down;
  std::function<void(mpfr_ptr, double)> oracle;
  int slack;
  Range range;
};

inline bool is_within_1e14(double end, mpfr_ptr truth) {
  if (!std::isfinite(end) || std::fabs(mpfr_get_d(truth, MPFR_RNDZ)) < std::numeric_limits<double>::min()) return true;
  if (mpfr_cmpabs(truth, Big(std::numeric_limits<double>::max())) > 0) return true;
  Big distance;
  mpfr_sub_d(distance, truth, end, MPFR_RNDA);
  mpfr_div(distance, distance, truth, MPFR_RNDA);
  return std::fabs(mpfr_get_d(distance, MPFR_RNDA)) <= 1e-14;
}

// Empty when down <= truth <= up and both ends are as tight as promised; otherwise what is wrong.
inline std::string verdict(const Pair& pair, double x) {
  Big truth;
  pair.oracle(truth, x);
  const double up = pair.up(x);
  const double down = pair.down(x);
  const auto fault = [&](const char* what) {
    return fmt::format("{}({:a}): {}; down {:a} up {:a} nearest {:a}", pair.name, x, what, down, up,
                       mpfr_get_d(truth, MPFR_RNDN));
  };
  if (std::isnan(up) || std::isnan(down)) return fault("NaN");
  if (mpfr_cmp_d(truth, up) > 0) return fault("up is below");
  if (mpfr_cmp_d(truth, down) < 0) return fault("down is above");
  if (up > steps_up(mpfr_get_d(truth, MPFR_RNDU), pair.slack)) return fault("up is too far");
  if (down < steps_down(mpfr_get_d(truth, MPFR_RNDD), pair.slack)) return fault("down is too far");
  if (!is_within_1e14(up, truth) || !is_within_1e14(down, truth)) return fault("beyond 1e-14");
  return "";
}

// The first fault over the points of the pair's range, or empty.
inline std::string first_fault(const Pair& pair, int count) {
  for (double x : points_in(pair.range, count, 20'260'401)) {
    if (std::string fault = verdict(pair, x); !fault.empty()) return fault;
  }
  return "";
}

}  // namespace dither::check
