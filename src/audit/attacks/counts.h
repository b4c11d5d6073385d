// Noisy counts of small tables: what the attacks on compositions are made of.
#pragma once

#include "audit/attacks/views.h"
#include "calculus/counting.h"
#include "calculus/rows.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/real_gaussian.h"

namespace dither::audit::counts {

inline calculus::TableDomain rows() { return {{{"x", calculus::CellType::integer}}}; }

inline calculus::Table table(std::initializer_list<std::int64_t> values) {
  calculus::Table all;
  for (const std::int64_t x : values) all.push_back({x});
  return all;
}

// epsilon for each row added or removed.
inline calculus::AnyMeasurement count(const Rational& epsilon) {
  return chain(calculus::make_count(rows(), {calculus::MetricKind::symmetric}),
               mechanisms::make_discrete_laplace({1}, Rational(1) / epsilon).any());
}
// The same of the rows with x at least this.
inline calculus::AnyMeasurement count_from(std::int64_t least, const Rational& epsilon) {
  return chain(calculus::make_filter(rows(), {calculus::MetricKind::symmetric}, "x", calculus::Comparison::at_least,
                                     Cell(least)),
               count(epsilon));
}
// Rows with an x of 1, and with one of 5; 1/2 for each row added or removed.
inline calculus::AnyMeasurement two_cells() {
  return chain(calculus::make_histogram(rows(), {calculus::MetricKind::symmetric}, "x",
                                        {Cell(std::int64_t{1}), Cell(std::int64_t{5})}, false),
               mechanisms::make_discrete_laplace({2}, 2, calculus::MetricKind::cells));
}
// rho = mu^2 / 2 for each row, mu = 1 / sigma; in the measure given.
inline calculus::AnyMeasurement gaussian_count(const Rational& sigma, const calculus::Measure& measure) {
  return chain(calculus::make_count(rows(), {calculus::MetricKind::symmetric}),
               mechanisms::make_real_gaussian({1}, sigma, calculus::MetricKind::l1, measure));
}

// One row more.
inline std::vector<DataPair> one_more() {
  return {{"no row", "one row", table({}), table({5})}, {"rows 1, 5", "rows 1, 5, 5", table({1, 5}), table({1, 5, 5})}};
}
// One row replaced.
inline std::vector<DataPair> one_replaced() { return {{"rows 1, 1", "rows 1, 5", table({1, 1}), table({1, 5})}}; }

// The first number of an answer.
inline Int128 first(const calculus::Data& answer) { return calculus::as<calculus::Integers>(answer).at(0); }

}  // namespace dither::audit::counts
