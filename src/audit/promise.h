// What is claimed about a mechanism, in the form in which it is attacked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounting/curves.h"
#include "calculus/measure.h"

namespace dither::audit {

// A curve: for neighbouring inputs, every set S of outputs and every epsilon >= 0, P(S) <= e^epsilon P'(S) + delta(epsilon).
//
// Every form of privacy claim gives one: epsilon, (epsilon, delta), rho, Renyi orders, mu, a trade-off curve, a loss.
class Promise {
 public:
  explicit Promise(accounting::Curve curve);
  static Promise pure(const Rational& epsilon);
  static Promise approximate(const Rational& epsilon, const Rational& delta);
  // no-theorem for a loss in a measure of somebody's own.
  static Promise of(const calculus::Loss& loss);
  // "1.0", "eps=1", "eps=1,delta=1e-6", "rho=0.5", "mu=1", or the name of a file that holds a curve (canonical JSON, as
  // ledgers keep it) or a list of releases (as `dither account` reads it).
  // Refuses    other words (bad-argument), numbers below 0 (out-of-range), a delta above 1 (bad-probability); what
  //            reading the file refuses.
  static Promise from_text(const std::string& text);
  // What such a file says; `name` stands for it in errors.
  static Promise from_document(const std::string& text, const std::string& name);

  // The least delta that is promised at this epsilon, rounded up; 0 for pure promises from their epsilon on. Remembers
  // nothing: about a microsecond for epsilons, up to a millisecond for curves.
  double delta(double epsilon) const;
  // Where testers look: the one epsilon of (epsilon, delta); of a curve twenty between those where delta is .9 and 1e-9,
  // ascending, up to 700.
  const std::vector<double>& epsilons() const { return epsilons_; }
  const std::vector<double>& deltas() const { return deltas_; }  // at those
  // The epsilon of a pure promise; nothing for others.
  std::optional<double> pure_epsilon() const;

  const accounting::Curve& curve() const { return curve_; }
  std::string str() const;  // "epsilon 1", "epsilon 1, delta 1e-06", "rho 1/2", "mu 1", "a curve"

 private:
  accounting::Curve curve_;
  std::vector<double> epsilons_;
  std::vector<double> deltas_;
};

}  // namespace dither::audit
