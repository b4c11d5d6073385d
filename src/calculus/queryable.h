// Interactive measurements: private data that answers questions, each paid for before it is answered.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "accounting/filter.h"
#include "accounting/odometer.h"
#include "calculus/measurement.h"

namespace dither::calculus {

// Whether interactive parts that were opened may be asked in turns (W-23). Sequential: whatever is paid for next by the
// same budget closes those opened before.
enum class Interleaving { sequential, concurrent };

// What the data may be, and which inputs the promise is about: those at most `protect` apart.
struct Place {
  Domain domain;
  Metric metric;
  Distance protect;
};

// What one budget on the way was charged.
struct Held {
  std::string holder;  // "" for the root, "anna/bob" for whom anna let spend
  accounting::Spent charge;
};

// One request, admitted or not. Public: it says nothing about the data.
struct AuditRecord {
  std::string who;            // the nearest holder
  std::string what;           // the recipe as canonical JSON; or "grant", "open", "freeze", "freeze view"
  std::vector<Held> charges;  // empty when refused
  std::string verdict;        // "admitted", or the code of the refusal
};

namespace detail {
struct Node;
}

// A node of a tree of views of private data; copies are the same node. At the root stands the budget: a filter, whose
// rule is its promise about everything that is ever seen of the tree, or an odometer.
//
// Promise    The whole view of an analyst, who chooses every question, where to ask it and when to stop from all answers
//            so far, keeps the promise of the rule for inputs `protect` apart (W-19, W-20, W-21). A question is charged
//            before it is answered, and stays charged whatever happens then. A refusal depends on public facts
//            alone, touches no data and changes no budget anywhere.
// Holds if   the data of a tree does not change, which Private promises.
// Threads    requests may come from many threads at once; each charge is decided under the lock of its trees.
class Queryable {
 public:
  // Refuses what require_valid and require_distance refuse; concurrent: rules that accounting has no theorem for
  // (no-theorem).
  static Queryable with_filter(const Private& data, const Place& place, const accounting::FilterRule& rule,
                               Interleaving interleaving);
  // Never refuses for the budget; reading() holds at all times at once. `counted` says in which measure questions are charged:
  // approximate, concentrated or gaussian (unknown-measure for others).
  static Queryable with_odometer(const Private& data, const Place& place, const accounting::PureOdometer& start);
  static Queryable with_odometer(const Private& data, const Place& place, const accounting::Odometer& start,
                                 const Measure& counted);

  // Charges and answers.
  // Refuses    over-budget; frozen; a measurement of other data (mixed-metrics, mixed-neighbours, mixed-domains), with a
  //            local bound (wrong-type), or without a theorem in the measure of the budget (no-theorem).
  Release<Data> ask(const AnyMeasurement& question, random::Source& source) const;

  // A view of the data behind a transformation: a question there is charged at the distance that the map says (W-22).
  Queryable derive(const AnyTransformation& step) const;

  // The parts of a partition, by a step into the metric `sum of` something: together they are charged the worst way to share
  // the distance among the parts, so at distance 1 only what raises the largest sum (W-22). Proof in detail/tree.cc.
  // Refuses    steps into other metrics (mixed-metrics); parts more than 16 steps apart (no-theorem).
  std::vector<Queryable> split(const AnyTransformation& into_parts) const;

  // One view of several: the step takes their tables side by side, and a question is charged to each of them (W-22).
  // Refuses    budgets in different measures, or relations (no-theorem); two views of one budget unless it is pure: there the
  //            losses of moving one after the other add (no-theorem).
  static Queryable join(std::span<const Queryable> parents, const AnyTransformation& step);

  // The same data with a limit of its own, for somebody: what is asked there is charged to it and to all above (W-24).
  // Refuses    a rule of another kind than the budget's (no-theorem); a name that is empty or has "/" or a space (bad-argument).
  Queryable limited(const std::string& name, const accounting::FilterRule& rule) const;

  // A budget of its own, paid for as a whole and now by what its rule promises. Afterwards only that budget is charged.
  Queryable open(const std::string& name, const accounting::FilterRule& rule, Interleaving interleaving) const;

  // Nothing below is answered any more (frozen). What was charged stays charged.
  void freeze() const;

  const Domain& domain() const;
  const Metric& metric() const;

  // What was spent of the nearest budget, and what it can still afford; for odometers no-theorem and the reading.
  accounting::Spent spent() const;
  accounting::Charge remaining() const;
  accounting::OdometerReading reading() const;

  // All requests to the tree so far, in order.
  std::vector<AuditRecord> log() const;

 private:
  explicit Queryable(std::shared_ptr<detail::Node> node) : node_(std::move(node)) {}

  std::shared_ptr<detail::Node> node_;
};

}  // namespace dither::calculus
