// Names of the real laws: what shape the noise has, apart from its scale.
#pragma once

#include <string>

#include "base/rational.h"

namespace dither::random {

// A law on the real numbers at scale one, with exact parameters. Made by name only, so that no parameter goes unchecked.
//
// Refuses    (bad-scale) shapes and degrees of freedom outside [1/1000, 2^20], |mu| > 1024, sigma outside [1/1000, 1024].
class RealLaw {
 public:
  enum class Kind { beta, cauchy, exponential, gamma, laplace, log_normal, normal, student_t };

  static RealLaw beta(const Rational& alpha, const Rational& beta);
  static RealLaw cauchy() { return {Kind::cauchy, 0, 0}; }
  static RealLaw exponential() { return {Kind::exponential, 0, 0}; }
  static RealLaw gamma(const Rational& shape);
  static RealLaw laplace() { return {Kind::laplace, 0, 0}; }
  // exp(mu + sigma Z), Z normal.
  static RealLaw log_normal(const Rational& mu, const Rational& sigma);
  static RealLaw normal() { return {Kind::normal, 0, 0}; }
  static RealLaw student_t(const Rational& degrees_of_freedom);

  Kind kind;
  Rational first;   // alpha, shape, mu or degrees of freedom; zero where the law has none
  Rational second;  // beta or sigma

  // "student-t(3/2)": kind and parameters, for people.
  std::string str() const;

 private:
  RealLaw(Kind kind_of, const Rational& first_of, const Rational& second_of)
      : kind(kind_of), first(first_of), second(second_of) {}
};

}  // namespace dither::random
