#include "testing/view_mutants.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "accounting/filter_rule.h"
#include "audit/attacks/counts.h"
#include "calculus/combinators.h"
#include "calculus/counting.h"
#include "calculus/queryable.h"
#include "calculus/rows.h"
#include "calculus/vectors.h"
#include "mechanisms/binomial.h"
#include "mechanisms/choose_noise.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/distributed.h"
#include "mechanisms/k_norm.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/mean.h"
#include "mechanisms/partition_selection.h"
#include "mechanisms/skellam.h"
#include "mechanisms/sparse_histogram.h"
#include "mechanisms/staircase.h"
#include "mechanisms/truncated_geometric.h"
#include "random/source.h"
#include "testing/calculus_access.h"
#include "testing/simulated_mutants.h"
#include "testing/textbook_noise.h"

namespace dither::testing {

using namespace calculus;       // NOLINT
using namespace audit::counts;  // NOLINT
using accounting::DeltaAmount;
using accounting::FilterRule;
using accounting::LossAmount;
using audit::Promise;
using audit::View;

namespace {

void release(View& view, const AnyMeasurement& other) {
  view.ask = [other](const Private& data, random::Source& source) { return other.release(data, source).value(); };
}

// The price of this one, at one step.
void price(View& view, const AnyMeasurement& other) { view.promise = Promise::of(other.loss(Rational(1))); }

void draw_once(View& view) {
  view.ask = [right = view.ask](const Private& data, random::Source& source) -> Data {
    Integers all = as<Integers>(look(data));
    const Data noise = right(Private(Integers(all.size(), 0)), source);
    for (Int128& x : all) x += first(noise);
    return all;
  };
}

// Noise.

// Those of textbooks, on numbers in steps of 1/1024.
void in_doubles(View& view, double scale, double (*noise)(random::Source&)) {
  view.ask = [scale, noise](const Private& data, random::Source& source) -> Data {
    return Reals{static_cast<double>(as<Integers>(look(data)).at(0)) / 1024 + scale * noise(source)};
  };
}
void laplace_in_doubles(View& view) { in_doubles(view, 10, textbook_laplace); }
void normal_in_doubles(View& view) { in_doubles(view, 10, textbook_normal); }

void half_truncated(View& view) {
  release(view, mechanisms::make_truncated_geometric({1, 1, bounds(0, 6)}, Rational(1, 2)).any());
}
void noise_for_one_cell(View& view) { release(view, mechanisms::make_best_noise({2}, {1, 1, 1, 1}, 1, 0)); }
void quarter_of_the_trials(View& view) { release(view, mechanisms::make_binomial({1}, 10, Rational(1, 2)).any()); }
void quarter_of_the_variance(View& view) { release(view, mechanisms::make_skellam({1}, 2, Rational(1, 2)).any()); }
void stairs_for_one(View& view) { release(view, mechanisms::make_staircase({1}, {1, 1, 1}).any()); }
void half_k_norm(View& view) {
  release(view, mechanisms::make_k_norm({3}, {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}, 2).any());
}
const mechanisms::Parties kParties{3, 1};
void trials_of_few(View& view) {
  release(view, mechanisms::make_distributed_binomial({3}, kParties, 4, Rational(1, 2)).any());
}
void variance_of_few(View& view) {
  release(view, mechanisms::make_distributed_skellam({3}, kParties, Rational(1, 2), Rational(1, 2)).any());
}
void half_shares(View& view) { release(view, mechanisms::make_distributed_laplace({3}, {3, 0}, Rational(1, 2)).any()); }
void no_sample(View& view) { release(view, count(2)); }

// Rows.

void wide_clamp(View& view) {
  const Metric symmetric{MetricKind::symmetric};
  const AnyTransformation clamp = make_clamp({{{"x", CellType::real}}}, symmetric, "x", {-30, 20}, NanPolicy::null);
  release(view, chain(chain(clamp, make_sum(std::get<TableDomain>(clamp.output()), symmetric, "x", 1)),
                      mechanisms::make_discrete_laplace({1}, 3).any()));
}

// Keys.

void low_threshold(View& view) { release(view, mechanisms::make_laplace_threshold({}, {1, 3}).any()); }
void quiet_where_nobody_is(View& view) {
  view.ask = [right = view.ask](const Private& data, random::Source& source) -> Data {
    Keyed all = as<Keyed>(right(data, source));
    const auto& there = as<Keyed>(look(data)).keys;
    for (std::size_t i = 0; i < all.keys.size(); ++i) {
      if (std::find(there.begin(), there.end(), all.keys[i]) == there.end()) all.values[i] = 0;
    }
    return all;
  };
}
void narrow_sparse(View& view) { release(view, mechanisms::make_sparse_histogram<L1>(8, {Rational(1, 40), 2}).any()); }
void gaussian_early(View& view) { release(view, mechanisms::make_gaussian_threshold({}, {1, 3}).any()); }
void budget_for_each_key(View& view) {
  release(view, mechanisms::make_partition_selection({}, 2, Rational(1, 50), 1).any());
}
void votes_for_each_key(View& view) {
  const AnyMeasurement show = mechanisms::make_partition_selection({}, 1, Rational(1, 10), 1).any();
  view.ask = [show](const Private& data, random::Source& source) -> Data {
    std::map<std::string, std::set<std::int64_t>> units;
    for (const Row& row : as<Table>(look(data)))
      units[canonical(std::span(row).subspan(1))].insert(std::get<std::int64_t>(row[0]));
    Keyed votes;
    for (const auto& [key, whose] : units) {
      votes.keys.push_back(key);
      votes.values.push_back(static_cast<Int128>(whose.size()));
    }
    return show.release(Private(votes), source).value();
  };
}

// Means.

const Values kAges{"age", {0, 10}};
void half_mean(View& view) {
  const TableDomain people{{{"unit", CellType::integer, false}, {"age", CellType::integer, false}}};
  release(view, mechanisms::make_mean_of_known_size(people, kAges, 2, 2).measurement);
}
void trusted_count(View& view) {
  const TableDomain people{{{"unit", CellType::integer}, {"age", CellType::real}}};
  const Metric added{MetricKind::units_added};
  release(view, mechanisms::make_mean_of_private_size(people, added, kAges, 2, {1, 100}, 0).measurement);
}

// Combinators.

void look_back(View& view) {
  view.ask = [right = view.ask](const Private& data, random::Source& source) -> Data {
    const auto exact = static_cast<Int128>(as<Table>(look(data)).size());
    return Integers{std::max(exact, first(right(data, source)))};
  };
}
void cast_half(View& view) { price(view, cast_measure(count(Rational(1, 2)), Measure::concentrated())); }
void fix_half(View& view) { price(view, fix_delta(gaussian_count(2, Measure::concentrated()), Rational(1, 100))); }
void one_for_two(View& view) { price(view, count(Rational(1, 2))); }
void added_for_replaced(View& view) { price(view, two_cells()); }
void two_of_three(View& view) { price(view, compose({count_from(3, Rational(1, 4)), count_from(5, Rational(1, 4))})); }
void least_of_two(View& view) { price(view, count(Rational(1, 2))); }

// Filters, views, composition.

// The same again.
template <int times>
void again(View& view) {
  view.ask = [right = view.ask](const Private& data, random::Source& source) -> Data {
    Answers all;
    for (int i = 0; i < times; ++i) all.parts.push_back({right(data, source)});
    return all;
  };
}

// What one question may cost, so many times: a rule that forgets what was charged would allow every one of them.
void by_itself(View& view, const FilterRule& rule, const AnyMeasurement& question, int times = 8) {
  const Place place{rows(), {MetricKind::symmetric}, Rational(1)};
  const auto fresh = Queryable::with_filter(Private(table({})), place, rule, Interleaving::sequential);
  fresh.ask(question, random::Source::this_thread());  // which does not refuse it
  view.ask = [question, times](const Private& data, random::Source& source) -> Data {
    Answers all;
    for (int i = 0; i < times; ++i) all.parts.push_back({question.release(data, source).value()});
    return all;
  };
}
LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
void pure_by_itself(View& view) { by_itself(view, accounting::PureRule{loss("1")}, count(1)); }
void basic_by_itself(View& view) { by_itself(view, accounting::BasicRule{loss("1"), chance("0.01")}, count(1)); }
void advanced_by_itself(View& view) {
  by_itself(view, accounting::AdvancedRule{loss("2"), chance("0.05"), chance("0")}, count(Rational(7, 10)), 80);
}
void zcdp_by_itself(View& view) {
  by_itself(view, accounting::ZcdpRule{loss("0.5"), chance("0")}, gaussian_count(1, Measure::concentrated()));
}
void gdp_by_itself(View& view) {
  by_itself(view, accounting::GdpRule{loss("1")}, gaussian_count(1, Measure::gaussian()));
}
void renyi_all_by_itself(View& view) {
  by_itself(view, accounting::RenyiAllRule{{2, 4, 8}, {loss("1"), loss("2"), loss("4")}, chance("0")},
            gaussian_count(1, Measure::concentrated()));
}
void renyi_any_by_itself(View& view) {
  by_itself(view, accounting::renyi_any({2, 4, 8}, 2, Rational(1, 20), 0),
            gaussian_count(Rational(7, 4), Measure::concentrated()), 60);
}

// A question that charges nobody, agents that forward nothing to their common budget, a place that is taken again.
void free_questions(View& view) { by_itself(view, accounting::PureRule{loss("1")}, count(1)); }
void agents_by_themselves(View& view) { by_itself(view, accounting::PureRule{loss("0.75")}, count(Rational(3, 4))); }
void place_taken_again(View& view) {
  release(view, count(Rational(3, 4)));
  again<8>(view);
}
// Odometers that show the last charge alone.
void pure_odometer_of_the_last(View& view) {
  release(view, count(Rational(9, 10)));
  again<8>(view);
}
void odometer_of_the_last(View& view) {
  release(view, count(Rational(7, 10)));
  again<16>(view);
}
void gaussian_odometer_of_the_last(View& view) {
  release(view, gaussian_count(Rational(3, 2), Measure::concentrated()));
  again<16>(view);
}

// Records whose losses are forgotten from sum to sum.
void records_stay(View& view) {
  release(view, chain(make_total({2}, {MetricKind::l1}),
                      mechanisms::make_real_gaussian({1}, 2, MetricKind::l1, Measure::concentrated())));
  again<8>(view);
}

// Three whole counts at the price of three samples.
void three_without_sample(View& view) {
  release(view, gaussian_count(1, Measure::concentrated()));
  again<3>(view);
}
// Four parts, each of which has all rows.
void whole_for_part(View& view) {
  release(view, count(Rational(1, 2)));
  again<4>(view);
}
void price_of_one_part(View& view) { view.promise = Promise::pure(Rational(1, 2)); }

constexpr ViewBug kBugs[] = {
    {"discrete-laplace: two of three numbers", draw_once},
    {"laplace: as doubles", laplace_in_doubles},
    {"real-gaussian: as doubles", normal_in_doubles},
    {"laplace-threshold: a key of one unit", low_threshold},
    {"chain: a clamped sum", wide_clamp},
    {"sample: a count of a third of the rows", no_sample},
    {"truncated-geometric: 0 to 6 at both ends", half_truncated},
    {"gaussian: three numbers", draw_once},
    {"best-noise: epsilon 1, delta 0", noise_for_one_cell},
    {"in-pieces: a number of either piece", draw_once},
    {"binomial: 40 trials", quarter_of_the_trials},
    {"skellam: variance 8", quarter_of_the_variance},
    {"staircase: sensitivity 4, first stair 2", stairs_for_one},
    {"k-norm: prefix sums of three", half_k_norm},
    {"distributed-binomial: three parties, one colluding", trials_of_few},
    {"distributed-skellam: three parties, one colluding", variance_of_few},
    {"distributed-laplace: three parties, none colluding", half_shares},
    {"sampled: a count of half the rows", no_sample},
    {"laplace-histogram: a key that has nobody", quiet_where_nobody_is},
    {"gaussian-histogram: a unit in another key", quiet_where_nobody_is},
    {"sparse-histogram: eight keys, shown from 2 on", narrow_sparse},
    {"gaussian-threshold: a unit in another key", gaussian_early},
    {"partition-selection: two keys of a unit", budget_for_each_key},
    {"set-union: a unit of many keys", votes_for_each_key},
    {"mean-of-known-size: from bound to bound", half_mean},
    {"mean-of-private-size: units-added", trusted_count},
    {"post-process: a count, halved and not below 0", look_back},
    {"cast-measure: a count from epsilon to rho", cast_half},
    {"fix-delta: a Gaussian count at delta 1/100", fix_half},
    {"group: two rows at once", one_for_two},
    {"change-relation: a row from cell to cell", added_for_replaced},
    {"compose: three counts", two_of_three},
    {"mix: one of two counts", least_of_two},
    {"partition: a row from part to part", one_for_two},
    {"queryable: questions until the budget is spent", free_questions},
    {"agents: two who share a budget", agents_by_themselves},
    {"odometer: until it shows epsilon 1", pure_odometer_of_the_last},
    {"odometer: approximate, until it shows epsilon 2", odometer_of_the_last},
    {"odometer: concentrated, until it shows epsilon 2", gaussian_odometer_of_the_last},
    {"odometer: gaussian, until it shows epsilon 2", gaussian_odometer_of_the_last},
    {"adaptive-composition: two places of a list", place_taken_again},
    {"individual-filter: sums of records that drop out", records_stay},
    {"filter-pure: the same question until it is refused", pure_by_itself},
    {"filter-basic: the same question until it is refused", basic_by_itself},
    {"filter-advanced: the same question until it is refused", advanced_by_itself},
    {"filter-zcdp: the same question until it is refused", zcdp_by_itself},
    {"filter-gdp: the same question until it is refused", gdp_by_itself},
    {"filter-renyi-all: the same question until it is refused", renyi_all_by_itself},
    {"filter-renyi-any: the same question until it is refused", renyi_any_by_itself},
    {"composition: three Laplace counts", again<4>},
    {"composition: three Gaussian counts", again<3>},
    {"sampled-composition: three Gaussian counts of half the rows", three_without_sample},
    {"parallel-composition: two parts, symmetric", whole_for_part},
    {"parallel-composition: two parts, change-one", price_of_one_part},
};

std::vector<ViewBug> all_bugs() {
  std::vector<ViewBug> all(std::begin(kBugs), std::end(kBugs));
  const std::span<const ViewBug> simulated = simulated_bugs();
  all.insert(all.end(), simulated.begin(), simulated.end());
  return all;
}

}  // namespace

std::vector<audit::Subject> view_mutants_of(const audit::Attack& attack, const View& view) {
  std::vector<audit::Subject> mutants;
  for (const ViewBug& bug : all_bugs()) {
    if (bug.attack != attack.name) continue;
    View mutant = view;
    bug.plant(mutant);
    mutants.emplace_back(std::move(mutant));
  }
  return mutants;
}

std::vector<std::string> attacks_with_view_mutants() {
  std::vector<std::string> names;
  for (const ViewBug& bug : all_bugs()) names.emplace_back(bug.attack);
  return names;
}

}  // namespace dither::testing
