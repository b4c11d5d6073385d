// Small steps with known maps, for tests of the core alone.
#pragma once

#include <cstdint>

#include "calculus/makers.h"
#include "calculus/typed.h"

namespace dither::calculus::toy {

inline TableDomain one_column() { return {{{"value", CellType::integer}}}; }

inline Table rows(std::initializer_list<std::int64_t> values) {
  Table table;
  for (const std::int64_t value : values) table.push_back({value});
  return table;
}

// Each row k times: k rows for every row that changes, in the metric given.
inline AnyTransformation repeat(long k, MetricKind metric = MetricKind::symmetric) {
  return AnyTransformation({
      .recipe = {"toy-repeat", {{"times", Rational(k)}}},
      .input = one_column(),
      .output = one_column(),
      .from = {metric},
      .to = {metric},
      .map = [k](const Distance& d) -> Distance { return number(d) * k; },
      .function = [k](const Data& data) -> Data {
        Table all;
        for (const Row& row : as<Table>(data)) all.insert(all.end(), static_cast<std::size_t>(k), row);
        return all;
      },
  });
}

// The number of rows: d rows move it by d, in l1, l2 (squared) and linf alike.
inline AnyTransformation count(MetricKind to) {
  return AnyTransformation({
      .recipe = {"toy-count", {{"to", metric_name({to})}}},
      .input = one_column(),
      .output = VectorDomain{1},
      .from = {MetricKind::symmetric},
      .to = {to},
      .map = [to](const Distance& d) -> Distance { return to == MetricKind::l2 ? number(d) * number(d) : number(d); },
      .function = [](const Data& data) -> Data { return Integers{static_cast<Int128>(as<Table>(data).size())}; },
  });
}

// Claims epsilon = d / scale. It adds nothing: what the core does with a measurement does not depend on its noise.
inline AnyMeasurement laplace(const Rational& scale) {
  if (scale.sign() <= 0) throw Error{Code::bad_scale, "a toy needs a positive scale", "give one"};
  return AnyMeasurement({
      .recipe = {"toy-laplace", {{"scale", scale}}},
      .input = VectorDomain{},
      .from = {MetricKind::l1},
      .measure = Measure::pure(),
      .loss = [scale](const Distance& d) { return pure(number(d) / scale); },
      .events = [scale](const Distance& d) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{number(d) / scale}}};
      },
      .function = [](const Data& data, random::Source&) { return data; },
  });
}

// Claims rho = d^2 / (2 sigma^2).
inline AnyMeasurement gaussian(const Rational& sigma) {
  return AnyMeasurement({
      .recipe = {"toy-gaussian", {{"sigma", sigma}}},
      .input = VectorDomain{},
      .from = {MetricKind::l2},
      .measure = Measure::concentrated(),
      .loss = [sigma](const Distance& d) { return concentrated(number(d) / (2 * sigma * sigma)); },
      .events = [](const Distance&) { return std::vector<accounting::Event>{}; },
      .function = [](const Data& data, random::Source&) { return data; },
  });
}

inline Makers makers() {
  Makers all;
  all.transformations["toy-repeat"] = [](const Recipe& recipe, const Domain&, const Metric& from, const Makers&) {
    return repeat(static_cast<long>(recipe.number("times").floor()), from.kind);
  };
  all.transformations["toy-count"] = [](const Recipe& recipe, const Domain&, const Metric&, const Makers&) {
    return count(metric_from(recipe.text("to")).kind);
  };
  all.measurements["toy-laplace"] = [](const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
    (void)input, (void)from;
    return laplace(recipe.number("scale"));
  };
  return all;
}

}  // namespace dither::calculus::toy
