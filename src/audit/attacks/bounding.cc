// Limits on what a unit adds, and the sums behind them.
#include "calculus/bounding.h"

#include "audit/attacks/steps.h"
#include "calculus/aggregates.h"
#include "calculus/norm_sum.h"
#include "mechanisms/set_union.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: steps, domains and metrics are all there is here
using namespace steps;     // NOLINT

namespace {

// (unit, key, value); any may be missing, values may be NaN or infinite.
TableDomain dirty() { return {{{"unit", CellType::integer}, {"key", CellType::text}, {"value", CellType::real}}}; }
TableDomain two_keys() {
  TableDomain table = dirty();
  table.keys_per_unit = 2;
  return table;
}

// Behind keep-keys, as aggregates want it.
AnyTransformation behind_limit(const Metric& from,
                               const std::function<AnyTransformation(const TableDomain&, const Metric&)>& make) {
  const AnyTransformation keep = make_keep_keys(dirty(), from, 2);
  return chain(keep, make(std::get<TableDomain>(keep.output()), keep.to()));
}

void add_aggregates(Attacks& attacks) {
  const auto all = {kAdded, kReplaced, kChanged};
  const Values values{"value", {-2, 5}};
  add_from(attacks, "count-by-key", all, [](const Metric& from) {
    return behind_limit(from, [](const TableDomain& t, const Metric& m) { return make_count_by_key(t, m, {}, 2); });
  });
  add_from(attacks, "units-by-key", all, [](const Metric& from) {
    return behind_limit(from, [](const TableDomain& t, const Metric& m) { return make_units_by_key(t, m, {}); });
  });
  add_from(attacks, "sum-by-key", all, [values](const Metric& from) {
    return behind_limit(
        from, [values](const TableDomain& t, const Metric& m) { return make_sum_by_key(t, m, {}, values, 2); });
  });
  add_from(attacks, "norm-sum-by-key", all, [values](const Metric& from) {
    return make_norm_sum_by_key(dirty(), from, {text("a"), text("b"), Cell()}, values, kL1, 7);
  });
  add_from(attacks, "total-count", all, [](const Metric& from) { return make_total_count(dirty(), from, 3); });
  add_from(attacks, "total-units", {kAdded, kChanged},
           [](const Metric& from) { return make_total_units(dirty(), from); });
  add_from(attacks, "total-sum", all,
           [values](const Metric& from) { return make_total_sum(dirty(), from, values, 2); });
}

// Units with more rows than count, all bounds at once.
void add_cut_units(Attacks& attacks) {
  const Values scaled{"value", {-2, 5}, 1, true, finer_grid(14)};
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    const std::string name = " from " + metric_name(from);
    add_step(attacks, "count-by-key", "rows in all" + name, [from] {
      return behind_limit(from, [](const TableDomain& t, const Metric& m) {
        return make_count_by_key(t, m, {}, {2, 3});
      });
    });
    add_step(attacks, "cut-units-by-key", "rows in all" + name, [from] {
      return behind_limit(from, [](const TableDomain& t, const Metric& m) {
        return make_cut_units_by_key(t, m, {}, {2, 3});
      });
    });
    add_step(attacks, "total-cut-units", "from " + metric_name(from),
             [from] { return make_total_cut_units(dirty(), from, 2); });
    add_step(attacks, "sum-by-key", "scaled, rows in all" + name, [from, scaled] {
      return behind_limit(from, [scaled](const TableDomain& t, const Metric& m) {
        return make_sum_by_key(t, m, {}, scaled, {2, 3});
      });
    });
    add_step(attacks, "total-sum", "scaled" + name,
             [from, scaled] { return make_total_sum(dirty(), from, scaled, 2); });
  }
}

}  // namespace

void add_bounding_attacks(Attacks& attacks) {
  const auto all = {kAdded, kReplaced, kChanged};
  add_from(attacks, "keep-keys", all, [](const Metric& from) { return make_keep_keys(dirty(), from, 2); });
  add_from(attacks, "keep-rows", all, [](const Metric& from) { return make_keep_rows(dirty(), from, 2); });
  for (const Excess excess : {Excess::keep_by_hash, Excess::drop_all}) {
    add_step(attacks, "truncate", std::string(excess_name(excess)),
             [excess] { return make_truncate(two_keys(), kSymmetric, "key", 2, excess); });
  }
  add_aggregates(attacks);
  add_cut_units(attacks);
  add_from(attacks, "greedy-votes", all,
           [](const Metric& from) { return mechanisms::make_greedy_votes(dirty(), from, 2); });
}

}  // namespace dither::audit
