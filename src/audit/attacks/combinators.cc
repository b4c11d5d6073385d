// What is made of measurements: small compositions on neighbouring tables.
#include "calculus/combinators.h"

#include <algorithm>
#include <cmath>

#include "audit/attacks/counts.h"
#include "calculus/partition.h"
#include "calculus/sample.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/poisson_rows.h"
#include "random/bernoulli.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers
using namespace counts;    // NOLINT

namespace {

const Metric kSymmetric{MetricKind::symmetric};

void add_count(Attacks& attacks, const std::string& claim, const std::string& what,
               std::function<AnyMeasurement()> make) {
  add_view(attacks, {claim, what, "stat-dp", 1.5,
                     [make = std::move(make)] { return view_of("", make(), Rational(1), one_more()); }});
}

void add_measures(Attacks& attacks) {
  add_count(attacks, "cast-measure", "a count from epsilon to rho",
            [] { return cast_measure(count(1), Measure::concentrated()); });
  add_count(attacks, "fix-delta", "a Gaussian count at delta 1/100",
            [] { return fix_delta(gaussian_count(1, Measure::concentrated()), Rational(1, 100)); });
  add_view(attacks, {"group", "counts of pairs of rows", "stat-dp", 1.5, [] {
                       return view_of("", group(count(Rational(1, 2)), 2), Rational(1),
                                      {{"no row", "one row", table({}), table({5})}});
                     }});
  add_view(attacks, {"group", "two rows at once", "stat-dp", 1.5, [] {
                       const AnyMeasurement pairs = group(count(Rational(1, 2)), 2);
                       View view = view_of("", count(Rational(1, 2)), Rational(2),
                                           {{"no row", "two rows", table({}), table({5, 5})}});
                       view.promise = Promise::of(pairs.loss(Rational(1)));
                       return view;
                     }});
  add_view(attacks, {"change-relation", "rows replaced", "stat-dp", 1.5, [] {
                       return view_of("", change_relation(count_from(3, Rational(1, 2)), {MetricKind::change_one}),
                                      Rational(1), one_replaced());
                     }});
  add_view(attacks, {"change-relation", "a row from cell to cell", "dp-sniper", 3.0, [] {
                       return view_of("", change_relation(two_cells(), {MetricKind::change_one}), Rational(1),
                                      one_replaced());
                     }});
}

void add_several(Attacks& attacks) {
  add_view(attacks,
           {"compose", "three counts", "dp-sniper", 3.0, [] {
              return view_of(
                  "", compose({count(Rational(1, 2)), count_from(3, Rational(1, 4)), count_from(5, Rational(1, 4))}),
                  Rational(1), one_more());
            }});
  add_view(attacks, {"mix", "one of two counts", "stat-dp", 2.0, [] {
                       const auto coin = random::Bernoulli::with_probability(Rational(1, 4));
                       return view_of(
                           "",
                           mix({count(1), count(Rational(1, 2))}, {Rational(3, 4), Rational(1, 4)},
                               [coin](random::Source& source) -> std::size_t { return coin.draw(source) ? 1 : 0; }),
                           Rational(1), one_more());
                     }});
  for (const long d : {1L, 2L}) {
    add_view(attacks,
             {"partition", d == 1 ? "a row in one of two parts" : "a row from part to part", "dp-sniper", 3.0, [d] {
                std::vector<DataPair> pairs = {{"parts (1), (5)", "parts (1), (5, 5)", Tables{table({1}), table({5})},
                                                Tables{table({1}), table({5, 5})}}};
                if (d == 2) {
                  pairs = {{"parts (1, 1), (5)", "parts (1), (5, 5)", Tables{table({1, 1}), table({5})},
                            Tables{table({1}), table({5, 5})}}};
                }
                return view_of("", partition({count(Rational(1, 2)), count(Rational(1, 2))}), Rational(d), pairs);
              }});
  }
  add_view(attacks, {"sample", "a count of a third of the rows", "stat-dp", 2.0, [] {
                       return view_of(
                           "", sample(count(2), Rational(1, 3), mechanisms::poisson_rows(kSymmetric, Rational(1, 3))),
                           Rational(1), one_more());
                     }});
}

}  // namespace

void add_combinator_attacks(Attacks& attacks) {
  add_view(attacks,
           {"chain", "a clamped sum", "stat-dp", 1.5, [] {
              const TableDomain wild{{{"x", CellType::real}}};
              const AnyTransformation clamp = make_clamp(wild, kSymmetric, "x", {-3, 2}, NanPolicy::null);
              const auto sum = chain(chain(clamp, make_sum(std::get<TableDomain>(clamp.output()), kSymmetric, "x", 1)),
                                     mechanisms::make_discrete_laplace({1}, 3).any());
              return view_of("", sum, Rational(1),
                             {{"no row", "a row of -1e300", Table{}, Table{{-1e300}}},
                              {"a row of 2", "rows of 2 and infinity", Table{{2.0}}, Table{{2.0}, {HUGE_VAL}}},
                              {"a row of 2", "rows of 2 and NaN", Table{{2.0}}, Table{{2.0}, {std::nan("")}}}});
            }});
  add_count(attacks, "post-process", "a count, halved and not below 0", [] {
    return post_process(count(1), "half",
                        [](const Data& answer) -> Data { return Integers{std::max<Int128>(0, first(answer) / 2)}; });
  });
  add_measures(attacks);
  add_several(attacks);
}

}  // namespace dither::audit
