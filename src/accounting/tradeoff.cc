#include "accounting/tradeoff.h"

#include <algorithm>
#include <cmath>

#include "accounting/detail/require.h"
#include "base/directed.h"

namespace dither::accounting {

namespace {

using detail::require_not_negative;
using detail::require_probability;

void require(double epsilon, double delta, double rate) {
  require_not_negative("epsilon", epsilon);
  require_probability("delta", delta);
  require_probability("the rate", rate);
}

}  // namespace

double tradeoff_down(double epsilon, double delta, double rate) {
  require(epsilon, delta, rate);
  const double kept = sub_down(1, delta);
  const double steep = rate == 0 ? kept : sub_down(kept, mul_up(exp_up(epsilon), rate));
  const double flat = mul_down(exp_down(-epsilon), std::max(0.0, sub_down(kept, rate)));
  return std::max({0.0, steep, flat});
}

double gaussian_tradeoff_down(double mu, double rate) {
  require_not_negative("mu", mu);
  require_probability("the rate", rate);
  if (rate == 0 || rate == 1) return 1 - rate;
  return exp_down(log_ndtr_down(sub_down(-ndtri_up(rate), mu)));
}

double gaussian_tradeoff_up(double mu, double rate) {
  require_not_negative("mu", mu);
  require_probability("the rate", rate);
  if (rate == 0 || rate == 1) return 1 - rate;
  return std::min(sub_up(1, rate), exp_up(log_ndtr_up(sub_up(-ndtri_down(rate), mu))));
}

double tradeoff_down(std::span<const ProfilePoint> profile, double rate) {
  require_probability("the rate", rate);
  double best = 0;
  for (const ProfilePoint& point : profile) best = std::max(best, tradeoff_down(point.epsilon, point.delta, rate));
  return best;
}

double true_positive_rate_up(double epsilon, double delta, double rate) {
  return sub_up(1, tradeoff_down(epsilon, delta, rate));
}

double attack_accuracy_up(double epsilon, double delta) {
  require(epsilon, delta, 0);
  return sub_up(1, div_down(sub_down(1, delta), add_up(1, exp_up(epsilon))));
}

double gaussian_attack_accuracy_up(double mu) {
  require_not_negative("mu", mu);
  return exp_up(log_ndtr_up(mul_up(0.5, mu)));
}

double membership_advantage_up(double epsilon, double delta) {
  require(epsilon, delta, 0);
  // 1 - 2 (1 - delta) / (1 + e^epsilon)
  return sub_up(1, mul_down(2, div_down(sub_down(1, delta), add_up(1, exp_up(epsilon)))));
}

double posterior_up(double epsilon, double prior) {
  require(epsilon, 0, prior);
  if (prior == 0) return 0;
  return std::min(1.0, div_up(1, add_down(1, mul_down(div_down(sub_down(1, prior), prior), exp_down(-epsilon)))));
}

double gdp_mu_up(const Rational& squared_mu) { return sqrt_up(squared_mu.to_double_up()); }
double gdp_mu_down(const Rational& squared_mu) { return sqrt_down(squared_mu.to_double_down()); }

}  // namespace dither::accounting
