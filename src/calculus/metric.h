// How far apart two inputs are, and in which sense.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "accounting/neighbours.h"
#include "base/rational.h"
#include "calculus/data.h"

namespace dither::calculus {

// The senses of distance. Between tables a distance is a number of steps to neighbours; which neighbours, is part of
// the metric, and metrics do not mix (W-03, W-75). Where units are counted, the first cell of a row says whose it is.
enum class MetricKind {
  symmetric,       // rows added or removed
  change_one,      // rows replaced; both tables have the same size
  insert_delete,   // as symmetric, but the order of rows counts
  hamming,         // as change_one, but the order of rows counts
  discrete,        // 0 when equal, 1 otherwise
  units_added,     // units whose rows, in all tables, are added or removed
  units_replaced,  // units whose rows, in all tables, are replaced; both have the same number of units
  units_changed,   // units whose rows differ, replaced or there on one side only: units_replaced behind a filter
  sum,             // of the distances of several tables, each in the sense of `inner`
  largest,         // of these distances
  l1,              // sum of |x_i - y_i| (of numbers on a grid: in steps)
  l2,              // Euclidean, kept squared so that it stays rational
  linf,            // largest |x_i - y_i|
  cells,           // four bounds at once, for vectors and for numbers by key: CellsDistance
};

// At most `cells` coordinates differ, none by more than `largest`; l1 and l2_squared bound the whole. All four hold.
struct CellsDistance {
  Rational cells;
  Rational l1;
  Rational l2_squared;
  Rational largest;
  bool operator==(const CellsDistance&) const = default;
};

// Of the metric `cells` four numbers, of all others one (l2: the square).
using Distance = std::variant<Rational, CellsDistance>;

struct Metric {
  MetricKind kind;
  MetricKind inner = kind;  // of the tables that `sum` and `largest` look at
  bool operator==(const Metric&) const = default;
};

// "symmetric", "sum of symmetric".
std::string metric_name(const Metric& metric);
Metric metric_from(std::string_view name);  // unknown-metric

// Of metrics between tables, the relation whose neighbours are one step apart; nothing for vectors and `discrete`.
std::optional<accounting::Neighbours> neighbours_of(const Metric& metric);

// One step: what is protected is a step of this size. 1, and for `cells` one cell that moves by one.
Distance one_step(const Metric& metric);
Distance zero(const Metric& metric);

// Whether a <= b in every number. Both are of the same metric.
bool at_most(const Distance& a, const Distance& b);

// The number of a metric that has one; wrong-type for `cells`, and the four of that one.
const Rational& number(const Distance& distance);
const CellsDistance& cells_of(const Distance& distance);

// Refuses a negative number and a distance of another metric (bad-distance). The four numbers of `cells` are bounds, each
// on its own: they need not be the least that go together.
void require_distance(const Metric& metric, const Distance& distance);

// How far apart they really are; nothing when no number of steps leads from one to the other. Cells are the same when
// their canonical bytes are. By key, a key that is not there counts as 0; one that is there with 0 is still a changed
// cell, and to the norms, which would not see it, infinitely far. Slow and obvious: this is what maps are tested against.
std::optional<Distance> distance(const Metric& metric, const Data& a, const Data& b);

std::string str(const Distance& distance);

}  // namespace dither::calculus
