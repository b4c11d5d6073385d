// The accountant: what a list of releases costs together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/certified.h"
#include "accounting/cost.h"
#include "accounting/event.h"
#include "base/rational.h"

namespace dither::accounting {

namespace detail {
struct Found;
}

// The ways of adding up, all over the same list and for parameters that were fixed in advance. (Where each release may
// depend on the answers before it, a filter decides; see filter.h.)
enum class Accountant {
  basic,     // epsilons and deltas add
  advanced,  // concentration of bounded losses
  optimal,   // the worst mechanisms with these epsilons and deltas
  zcdp,      // rhos add
  renyi,     // Renyi curves add
  gdp,       // Gaussians only: exact
  fourier,   // the exact privacy loss, by inverting its transform
  lattice,   // the exact privacy loss, on a grid
};
std::string_view accountant_name(Accountant accountant);
// The reverse; bad-argument for other words.
Accountant accountant_from(std::string_view name);
const std::vector<Accountant>& all_accountants();

// A guarantee with all that must be said along with its numbers (B-32): nothing here prints an epsilon without it.
struct Guarantee {
  Certified epsilon;  // upper: (epsilon.upper, delta.upper)-DP holds. lower: not below it, absent where unknown
  Certified delta;    // one of the two was given (both ends equal), the other was solved for
  Neighbours neighbours;
  PrivacyUnit unit;
  std::uint64_t group = 1;
  Accountant accountant;
  std::string theorem;             // what proves it, in words
  std::vector<double> shares;      // of each event in the loss, summing to 1
  std::vector<std::string> notes;  // what is assumed and what is not covered
};

// What one accountant says, or why it cannot say anything.
struct Attempt {
  Accountant accountant;
  std::optional<Guarantee> guarantee;
  std::string why_not;
};

// A list of releases, prepared for many questions. Reads no data.
//
// Promise    the upper end is never below the best epsilon (or delta) that the list really has, and the lower end, where
//            there is one, never above it. Parameters are exact; every rounding is outward.
// Refuses    what cost() refuses, with the number of the event; a delta outside [0, 1] (bad-probability), or positive and
//            below 1e-300 (below-floor); an epsilon that is negative (bad-number).
// Cost       a list of Gaussians: about 10 us; others: up to a millisecond for each different kind of event.
class Composition {
 public:
  explicit Composition(EventList list);

  const EventList& list() const { return list_; }

  // The least epsilon at this delta, to within `width` where that can be had, by the best accountant there is.
  Guarantee epsilon_at(const Rational& delta, double width = 1e-6) const;
  // The least delta at this epsilon; `width` is relative to it.
  Guarantee delta_at(const Rational& epsilon, double width = 1e-6) const;

  // The same by one accountant: no-theorem with the reason when it does not apply.
  Guarantee epsilon_by(Accountant accountant, const Rational& delta, double width = 1e-6) const;
  Guarantee delta_by(Accountant accountant, const Rational& epsilon, double width = 1e-6) const;

  // Every accountant side by side.
  std::vector<Attempt> all_epsilons(const Rational& delta, double width = 1e-6) const;

 private:
  struct Prepared;
  Guarantee statement(const detail::Found& found, Certified epsilon, Certified delta) const;

  EventList list_;
  std::shared_ptr<const Prepared> prepared_;
};

// A point of the curve delta(epsilon).
struct CurvePoint {
  double epsilon;
  double delta_lower;  // 0 where nothing better is known
  double delta_upper;
};
// The curve at `points` epsilons between 0 and the epsilon at which delta falls to `least_delta`.
std::vector<CurvePoint> curve(const Composition& composition, const Rational& least_delta, int points);

// What the best attacker can do who must tell neighbours apart: no test has, at a rate `false_positive` of false
// alarms, more than `true_positive` of hits.
struct AttackPoint {
  double false_positive;
  double true_positive;
};
struct Attack {
  double accuracy;   // of the best guess when both datasets are equally likely: at most this
  double advantage;  // hits minus false alarms, at most this
  std::vector<AttackPoint> region;
};
Attack attack(const Composition& composition);

}  // namespace dither::accounting
