// The beta law: tails in log space and linear, and quantiles.
#pragma once

namespace dither::stats {

// X has the density x^(a-1) (1-x)^(b-1) / B(a, b) on [0, 1]; the lower tail is the regularised incomplete beta
// function.
//
// Promise    the absolute error of a logarithm is at most 1e-13 (1 + |result|) for a, b >= 1, and of the linear form at
//            most 1e-13 for all; small tails keep their digits (-10^6 is as good as -1).
// How        a continued fraction of positive terms (DiDonato and Morris) for the smaller tail; the other is its
//            complement.
// Refuses    x outside [0, 1], a or b outside [1e-3, 2 * 10^12] (out-of-range).
// Cost       about sqrt(a + b) steps at most.
double beta_log_lower(double x, double a, double b);  // log P(X <= x)
double beta_log_upper(double x, double a, double b);  // log P(X >= x)
double beta_lower(double x, double a, double b);      // P(X <= x)
double beta_upper(double x, double a, double b);      // P(X >= x)

// The x with P(X <= x) = probability: the first double where the lower tail reaches it, so the tails' accuracy is all
// that separates it from the true one. Refuses a probability outside (0, 1) (bad-probability). Cost: 64 tails at most.
double beta_quantile(double probability, double a, double b);

}  // namespace dither::stats
