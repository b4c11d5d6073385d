// Whole curves, and what they mean for an attacker.
#include <algorithm>
#include <array>
#include <cmath>

#include "accounting/accountant.h"
#include "accounting/tradeoff.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

constexpr int kAttackPoints = 32;
constexpr double kWidth = 1e-3;  // relative, of delta: closer than a plot shows
constexpr std::array kFalsePositives{0.0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0};

CurvePoint point_at(const Composition& composition, double epsilon) {
  const Certified delta = composition.delta_at(Rational::from_double(epsilon), kWidth).delta;
  return {epsilon, delta.lower.value_or(0), delta.upper};
}

// Where the curve has little left to say: at delta 1e-9, or at a larger one when the events do not let it fall so low.
double last_epsilon(const Composition& composition) {
  for (const char* const delta : {"1e-9", "1e-6", "1e-3", "0.1"}) {
    const double epsilon = composition.epsilon_at(Rational::parse(delta), kWidth).epsilon.upper;
    if (std::isfinite(epsilon)) return epsilon;
  }
  return 10;
}

}  // namespace

std::vector<CurvePoint> curve(const Composition& composition, const Rational& least_delta, int points) {
  if (points < 2 || points > 100000) {
    throw Error{Code::bad_count, "a curve has 2 to 100000 points", "give another number of points"};
  }
  const double last = composition.epsilon_at(least_delta, kWidth).epsilon.upper;
  if (!std::isfinite(last)) {
    throw Error{Code::unreachable, "delta does not fall that low at any epsilon",
                "end the curve at a larger delta: above the deltas of the events"};
  }
  std::vector<CurvePoint> curve;
  for (int i = 0; i < points; ++i) curve.push_back(point_at(composition, last * i / (points - 1)));
  return curve;
}

Attack attack(const Composition& composition) {
  const double last = last_epsilon(composition);
  std::vector<CurvePoint> points;
  for (int i = 0; i < kAttackPoints; ++i) points.push_back(point_at(composition, last * i / (kAttackPoints - 1)));
  Attack attack{};
  attack.advantage = points.front().delta_upper;
  attack.accuracy = add_up(0.5, attack.advantage / 2);
  std::vector<ProfilePoint> profile;
  for (const CurvePoint& point : points) profile.push_back({point.epsilon, point.delta_upper});
  for (const double rate : kFalsePositives) {
    attack.region.push_back({rate, sub_up(1, tradeoff_down(profile, rate))});
  }
  return attack;
}

}  // namespace dither::accounting
