// How far off noisy answers are, and the other way round: the noise, epsilon or number of records for a wanted accuracy.
#pragma once

#include <cstdint>

namespace dither::accounting {

// `coordinates` values get independent noise; with probability at least 1 - failure none of them is off by more than the
// error. Functions without "union" are exact: the largest error has that quantile.
//
// Promise    errors, epsilons and numbers of records are rounded up, scales down: the accuracy asked for is kept.
// Refuses    no coordinates or more than 2^53 (bad-count); failure outside (0, 1) (bad-probability); scales, errors,
//            sensitivities and epsilons that are not positive and finite (bad-scale).
// Cost       under 1 us; discrete_laplace_scale_for about 10 us.
// Spec       F-34, F-46, F-56.
struct Accuracy {
  std::uint64_t coordinates;
  double failure;
};

// Laplace noise of scale b: error b (-ln(1 - (1 - failure)^(1/K))), by a union bound b ln(K / failure).
double laplace_error_up(double scale, const Accuracy& accuracy);
double laplace_union_error_up(double scale, const Accuracy& accuracy);
// The mean of the largest error: b (1 + 1/2 + ... + 1/K).
double laplace_mean_largest_up(double scale, std::uint64_t coordinates);
// The probability that some value is off by more than the error, rounded up.
double laplace_failure_up(double scale, double error, std::uint64_t coordinates);

// Gaussian noise: error sigma Phi^-1((1 + (1 - failure)^(1/K)) / 2), by a union bound sigma sqrt(2 ln(K / failure)).
double gaussian_error_up(double sigma, const Accuracy& accuracy);
double gaussian_union_error_up(double sigma, const Accuracy& accuracy);
double gaussian_failure_up(double sigma, double error, std::uint64_t coordinates);

// Noise on the integers with probabilities proportional to e^(-|x| / scale): the error is a whole number.
std::uint64_t discrete_laplace_error(double scale, const Accuracy& accuracy);
double discrete_laplace_failure_up(double scale, std::uint64_t error, std::uint64_t coordinates);

// The most noise for a wanted error.
double laplace_scale_for(double error, const Accuracy& accuracy);
double gaussian_sigma_for(double error, const Accuracy& accuracy);
double discrete_laplace_scale_for(std::uint64_t error, const Accuracy& accuracy);

// What a wanted error costs: epsilon of Laplace noise (L1 sensitivity), and mu = sensitivity / sigma of Gaussian noise
// (L2 sensitivity), from which gaussian.h gives epsilon for a delta.
double laplace_epsilon_for(double sensitivity, double error, const Accuracy& accuracy);
double gaussian_mu_for(double sensitivity, double error, const Accuracy& accuracy);

// The least number n of records for a mean of values in an interval of length `range`, whose sensitivity is range / n.
std::uint64_t laplace_records_for(double range, double error, double epsilon, const Accuracy& accuracy);

// Which noise has the smaller standard deviation at equal budget: Laplace of scale sensitivity / epsilon (L1), or
// Gaussian with the sigma that the same epsilon allows at some delta. Laplace when they are equal. Spec F-59.
enum class NoiseLaw { laplace, gaussian };
NoiseLaw quieter_noise(double l1_sensitivity, double epsilon, double sigma);

// Errors of `queries` counting queries about n records, as fractions, each of the four for the whole set of queries:
// Laplace and Gaussian noise with the failure given (Laplace by the union bound), and the rates, without constants, of
// randomised response with users split over the queries and of private multiplicative weights.
// `sigma_of_one` is the sigma of one query of sensitivity 1 at the budget. Spec F-83 (and F-49, F-58).
struct CountingErrors {
  double local_rate;
  double laplace;
  double gaussian;
  double weights_rate;
};
CountingErrors counting_errors(std::uint64_t queries, double records, double epsilon, double sigma_of_one,
                               double universe, double failure);

}  // namespace dither::accounting
