// Means: a unit at either bound, with many rows, or without a value.
#include "mechanisms/mean.h"

#include <cmath>

#include "audit/attacks/views.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

namespace {

const Values kAges{"age", {0, 10}};

Row person(std::int64_t unit, const Cell& age) { return {unit, age}; }

}  // namespace

void add_mean_attacks(Attacks& attacks) {
  add_view(attacks,
           {"mean-of-known-size", "from bound to bound", "stat-dp", 1.5, [] {
              const TableDomain people{{{"unit", CellType::integer, false}, {"age", CellType::integer, false}}};
              const auto mean = mechanisms::make_mean_of_known_size(people, kAges, 2, 1);
              const Row other = person(2, std::int64_t{5});
              return view_of("", mean.measurement, Rational(1),
                             {{"0 and 5", "10 and 5", Table{person(1, std::int64_t{0}), other},
                               Table{person(1, std::int64_t{10}), other}}});
            }});
  for (const MetricKind kind : {MetricKind::units_added, MetricKind::units_replaced}) {
    add_view(attacks, {"mean-of-private-size", metric_name({kind}), "dp-sniper", 2.5, [kind] {
                         const TableDomain people{{{"unit", CellType::integer}, {"age", CellType::real}}};
                         const auto mean = mechanisms::make_mean_of_private_size(people, {kind}, kAges, 2, {1, 1}, 0);
                         const Table low = {person(1, 0.0), person(1, -1e300)};
                         const Table high = {person(1, 10.0), person(1, 1e300), person(1, 10.0), person(1, 10.0)};
                         const Table odd = {person(1, Cell()), person(1, std::nan(""))};
                         const bool added = kind == MetricKind::units_added;
                         return view_of("", mean.measurement, Rational(1),
                                        {{added ? "nobody" : "a unit at the low bound",
                                          "a unit of four rows at the high bound", added ? Table{} : low, high},
                                         {added ? "nobody" : "a unit at the low bound", "a unit without values",
                                          added ? Table{} : low, odd}});
                       }});
  }
}

}  // namespace dither::audit
