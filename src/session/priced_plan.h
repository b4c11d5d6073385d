// A question that is ready to be paid for: what is computed exactly, what noise it gets, what it costs, what is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounting/accuracy.h"
#include "calculus/measurement.h"
#include "ledger/release.h"
#include "plan/bounded_aggregate.h"

namespace dither::session {

// One step between a person and a number: how far the data of neighbours can be apart behind it, and why.
struct StabilityStep {
  std::string step;        // "visits", "WHERE cost < 5", "at most 3 keys per person"
  std::string metric;      // "units-added", "cells"
  std::string distance;    // "1", "3 cells, 6 in sum ..."
  std::string why;         // where the bound comes from: "visits.keys_per_unit = 3"
  std::size_t inputs = 1;  // how many of the steps before it stands on: 0 for a table, 2 for a join of private ones
};

enum class Noise {
  none,              // public under the relation: it does not move at all
  discrete_laplace,  // scale
  real_gaussian,     // sigma
  discrete_gaussian,
};
std::string_view noise_name(Noise noise);

// The noise of one measure: the same law for every key.
struct Part {
  std::size_t measure;               // of the bounded aggregate
  calculus::CellsDistance distance;  // what neighbours move, in steps of the measure
  Noise noise = Noise::none;
  Rational scale = {};                // of the law, in steps of the measure
  Rational unit = 1;                  // what one such step is worth: step, step / 2, step^2 / 8, less of a finer grid
  calculus::AnyTransformation exact;  // from the bounded rows to the numbers
  std::optional<calculus::AnyMeasurement> measurement = {};  // of these numbers; nothing without noise
  Rational price = {};                                       // its share: epsilon, or rho
  double standard_error = 0, within95 = 0;                   // in the unit of the answer
};

// How keys that nobody listed are chosen: by their numbers of units.
struct KeyChoice {
  calculus::AnyMeasurement measurement;
  calculus::AnyTransformation units;  // from the bounded rows to numbers of units by key
  std::string rule;                   // "partition-selection", "laplace-threshold", "gaussian-threshold"
  std::optional<std::size_t> part;    // the part whose noisy numbers decide, where there is one
  Rational price;                     // epsilon, or rho; nothing of its own where a part decides
  Rational delta;
  double shown_from = 0;  // a key of so many units is shown with probability 1/2 or more
};

// How a column of the answer is made of parts. All are post-processing.
struct Estimate {
  plan::AggregateCall call;
  std::optional<std::size_t> count, sum, squares;  // parts
};

// What a column is expected to be off by; nothing where it takes a size that is not public.
struct PredictedError {
  std::string column;                    // as the statement names it
  std::optional<double> standard_error;  // of the noise alone
  std::optional<double> within95;        // 95% of answers are off by no more than this, noise alone
  std::string note;                      // "needs `expected:`"
};

// What a person asked to pay.
struct StatementPrice {
  std::optional<Rational> epsilon, rho;  // one of them
  Rational delta = 0;
};

// Everything up to the price. Nothing was read, nothing is spent.
struct PricedPlan {
  accounting::PrivacyUnit
      unit;             // whom it protects: the project's unit, or "row of events", "group of any 5 rows of logs"
  bool weaker = false;  // whether that is less than the unit of the project
  plan::BoundedAggregate exact;
  calculus::Distance steps;  // how far apart neighbours are, in the metric of the bounded rows
  std::vector<Part> parts;
  std::optional<KeyChoice> keys;
  std::vector<Estimate> estimates;
  std::vector<std::size_t> key_places;    // where each key of the statement stands among those of `exact`
  plan::Relation answer;                  // the statement; what lies above its aggregate runs on released numbers
  std::vector<std::string> names;         // of the answer's columns
  StatementPrice price;                   // as asked, or as found for a wanted error
  std::vector<accounting::Event> events;  // the curve of the release
  std::vector<StabilityStep> chain;
  std::vector<PredictedError> errors;
  // By estimate: the bounds that may keep data out of it, "visits.keys_per_unit = 3: keys dropped". Its exact value, which intervals
  // hold, is then that of what they leave. From declarations and the statement alone.
  std::vector<std::vector<std::string>> cut_by;
  std::vector<std::string> notes;  // what a reader should know: dropped rows, weaker guarantees
  std::vector<std::string> tables;
};

// What a ledger with this rule is asked for, and what it costs there: the events one by one where the rule has a price
// for each, else the whole statement as (epsilon, delta). Where the rule adds up epsilons or their squares, a statement
// whose measurements lose no more than was typed costs no more than that, whatever accounting rounds up event by event.
// Refuses    a price in a measure that the rule cannot add up (no-theorem).
// Cost       that of accounting each event; noise that is millions of steps wide takes some milliseconds.
struct Charged {
  ledger::Price price;
  accounting::Spent cost;
};
Charged charged(const PricedPlan& plan, const accounting::FilterRule& rule, accounting::Neighbours neighbours);

}  // namespace dither::session
