// Values computed from several releases, and how far off they are together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dither::mechanisms {

// The error of a value that is linear in noisy ones: a sum of c * noise over noises that are independent of each other.
// Each noise is known by identity, so that a value added to itself has twice its error, and one taken from itself none.
//
// Promise    with probability 1 - failure or more the error is at most what each of the bounds says, rounded up.
// Refuses    scales and bounds that are not positive and finite, factors that are not finite (bad-scale); failures
//            outside (0, 1) (bad-probability).
// Cost       sums are quadratic in the number of noises; the Chernoff bound some 100 evaluations of each law.
// Spec       W-38.
class ErrorTerms {
 public:
  ErrorTerms() = default;  // no error at all

  // A new noise, independent of all others.
  static ErrorTerms laplace(double scale);
  static ErrorTerms discrete_laplace(double scale);
  static ErrorTerms gaussian(double sigma);
  static ErrorTerms discrete_gaussian(double sigma);
  // An error that is never larger, of which nothing else is known: rounding, clamping.
  static ErrorTerms within(double bound);

  ErrorTerms& operator+=(const ErrorTerms& other);
  ErrorTerms& operator*=(double factor);
  friend ErrorTerms operator+(ErrorTerms a, const ErrorTerms& b) { return a += b; }
  friend ErrorTerms operator-(ErrorTerms a, ErrorTerms b) { return a += (b *= -1); }
  friend ErrorTerms operator*(double factor, ErrorTerms a) { return a *= factor; }

  // Whatever the noises have to do with each other: each may fail with its share of the failure.
  double union_error_up(double failure) const;
  // For independent noises: 2 exp(-t x) E exp(t error) at the best t.
  double chernoff_error_up(double failure) const;
  // For independent noises: Chebyshev, standard error / sqrt(failure).
  double variance_error_up(double failure) const;
  // The smallest of the three.
  double error_up(double failure) const;

  // Of the random part.
  double standard_error() const;
  std::size_t noises() const { return terms_.size(); }

 private:
  enum class Law { laplace, discrete_laplace, gaussian, discrete_gaussian };
  struct Noise {
    Law law;
    double scale;
  };
  struct Term {
    std::shared_ptr<const Noise> noise;  // the same pointer is the same noise
    double factor;
  };

  static ErrorTerms one(Law law, double scale);
  static double quantile_up(const Noise& noise, double failure);
  static double deviation(const Noise& noise);
  double log_moment(double t) const;
  double largest_t() const;

  std::vector<Term> terms_;
  double bound_ = 0;
};

// How far off the worst of several values is, also when they share noises: each may fail with its share.
double largest_error_up(std::span<const ErrorTerms> values, double failure);

}  // namespace dither::mechanisms
