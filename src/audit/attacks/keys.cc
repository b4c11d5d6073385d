// Numbers by key, and which keys are shown: keys that come and go between neighbours.
#include "audit/attacks/views.h"
#include "mechanisms/histogram.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "mechanisms/set_union.h"
#include "mechanisms/sparse_histogram.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

namespace {

const KeyedDomain kPublic{{{"ta", "tb", "tc"}}};
const CellsDistance kOneCell{1, 1, 1, 1}, kTwoCells{2, 2, 2, 1};

// A key with one unit, or none; in one of two keys, or the other.
std::vector<DataPair> one_unit() {
  return {{"nobody", "one unit in a", keyed({}), keyed({{"ta", 1}})},
          {"a has 3", "a has 4", keyed({{"ta", 3}, {"tb", 2}}), keyed({{"ta", 4}, {"tb", 2}})}};
}
std::vector<DataPair> moved_unit() {
  return {{"one unit in a", "one unit in b", keyed({{"ta", 1}}), keyed({{"tb", 1}})},
          {"nobody", "one unit in a and b", keyed({}), keyed({{"ta", 1}, {"tb", 1}})}};
}

void add_histograms(Attacks& attacks) {
  add_view(attacks, {"laplace-histogram", "a key that has nobody", "dp-sniper", 1.0, [] {
                       return view_of("", mechanisms::make_laplace_histogram<Cells>(kPublic, 1).any(), kOneCell,
                                      one_unit());
                     }});
  add_view(attacks, {"gaussian-histogram", "a unit in another key", "dp-sniper", 1.0, [] {
                       return view_of("", mechanisms::make_gaussian_histogram<Cells>(kPublic, 1).any(), kTwoCells,
                                      moved_unit());
                     }});
  add_view(attacks, {"sparse-histogram", "eight keys, shown from 2 on", "stat-dp", 200.0, [] {
                       const auto key = [](const char* bytes, Int128 count) { return keyed({{bytes, count}}); };
                       return view_of("", mechanisms::make_sparse_histogram<L1>(8, {Rational(2, 5), 2}).any(),
                                      Rational(1),
                                      {{"nobody", "one unit in 3", keyed({}), key("i3", 1)},
                                       {"1 has 2", "1 has 3", key("i1", 2), key("i1", 3)}});
                     }});
}

// A key that n units have, and one that n + 1 have: shown, or not.
FiniteMechanism selection(const Rational& epsilon, const Rational& delta) {
  const std::vector<Rational> shown = mechanisms::selection_probabilities(epsilon, delta);
  Channel::Names units;
  std::vector<std::vector<Rational>> rows;
  for (const Rational& p : shown) {
    units.push_back(std::to_string(units.size()) + " units");
    rows.push_back({p, Rational(1) - p});
  }
  const Adjacency one_apart = Adjacency::consecutive(rows.size());
  return {Channel(units, {"shown", "not shown"}, rows, one_apart), Promise::approximate(epsilon, delta)};
}

}  // namespace

void add_key_attacks(Attacks& attacks) {
  add_histograms(attacks);
  add_view(attacks, {"laplace-threshold", "a key of one unit", "stat-dp", 1.0, [] {
                       return view_of("", mechanisms::make_laplace_threshold({}, {1, 4}).any(), kOneCell, one_unit());
                     }});
  add_view(attacks,
           {"gaussian-threshold", "a unit in another key", "stat-dp", 1.0, [] {
              return view_of("", mechanisms::make_gaussian_threshold({}, {1, 4}).any(), kTwoCells, moved_unit());
            }});
  add_view(attacks, {"partition-selection", "two keys of a unit", "stat-dp", 1.0, [] {
                       return view_of("", mechanisms::make_partition_selection({}, 2, Rational(1, 50), 2).any(),
                                      kTwoCells, moved_unit());
                     }});
  for (const char* epsilon : {"1", "1/10", "5"}) {
    add_exact(attacks, "partition-selection", std::string("epsilon ") + epsilon,
              [epsilon] { return selection(Rational::parse(epsilon), Rational(1, 1'000'000)); });
  }
  add_view(attacks, {"set-union", "a unit of many keys", "stat-dp", 20.0, [] {
                       const TableDomain table{{{"unit", CellType::integer}, {"key", CellType::text}}};
                       Table one, two;
                       for (std::int64_t unit = 0; unit < 2; ++unit) {
                         for (const char* key : {"a", "b", "c", "d"}) two.push_back({unit, std::string(key)});
                         if (unit == 0) one = two;
                       }
                       return view_of("",
                                      mechanisms::make_set_union(table, {MetricKind::units_added}, 1, Rational(1, 10)),
                                      Rational(1),
                                      {{"nobody", "one unit of four keys", Table{}, one},
                                       {"one unit", "two units of the same keys", one, two}});
                     }});
}

}  // namespace dither::audit
