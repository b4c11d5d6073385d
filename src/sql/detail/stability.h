// How far the exact numbers of neighbours are apart: the calculus asked, measure by measure.
#pragma once

#include <vector>

#include "calculus/aggregates.h"
#include "calculus/transformation.h"
#include "session/priced_plan.h"
#include "sql/detail/measures.h"

namespace dither::sql::detail {

// The bounded rows as the calculus sees them: unit, key, and each value in whole steps (of squares: y^2).
struct BoundedRows {
  calculus::TableDomain domain;
  calculus::Metric
      metric;  // units-added; under replace-one units-changed, or units-replaced where no row can be dropped
  calculus::Distance steps;  // one unit; K for a guarantee about any K rows
  calculus::Keys keys;       // public ones, each as its canonical bytes
};
BoundedRows bounded_rows(const plan::Project& project, const Counting& counting);

// From the bounded rows to a measure's number, or numbers by key.
calculus::AnyTransformation exact_measure(const BoundedRows& rows, const plan::BoundedAggregate& exact,
                                          const plan::Measure& measure);
// The numbers of units by key: what chooses keys that nobody listed.
calculus::AnyTransformation units_by_key(const BoundedRows& rows, const plan::BoundedAggregate& exact);

calculus::CellsDistance distance_of(const BoundedRows& rows, const calculus::AnyTransformation& measure);

// The way from a unit to the numbers, for people.
std::vector<session::StabilityStep> stability_chain(const plan::Project& project, const Counting& counting,
                                                    const BoundedRows& rows,
                                                    const std::vector<calculus::CellsDistance>& distances);

}  // namespace dither::sql::detail
