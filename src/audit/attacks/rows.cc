// Steps on rows of one table.
#include "calculus/rows.h"

#include "audit/attacks/steps.h"
#include "calculus/counting.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: steps, domains and metrics are all there is here
using namespace steps;     // NOLINT

void add_row_attacks(Attacks& attacks) {
  const auto kinds = {kSymmetric, kChangeOne, kReplaced};
  add_from(attacks, "filter", kinds,
           [](const Metric& m) { return make_filter(visits(), m, "pay", Comparison::less, 1.5); });
  add_from(attacks, "select-columns", kinds, [](const Metric& m) {
    return make_select_columns(visits(), m, {"who", "pay"});
  });
  add_from(attacks, "clamp", kinds, [](const Metric& m) {
    return make_clamp(visits(), m, "pay", {0, 2}, NanPolicy::null);
  });
  add_from(attacks, "impute", kinds, [](const Metric& m) { return make_impute(visits(), m, "pay", 0.0); });
  add_from(attacks, "cast", kinds, [](const Metric& m) { return make_cast(visits(), m, "city", CellType::integer); });
  add_from(attacks, "bucket", kinds, [](const Metric& m) {
    return make_bucket(visits(), m, "pay", {0, 1, Rational(5, 2)});
  });
  add_from(attacks, "scale-shift", kinds, [](const Metric& m) { return make_scale_shift(visits(), m, "age", 2, -1); });
  add_from(attacks, "category-codes", kinds, [](const Metric& m) {
    return make_category_codes(visits(), m, "city", {text("a"), text("b")});
  });
  add_from(attacks, "drop-missing", kinds, [](const Metric& m) {
    return make_drop_missing(visits(), m, {"age", "pay"});
  });

  const TableDomain bounded{{{"x", CellType::real, true, false, Bounds{-3, 2}}}};
  const TableDomain complete{{{"x", CellType::real, false, true, Bounds{1, 4}}}, 4};
  add_from(attacks, "count", {kSymmetric, kChangeOne}, [](const Metric& m) { return make_count(visits(), m); });
  add_from(attacks, "sum", {kSymmetric, kChangeOne, kInsertDelete},
           [bounded](const Metric& m) { return make_sum(bounded, m, "x", Rational(1, 4)); });
  add_from(attacks, "mean", {kChangeOne, kHamming},
           [complete](const Metric& m) { return make_mean(complete, m, "x", 1); });
  add_from(attacks, "histogram", {kSymmetric, kChangeOne}, [](const Metric& m) {
    return make_histogram(visits(), m, "city", {text("a"), text("b"), Cell()}, true);
  });
  add_from(attacks, "count-by", {kSymmetric, kChangeOne},
           [](const Metric& m) { return make_count_by(visits(), m, "city"); });
}

}  // namespace dither::audit
