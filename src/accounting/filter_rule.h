// The rules of filters, what they promise, and the charges they add up.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "accounting/amount.h"

namespace dither::accounting {

// A filter is created with one rule, and every charge is decided by that rule alone. Bounds cannot be mixed: the
// minimum over several bounds, or the exact curve of what was spent, is not a valid stopping rule in general (B-20).
// Each rule comes with its theorem: whoever stays within it, choosing mechanisms, prices and when to stop from the
// answers so far, has a view that keeps the promise. Proofs: filter_rule.cc.

// Promise: epsilon-DP. Holds if the epsilons sum to at most `epsilon`.
struct PureRule {
  LossAmount epsilon;
  bool operator==(const PureRule&) const = default;
};
// Promise: (epsilon, delta)-DP. Holds if both sums stay within.
struct BasicRule {
  LossAmount epsilon;
  DeltaAmount delta;
  bool operator==(const BasicRule&) const = default;
};
// Promise: (epsilon, slack + delta)-DP. Holds if sqrt(2 ln(1/slack) S) + S/2 <= epsilon for the sum S of the squared
// epsilons, and the deltas sum to at most `delta`. Better than basic for many small charges, worse for few.
struct AdvancedRule {
  LossAmount epsilon;
  DeltaAmount slack;
  DeltaAmount delta;
  bool operator==(const AdvancedRule&) const = default;
};
// Promise: delta-approximate rho-zCDP. Holds if both sums stay within.
struct ZcdpRule {
  LossAmount rho;
  DeltaAmount delta;
  bool operator==(const ZcdpRule&) const = default;
};
// Promise: delta-approximate (orders[i], limits[i])-Renyi DP for every i. Holds if at every order the divergences sum to
// at most its limit, and the deltas to at most `delta`. With a single order this is the filter of Feldman and Zrnic.
struct RenyiAllRule {
  std::vector<Rational> orders;  // above 1, increasing
  std::vector<LossAmount> limits;
  DeltaAmount delta;
  bool operator==(const RenyiAllRule&) const = default;
};
// Promise: at every epsilon, (epsilon, delta + d)-DP, where d sums over the orders what the conversion of
// (orders[i], limits[i])-Renyi DP would give alone. Holds if at one order at least the divergences sum to at most its
// limit, and the deltas to at most `delta`. renyi_any() below finds the limits for a wanted (epsilon, delta).
struct RenyiAnyRule {
  std::vector<Rational> orders;
  std::vector<LossAmount> limits;
  DeltaAmount delta;
  bool operator==(const RenyiAnyRule&) const = default;
};
// Promise: mu-GDP. Holds if the squares sum to at most `mu_squared`. No charge may have a delta.
struct GdpRule {
  LossAmount mu_squared;
  bool operator==(const GdpRule&) const = default;
};
using FilterRule = std::variant<PureRule, BasicRule, AdvancedRule, ZcdpRule, RenyiAllRule, RenyiAnyRule, GdpRule>;

// What one release costs, in the measure of the rule that is charged. A delta-approximate charge means that both laws
// of a neighbouring pair, given the answers so far, mix with weight 1 - delta a pair that has the guarantee; one pair for
// all orders of a Renyi curve.
struct PureCharge {
  LossAmount epsilon;
  bool operator==(const PureCharge&) const = default;
};
struct ApproximateCharge {  // for basic and advanced
  LossAmount epsilon;
  DeltaAmount delta;
  bool operator==(const ApproximateCharge&) const = default;
};
struct ZcdpCharge {
  LossAmount rho;
  DeltaAmount delta;
  bool operator==(const ZcdpCharge&) const = default;
};
struct RenyiCharge {
  std::vector<LossAmount> divergences;  // at the orders of the rule
  DeltaAmount delta;
  bool operator==(const RenyiCharge&) const = default;
};
struct GdpCharge {
  LossAmount mu_squared;
  bool operator==(const GdpCharge&) const = default;
};
using Charge = std::variant<PureCharge, ApproximateCharge, ZcdpCharge, RenyiCharge, GdpCharge>;

// Refuses    a rule without orders, with orders not above 1 or not increasing, or with another number of limits
//            (bad-weights); a slack or delta outside its range (bad-probability); a limit above 10^17, for advanced
//            10^5 (out-of-range).
void require_valid(const FilterRule& rule);

// Whether one price suits both rules: the same kind, with the same orders.
bool same_measure(const FilterRule& a, const FilterRule& b);

// A rule with the limits of another added to its own, as a grant does, or taken off, as a reserve does. Deltas are
// limits too; the slack of an advanced rule is not.
//
// Refuses    rules of different kinds, orders or slacks (no-theorem); limits that fall below 0 (out-of-range); sums that
//            require_valid refuses.
FilterRule plus_limits(const FilterRule& rule, const FilterRule& more);
FilterRule minus_limits(const FilterRule& rule, const FilterRule& part);

// The limits at which renyi-any promises (epsilon, delta + events)-DP, an equal part of delta for each order that is
// used. Orders that reach no positive limit are left out.
// Refuses    as require_valid; unreachable when no order is left.
RenyiAnyRule renyi_any(std::vector<Rational> orders, const Rational& epsilon, const Rational& delta,
                       const Rational& events);

// The promise of a rule as (epsilon, delta)-DP: the epsilon that goes with a total delta, rounded up; infinite when the
// rule promises nothing at this delta. May be asked for any delta, also afterwards: the promises of zcdp, renyi and gdp
// are curves, and those of renyi-all hold together.
double promised_epsilon(const FilterRule& rule, const Rational& delta);

// "pure", "basic", "advanced", "zcdp", "renyi-all", "renyi-any", "gdp", and the theorem in a line.
std::string_view rule_name(const FilterRule& rule);
std::string_view rule_theorem(const FilterRule& rule);

// In words, such as "zCDP"; equal for a rule and a charge that go together.
std::string_view measure_name(const FilterRule& rule);
std::string_view measure_name(const Charge& charge);

// Refuses a rule that is not proven for mechanisms that are themselves interactive and live at the same time
// (no-theorem): proven for pure, basic, advanced, one Renyi order and GDP, and so for every order of renyi-all, and for
// zCDP without a delta. Spec A-69, B-23, W-23.
void require_concurrent(const FilterRule& rule);

// An epsilon squared, and a loss, on the finer grid of squares, rounded up; the end of the range when they lie beyond it.
SquareAmount square_up(LossAmount epsilon);
SquareAmount variance_up(LossAmount loss);

}  // namespace dither::accounting
