// Steps that group, order, split or join rows.
#include "audit/attacks/steps.h"
#include "calculus/multisets.h"
#include "calculus/parts.h"
#include "calculus/units.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: steps, domains and metrics are all there is here
using namespace steps;     // NOLINT

namespace {

void add_splits(Attacks& attacks) {
  const std::vector<Cell> cities = {text("a"), text("b"), Cell()};
  add_from(attacks, "partition-by-key", {kSymmetric, kChangeOne, kAdded},
           [cities](const Metric& m) { return make_partition_by_key(visits(), m, "city", cities, true); });
  add_from(attacks, "part-counts", {kSum, kLargest}, [](const Metric& m) { return make_part_counts(two(), m); });
  add_from(attacks, "reduce-by-partition", {{kL1}, {kL2}, {kLinf}, {kCells}}, [](const Metric& m) {
    return make_reduce_by_partition({4}, m, {0, 1, 1, 2}, 3);
  });
}

void add_units(Attacks& attacks) {
  add_from(attacks, "select-table", {kAdded, kReplaced, kChanged},
           [](const Metric& m) { return make_select_table(two(), m, 1); });
  add_from(attacks, "join-by-unit", {kAdded, kReplaced, kChanged},
           [](const Metric& m) { return make_join_by_unit(two(), m, "p"); });
  add_from(attacks, "unit-windows", {kAdded, kReplaced, kChanged},
           [](const Metric& m) { return make_unit_windows(visits(), m, "age", 2); });
}

}  // namespace

void add_table_attacks(Attacks& attacks) {
  add_from(attacks, "distinct", {kSymmetric, kChangeOne, kReplaced},
           [](const Metric& m) { return make_distinct(visits(), m); });
  add_from(attacks, "explode", {kSymmetric, kChangeOne, kAdded},
           [](const Metric& m) { return make_explode(visits(), m, "city", ",", 3); });
  add_from(attacks, "group-by", {kSymmetric, kChangeOne, kAdded},
           [](const Metric& m) { return make_group_by(visits(), m, "who", "pay"); });
  add_from(attacks, "sort", {kSymmetric, kChangeOne}, [](const Metric& m) { return make_sort(visits(), m, "pay"); });
  add_from(attacks, "resize", {kSymmetric, kChangeOne}, [](const Metric& m) {
    return make_resize(visits(), m, 4, {whole(0), text(""), whole(0), 0.0});
  });
  add_from(attacks, "concat", {kSum, kLargest, kReplaced}, [](const Metric& m) { return make_concat(two(), m); });
  add_from(attacks, "intersect", {kSum, kAdded}, [](const Metric& m) { return make_intersect(two(), m); });
  add_from(attacks, "except", {kSum, kAdded}, [](const Metric& m) { return make_except(two(), m); });
  add_from(attacks, "join-unique", {kSum, kReplaced},
           [](const Metric& m) { return make_join_unique(two(), m, "who"); });
  add_splits(attacks);
  add_units(attacks);
}

}  // namespace dither::audit
