// Small measurements and steps whose maps are plain to see, for tests of what combines them. Nothing here is private: the
// answers are exact, or follow a script of outcomes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calculus/measurement.h"

namespace dither::testing {

// Tables of whole numbers.
inline calculus::TableDomain numbers_domain() { return {{{"x", calculus::CellType::integer}}}; }

inline calculus::Table numbers(const std::vector<std::int64_t>& values) {
  calculus::Table table;
  for (const std::int64_t value : values) table.push_back({value});
  return table;
}

inline calculus::Data exact_count(const calculus::Data& data) {
  return calculus::Integers{static_cast<Int128>(calculus::as<calculus::Table>(data).size())};
}

// What it claims to cost at d steps, and the event that says the same.
struct Toy {
  calculus::Measure measure = calculus::Measure::pure();
  std::function<calculus::Loss(const Rational& steps)> loss;
  std::function<accounting::Event(const Rational& steps)> event;
  calculus::MetricKind metric = calculus::MetricKind::symmetric;
  std::string name = "toy";
};

inline calculus::AnyMeasurement make_toy(const Toy& toy) {
  return calculus::AnyMeasurement({
      .recipe = {toy.name},
      .input = numbers_domain(),
      .from = {toy.metric},
      .measure = toy.measure,
      .loss = [toy](const calculus::Distance& d) { return toy.loss(calculus::number(d)); },
      .events = [toy](const calculus::Distance& d) -> std::vector<accounting::Event> {
        return {toy.event(calculus::number(d))};
      },
      .function = [](const calculus::Data& data, random::Source&) { return exact_count(data); },
      .error =
          [](Int128 released) {
            return calculus::ErrorBar{1.0, Rational(released) - 2, Rational(released) + 2};
          },
  });
}

// epsilon for each step.
inline calculus::AnyMeasurement pure_toy(const Rational& epsilon,
                                         calculus::MetricKind metric = calculus::MetricKind::symmetric) {
  return make_toy({.loss = [epsilon](const Rational& d) { return calculus::pure(epsilon * d); },
                   .event = [epsilon](const Rational& d) -> accounting::Event {
                     return {{}, accounting::BlackBox{epsilon * d}};
                   },
                   .metric = metric});
}

// epsilon however far apart, as of one randomised answer about the whole table.
inline calculus::AnyMeasurement capped_toy(const Rational& epsilon) {
  return make_toy({.loss = [epsilon](const Rational&) { return calculus::pure(epsilon); },
                   .event = [epsilon](const Rational&) -> accounting::Event {
                     return {{}, accounting::BlackBox{epsilon}};
                   }});
}

// (epsilon, delta) for one step, by the group rule for more.
inline calculus::AnyMeasurement approximate_toy(const Rational& epsilon, const Rational& delta) {
  const auto loss = [epsilon, delta](const Rational& d) {
    return calculus::Measure::approximate().group(calculus::approximate(epsilon, delta),
                                                  static_cast<std::uint64_t>(d.floor()));
  };
  return make_toy({.measure = calculus::Measure::approximate(),
                   .loss = loss,
                   .event = [loss](const Rational& d) -> accounting::Event {
                     const auto all = std::get<accounting::ApproximateDp>(loss(d));
                     return {{}, accounting::BlackBox{all.epsilon, all.delta}};
                   }});
}

// rho for one step, d^2 rho for d.
inline calculus::AnyMeasurement zcdp_toy(const Rational& rho) {
  return make_toy({.measure = calculus::Measure::concentrated(),
                   .loss = [rho](const Rational& d) { return calculus::concentrated(rho * d * d); },
                   .event = [rho](const Rational& d) -> accounting::Event {
                     return {{}, accounting::Zcdp{rho * d * d}};
                   }});
}

// Every row twice: 2-stable.
inline calculus::AnyTransformation doubled() {
  return calculus::AnyTransformation({
      .recipe = {"doubled"},
      .input = numbers_domain(),
      .output = numbers_domain(),
      .from = {calculus::MetricKind::symmetric},
      .to = {calculus::MetricKind::symmetric},
      .map = [](const calculus::Distance& d) -> calculus::Distance { return calculus::number(d) * 2; },
      .function = [](const calculus::Data& data) -> calculus::Data {
        calculus::Table table = calculus::as<calculus::Table>(data);
        const calculus::Table once = table;
        table.insert(table.end(), once.begin(), once.end());
        return table;
      },
  });
}

// Rows by x modulo `count`; what is NULL goes to the first part. Of change_one a changed row may change its part.
inline calculus::AnyTransformation split_by_remainder(std::int64_t count, calculus::MetricKind from) {
  const Rational factor = from == calculus::MetricKind::change_one ? 2 : 1;
  return calculus::AnyTransformation({
      .recipe = {"split-by-remainder", {{"count", Rational(static_cast<long>(count))}}},
      .input = numbers_domain(),
      .output = calculus::TablesDomain{std::vector(static_cast<std::size_t>(count), numbers_domain())},
      .from = {from},
      .to = {calculus::MetricKind::sum, calculus::MetricKind::symmetric},
      .map = [factor](const calculus::Distance& d) -> calculus::Distance { return calculus::number(d) * factor; },
      .function = [count](const calculus::Data& data) -> calculus::Data {
        calculus::Tables parts(static_cast<std::size_t>(count));
        for (const calculus::Row& row : calculus::as<calculus::Table>(data)) {
          const auto* x = std::get_if<std::int64_t>(&row[0]);
          parts[x == nullptr ? 0 : static_cast<std::size_t>(((*x % count) + count) % count)].push_back(row);
        }
        return parts;
      },
  });
}

}  // namespace dither::testing
