#include "calculus/combinator_makers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "calculus/combinators.h"
#include "calculus/partition.h"

namespace dither::calculus {

namespace {

// Its only part, which stands behind the same input.
AnyMeasurement single(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  if (recipe.parts.size() != 1) {
    throw Error{Code::bad_count, fmt::format("{} is made of {} parts", recipe.name, recipe.parts.size()),
                "give it one measurement"};
  }
  return make_measurement(*recipe.parts[0], input, from, makers);
}

AnyMeasurement made_compose(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  std::vector<AnyMeasurement> parts;
  for (const auto& part : recipe.parts) parts.push_back(make_measurement(*part, input, from, makers));
  return compose(parts);
}

AnyMeasurement made_group(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  const Rational& k = recipe.number("k");
  if (!k.is_integer() || k < 1 || k > Rational(static_cast<Int128>(accounting::kMostTimes))) {
    throw Error{Code::bad_count, fmt::format("a group has {} members", k.str()), "give 1 to 10^12"};
  }
  return group(single(recipe, input, from, makers), static_cast<std::uint64_t>(k.floor()));
}

AnyMeasurement made_cast(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  return cast_measure(single(recipe, input, from, makers), measure_from(recipe.text("to")));
}

AnyMeasurement made_fix_delta(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  return fix_delta(single(recipe, input, from, makers), recipe.number("delta"));
}

AnyMeasurement made_change(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  return change_relation(single(recipe, input, metric_from(recipe.text("from")), makers), from);
}

AnyMeasurement made_partition(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  const auto* tables = std::get_if<TablesDomain>(&input);
  if (tables == nullptr || from.kind != MetricKind::sum || tables->tables.size() != recipe.parts.size()) {
    throw Error{Code::mixed_domains,
                fmt::format("a partition of {} parts stands behind {} in {}", recipe.parts.size(), describe(input),
                            metric_name(from)),
                "put it behind a step that gives one table for each part, in the sum of their metric"};
  }
  std::vector<AnyMeasurement> parts;
  for (std::size_t i = 0; i < recipe.parts.size(); ++i) {
    parts.push_back(make_measurement(*recipe.parts[i], tables->tables[i], {from.inner}, makers));
  }
  return partition(parts);
}

}  // namespace

void add_combinator_makers(Makers& makers) {
  makers.measurements["compose"] = made_compose;
  makers.measurements["group"] = made_group;
  makers.measurements["cast-measure"] = made_cast;
  makers.measurements["fix-delta"] = made_fix_delta;
  makers.measurements["change-relation"] = made_change;
  makers.measurements["partition"] = made_partition;
}

}  // namespace dither::calculus
