// What accounting promises of several releases, at cases where the promise is nearly reached.
#include <algorithm>
#include <cmath>

#include "accounting/accountant.h"
#include "accounting/filter_rule.h"
#include "accounting/individual.h"
#include "accounting/renyi.h"
#include "audit/attacks/counts.h"
#include "calculus/combinators.h"
#include "calculus/parts.h"
#include "calculus/queryable.h"
#include "calculus/vectors.h"
#include "mechanisms/poisson_rows.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers
using namespace counts;    // NOLINT
using accounting::DeltaAmount;
using accounting::FilterRule;
using accounting::LossAmount;

namespace {

LossAmount loss(const char* text) { return LossAmount::down(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::down(Rational::parse(text)); }

// Whatever the rule says at some deltas.
Promise promise_of(const FilterRule& rule) {
  if (const auto* pure = std::get_if<accounting::PureRule>(&rule)) return Promise::pure(pure->epsilon.value());
  if (const auto* basic = std::get_if<accounting::BasicRule>(&rule)) {
    return Promise::approximate(basic->epsilon.value(), basic->delta.value());
  }
  if (const auto* advanced = std::get_if<accounting::AdvancedRule>(&rule)) {
    return Promise::approximate(advanced->epsilon.value(), advanced->slack.value() + advanced->delta.value());
  }
  accounting::TradeoffCurve lines;
  for (const char* delta : {"1e-5", "1e-4", "1e-3", "1e-2", "0.03", "0.1", "0.3"}) {
    const double epsilon = accounting::promised_epsilon(rule, Rational::parse(delta));
    if (std::isfinite(epsilon)) lines.lines.push_back({epsilon, Rational::parse(delta).to_double_up()});
  }
  std::reverse(lines.lines.begin(), lines.lines.end());  // epsilons ascend
  return Promise(lines);
}

// Asks the same question as long as the rule lets it, twenty times at most: how often is public.
void add_filter(Attacks& attacks, const std::string& claim, const FilterRule& rule, const AnyMeasurement& question,
                double microseconds = 40) {
  add_view(attacks, {claim, "the same question until it is refused", "dp-sniper", microseconds, [rule, question] {
                       return View{"", promise_of(rule), one_more(),
                                   [rule, question](const Private& data, random::Source& source) -> Data {
                                     const auto view =
                                         Queryable::with_filter(data, {rows(), {MetricKind::symmetric}, Rational(1)},
                                                                rule, Interleaving::sequential);
                                     Answers all;
                                     try {
                                       while (all.parts.size() < 20)
                                         all.parts.push_back({view.ask(question, source).value()});
                                     } catch (const Error&) {  // over budget
                                     }
                                     return all;
                                   }};
                     }});
}

void add_filters(Attacks& attacks) {
  const AnyMeasurement half = count(Rational(1, 2));
  const AnyMeasurement rho = gaussian_count(2, Measure::concentrated());
  add_filter(attacks, "filter-pure", accounting::PureRule{loss("1")}, half);
  add_filter(attacks, "filter-basic", accounting::BasicRule{loss("1"), chance("0.01")}, half);
  add_filter(attacks, "filter-advanced", accounting::AdvancedRule{loss("2"), chance("0.05"), chance("0")},
             count(Rational(1, 4)), 170);
  add_filter(attacks, "filter-zcdp", accounting::ZcdpRule{loss("0.5"), chance("0")}, rho);
  add_filter(attacks, "filter-gdp", accounting::GdpRule{loss("1")}, gaussian_count(2, Measure::gaussian()));
  add_filter(attacks, "filter-renyi-all",
             accounting::RenyiAllRule{{2, 4, 8}, {loss("1"), loss("2"), loss("4")}, chance("0")}, rho);
  add_filter(attacks, "filter-renyi-any", accounting::renyi_any({2, 4, 8}, 2, Rational(1, 20), 0),
             gaussian_count(4, Measure::concentrated()), 170);
}

// Five noisy sums of two records' values in 0 .. 2; each record drops out once its own losses are spent. What is beyond
// that range costs as its end: it was declared.
AnyMeasurement individual_sums(const accounting::ZcdpRule& rule) {
  const Metric l1{MetricKind::l1};
  const auto sum =
      chain(make_total({2}, l1), mechanisms::make_real_gaussian({1}, 2, MetricKind::l1, Measure::concentrated()));
  const auto release = [rule, sum](const Data& data, random::Source& source) -> Data {
    const auto& records = as<Integers>(data);
    accounting::IndividualFilter filter(accounting::IndividualMeasure::zcdp, rule.rho,
                                        accounting::Neighbours::add_remove, records.size());
    Answers all;
    for (int round = 0; round < 5; ++round) {
      std::vector<Secret<Int128>> shares;
      for (std::size_t i = 0; i < records.size(); ++i) {
        const Int128 most = std::clamp<Int128>(records[i], 0, 2);
        shares.push_back(filter.share(i, LossAmount::up(Rational(most * most) / Rational(8)), records[i]));
      }
      all.parts.push_back({sum.release(shares, source).value()});
    }
    return all;
  };
  return AnyMeasurement({.recipe = {"individual-sums"},
                         .input = VectorDomain{2},
                         .from = l1,
                         .measure = Measure::concentrated(),
                         .loss = [rule](const Distance&) { return concentrated(rule.rho.value()); },
                         .events = {},
                         .function = release});
}

void add_individual(Attacks& attacks) {
  add_view(attacks, {"individual-filter", "sums of records that drop out", "dp-sniper", 40.0, [] {
                       const accounting::ZcdpRule rule{loss("0.5"), chance("0")};
                       return View{"",
                                   promise_of(rule),
                                   {numbers({0, 1}, {1, 1}), numbers({0, 1}, {2, 1})},
                                   [sums = individual_sums(rule)](const Private& data, random::Source& source) {
                                     return sums.release(data, source).value();
                                   }};
                     }});
}

// The curve that the accountant finds for so many of these releases.
Promise composed(const AnyMeasurement& measurement, int times) {
  accounting::EventList list;
  list.neighbours = accounting::Neighbours::add_remove;
  for (int i = 0; i < times; ++i) {
    for (const accounting::Event& event : measurement.events(Rational(1))) list.events.push_back(event);
  }
  accounting::TradeoffCurve lines;
  const accounting::Composition all(list);
  for (const accounting::CurvePoint& point : accounting::curve(all, Rational(1, 100'000), 12)) {
    lines.lines.push_back({point.epsilon, point.delta_upper});
  }
  return Promise(lines);
}

void add_composition(Attacks& attacks, const std::string& claim, const std::string& what,
                     std::function<AnyMeasurement()> make, int times) {
  add_view(attacks, {claim, what, "dp-sniper", 6.0, [make = std::move(make), times] {
                       const AnyMeasurement one = make();
                       return View{"", composed(one, times), one_more(),
                                   [one, times](const Private& data, random::Source& source) -> Data {
                                     Answers all;
                                     for (int i = 0; i < times; ++i)
                                       all.parts.push_back({one.release(data, source).value()});
                                     return all;
                                   }};
                     }});
}

}  // namespace

void add_accounting_attacks(Attacks& attacks) {
  add_filters(attacks);
  add_individual(attacks);
  add_composition(
      attacks, "composition", "three Laplace counts", [] { return count(Rational(1, 2)); }, 3);
  add_composition(
      attacks, "composition", "three Gaussian counts", [] { return gaussian_count(2, Measure::concentrated()); }, 3);
  add_composition(
      attacks, "sampled-composition", "three Gaussian counts of half the rows",
      [] { return mechanisms::make_sampled(gaussian_count(1, Measure::concentrated()), Rational(1, 2)); }, 3);
  for (const bool replaced : {false, true}) {
    const Metric from{replaced ? MetricKind::change_one : MetricKind::symmetric};
    add_view(attacks, {"parallel-composition", "two parts, " + metric_name(from), "dp-sniper", 25.0, [replaced, from] {
                         const accounting::PureRule rule{loss(replaced ? "1" : "0.5")};
                         const auto step = make_partition_by_key(rows(), from, "x", {Cell(std::int64_t{5})}, true);
                         const AnyMeasurement half = count(Rational(1, 2));
                         return View{"", Promise::pure(rule.epsilon.value()), replaced ? one_replaced() : one_more(),
                                     [rule, from, step, half](const Private& data, random::Source& source) -> Data {
                                       const auto root = Queryable::with_filter(data, {rows(), from, Rational(1)}, rule,
                                                                                Interleaving::concurrent);
                                       Answers all;
                                       for (const Queryable& part : root.split(step)) {
                                         all.parts.push_back({part.ask(half, source).value()});
                                       }
                                       return all;
                                     }};
                       }});
  }
}

}  // namespace dither::audit
