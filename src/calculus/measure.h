// In which sense two laws of answers are close, and how such losses add up.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accounting/curves.h"
#include "accounting/event.h"
#include "base/rational.h"

namespace dither::calculus {

// A loss in a measure that only its user knows: one number.
struct OtherLoss {
  Rational amount;
  bool operator==(const OtherLoss&) const = default;
};

// What a release costs. ApproximateDp with delta 0 is pure DP.
using Loss = std::variant<accounting::ApproximateDp, accounting::ConcentratedDp, accounting::RenyiTable,
                          accounting::GaussianDp, accounting::TradeoffCurve, OtherLoss>;

// The rules of a measure (W-13). A user's own measure is a constant of this type with its proof in a comment; the losses
// of a measure are all of one alternative.
struct MeasureRules {
  std::string_view name;
  Loss (*zero)();
  bool (*at_most)(const Loss& a, const Loss& b);    // a is no more than b; a partial order
  Loss (*add)(const Loss& a, const Loss& b);        // of releases whose parameters were fixed in advance
  Loss (*group)(const Loss& one, std::uint64_t k);  // for inputs k steps apart
};

// A measure is its rules; measures are the same when they are the same rules.
class Measure {
 public:
  explicit Measure(const MeasureRules& rules) : rules_(&rules) {}

  static Measure pure();          // epsilon
  static Measure approximate();   // (epsilon, delta): both add
  static Measure concentrated();  // rho, and a delta of its own
  static Measure renyi();         // a table of orders; one without orders says nothing
  static Measure gaussian();      // squared mu
  static Measure tradeoff();      // lines below a trade-off function; adds by the lines' (epsilon, delta)

  std::string_view name() const { return rules_->name; }
  Loss zero() const { return rules_->zero(); }
  bool at_most(const Loss& a, const Loss& b) const { return rules_->at_most(a, b); }
  Loss add(const Loss& a, const Loss& b) const { return rules_->add(a, b); }
  Loss group(const Loss& one, std::uint64_t k) const { return rules_->group(one, k); }
  bool operator==(const Measure&) const = default;

 private:
  const MeasureRules* rules_;
};

// The built-in measure of this name; unknown-measure.
Measure measure_from(std::string_view name);

// The least epsilon at this delta that the loss proves, rounded up; no-theorem for OtherLoss.
double epsilon_up(const Loss& loss, double delta);

// "epsilon 0.6", "rho 9/200".
std::string str(const Loss& loss);

// Shorthands.
Loss pure(const Rational& epsilon);
Loss approximate(const Rational& epsilon, const Rational& delta);
Loss concentrated(const Rational& rho, const Rational& delta = 0);

}  // namespace dither::calculus
