#include "accounting/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/directed.h"
#include "base/error.h"
#include "base/roots.h"
#include "base/sum.h"

namespace dither::accounting {
namespace {

void require_positive(const char* what, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error{Code::bad_scale, fmt::format("the {} is {}, but must be positive and finite", what, value),
              "give a positive number"};
}

double require_count(std::uint64_t coordinates) {
  if (coordinates >= 1 && coordinates <= std::uint64_t{1} << 53) return static_cast<double>(coordinates);
  throw Error{Code::bad_count, fmt::format("{} coordinates are not between 1 and 2^53", coordinates),
              "give the number of noisy values"};
}

double require_valid(const Accuracy& accuracy) {
  if (!(accuracy.failure > 0 && accuracy.failure < 1)) {
    throw Error{Code::bad_probability,
                fmt::format("the failure probability is {}, but must be between 0 and 1", accuracy.failure),
                "give a probability such as 0.05"};
  }
  return require_count(accuracy.coordinates);
}

// ln of the probability p with which each coordinate may fail: 1 - (1 - failure)^(1/K), rounded down.
double log_share_down(const Accuracy& accuracy) {
  const double count = require_valid(accuracy);
  return log1mexp_down(div_up(log1p_up(-accuracy.failure), count));
}

// 1 - (1 - p)^K for ln p rounded up.
double any_fails_up(double log_p, std::uint64_t coordinates) {
  const double count = require_count(coordinates);
  if (log_p >= 0) return 1;
  return std::min(1.0, -expm1_down(mul_down(count, log1mexp_down(log_p))));
}

// The errors at scale 1.
double laplace_unit_up(const Accuracy& accuracy) { return -log_share_down(accuracy); }
double gaussian_unit_up(const Accuracy& accuracy) {
  return -ndtri_exp_down(sub_down(log_share_down(accuracy), log_up(2)));  // two tails
}

// (m + 1) / scale must reach this for P(|X| > m) = 2 q^(m+1) / (1 + q) <= p, q = e^(-1/scale).
double discrete_laplace_unit_up(double scale, double log_share) {
  const double q = exp_down(div_down(-1, scale));
  return std::max(0.0, sub_up(sub_up(log_up(2), log1p_down(q)), log_share));
}

}  // namespace

double laplace_error_up(double scale, const Accuracy& accuracy) {
  require_positive("scale", scale);
  return mul_up(scale, laplace_unit_up(accuracy));
}

double laplace_union_error_up(double scale, const Accuracy& accuracy) {
  require_positive("scale", scale);
  const double count = require_valid(accuracy);
  return mul_up(scale, log_up(div_up(count, accuracy.failure)));
}

double laplace_mean_largest_up(double scale, std::uint64_t coordinates) {
  require_positive("scale", scale);
  const double count = require_count(coordinates);
  // H_K <= ln K + gamma + 1/(2K), within 1/(8 K^2); summed outright while that is quick.
  constexpr std::uint64_t kSummed = 100'000;
  constexpr double kGammaUp = 0.57721566490153294;
  if (coordinates > kSummed) return mul_up(scale, add_up(add_up(log_up(count), kGammaUp), div_up(0.5, count)));
  RunningSum sum;
  for (std::uint64_t k = 1; k <= coordinates; ++k) sum += div_up(1, static_cast<double>(k));
  return mul_up(scale, sum.up());
}

double laplace_failure_up(double scale, double error, std::uint64_t coordinates) {
  require_positive("scale", scale);
  require_positive("error", error);
  return any_fails_up(-div_down(error, scale), coordinates);
}

double gaussian_error_up(double sigma, const Accuracy& accuracy) {
  require_positive("sigma", sigma);
  return mul_up(sigma, gaussian_unit_up(accuracy));
}

double gaussian_union_error_up(double sigma, const Accuracy& accuracy) {
  require_positive("sigma", sigma);
  const double count = require_valid(accuracy);
  return mul_up(sigma, sqrt_up(mul_up(2, log_up(div_up(count, accuracy.failure)))));
}

double gaussian_failure_up(double sigma, double error, std::uint64_t coordinates) {
  require_positive("sigma", sigma);
  require_positive("error", error);
  return any_fails_up(add_up(log_up(2), log_ndtr_up(-div_down(error, sigma))), coordinates);
}

std::uint64_t discrete_laplace_error(double scale, const Accuracy& accuracy) {
  require_positive("scale", scale);
  const double steps = std::ceil(mul_up(scale, discrete_laplace_unit_up(scale, log_share_down(accuracy))));
  if (steps < 1) return 0;
  constexpr double kMost = 9007199254740992;  // 2^53: whole numbers are exact up to here
  if (!(steps <= kMost)) {
    throw Error{Code::out_of_range, fmt::format("noise of scale {} is off by more than 2^53 steps", scale),
                "give a smaller scale"};
  }
  return static_cast<std::uint64_t>(steps) - 1;
}

double discrete_laplace_failure_up(double scale, std::uint64_t error, std::uint64_t coordinates) {
  require_positive("scale", scale);
  const double steps = require_count(error + 1);
  const double q = exp_down(div_down(-1, scale));
  const double log_tail = sub_up(sub_up(log_up(2), log1p_down(q)), div_down(steps, scale));
  return any_fails_up(log_tail, coordinates);
}

double laplace_scale_for(double error, const Accuracy& accuracy) {
  require_positive("error", error);
  return div_down(error, laplace_unit_up(accuracy));
}

double gaussian_sigma_for(double error, const Accuracy& accuracy) {
  require_positive("error", error);
  return div_down(error, gaussian_unit_up(accuracy));
}

double discrete_laplace_scale_for(std::uint64_t error, const Accuracy& accuracy) {
  const double steps = require_count(error + 1);
  const double log_share = log_share_down(accuracy);
  const auto kept = [&](double scale) { return mul_up(scale, discrete_laplace_unit_up(scale, log_share)) <= steps; };
  // The unit lies between -ln p and ln 2 - ln p.
  return find_turn(kept, 2 * steps / -log_share, steps / (1 - log_share)).holds;
}

double laplace_epsilon_for(double sensitivity, double error, const Accuracy& accuracy) {
  require_positive("sensitivity", sensitivity);
  require_positive("error", error);
  return div_up(mul_up(sensitivity, laplace_unit_up(accuracy)), error);
}

double gaussian_mu_for(double sensitivity, double error, const Accuracy& accuracy) {
  require_positive("sensitivity", sensitivity);
  require_positive("error", error);
  return div_up(mul_up(sensitivity, gaussian_unit_up(accuracy)), error);
}

std::uint64_t laplace_records_for(double range, double error, double epsilon, const Accuracy& accuracy) {
  require_positive("range", range);
  require_positive("error", error);
  require_positive("epsilon", epsilon);
  const double records = std::ceil(div_up(div_up(mul_up(range, laplace_unit_up(accuracy)), error), epsilon));
  constexpr double kMost = 9007199254740992;
  if (!(records <= kMost)) {
    throw Error{Code::out_of_range, "more than 2^53 records would be needed", "ask for a larger error or epsilon"};
  }
  return static_cast<std::uint64_t>(std::max(1.0, records));
}

NoiseLaw quieter_noise(double l1_sensitivity, double epsilon, double sigma) {
  require_positive("sensitivity", l1_sensitivity);
  require_positive("epsilon", epsilon);
  require_positive("sigma", sigma);
  return std::sqrt(2.0) * (l1_sensitivity / epsilon) <= sigma ? NoiseLaw::laplace : NoiseLaw::gaussian;
}

CountingErrors counting_errors(std::uint64_t queries, double records, double epsilon, double sigma_of_one,
                               double universe, double failure) {
  require_positive("number of records", records);
  require_positive("epsilon", epsilon);
  require_positive("universe", universe);
  const Accuracy accuracy{queries, failure};
  const double k = require_valid(accuracy);
  const double log_k = std::log(std::max(k, 2.0));
  return {std::sqrt(k / records) / epsilon, laplace_union_error_up(div_up(k, mul_down(epsilon, records)), accuracy),
          gaussian_error_up(div_up(mul_up(sigma_of_one, sqrt_up(k)), records), accuracy),
          std::sqrt(std::sqrt(std::log(std::max(universe, 2.0))) * log_k / (epsilon * records))};
}

}  // namespace dither::accounting
