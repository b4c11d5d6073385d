#include "plan/aggregate_call.h"

#include <algorithm>
#include <array>

namespace dither::plan {

std::string_view aggregate_name(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::count_rows:
      return "COUNT(*)";
    case AggregateKind::count:
      return "COUNT";
    case AggregateKind::count_units:
      return "COUNT(DISTINCT)";
    case AggregateKind::sum:
      return "SUM";
    case AggregateKind::avg:
      return "AVG";
    case AggregateKind::var_pop:
      return "VAR_POP";
    case AggregateKind::var_samp:
      return "VAR_SAMP";
    case AggregateKind::stddev_pop:
      return "STDDEV_POP";
    case AggregateKind::stddev_samp:
      return "STDDEV_SAMP";
    case AggregateKind::count_cut_units:
      return "COUNT(cut units)";
  }
  return "";
}

std::span<const NamedAggregate> all_aggregates() {
  static constexpr std::array kAll{
      NamedAggregate{"count", AggregateKind::count, "COUNT(*), COUNT(x), COUNT(DISTINCT unit)",
                     "how many rows, rows with a value, or units there are"},
      NamedAggregate{"sum", AggregateKind::sum, "SUM(x)", "the sum of the values"},
      NamedAggregate{"avg", AggregateKind::avg, "AVG(x)", "the mean of the values"},
      NamedAggregate{"var_pop", AggregateKind::var_pop, "VAR_POP(x)", "the variance of the values, divided by n"},
      NamedAggregate{"var_samp", AggregateKind::var_samp, "VAR_SAMP(x)",
                     "the variance of the values, divided by n - 1"},
      NamedAggregate{"variance", AggregateKind::var_samp, "VARIANCE(x)", "the same as VAR_SAMP(x)"},
      NamedAggregate{"stddev_pop", AggregateKind::stddev_pop, "STDDEV_POP(x)", "the root of VAR_POP(x)"},
      NamedAggregate{"stddev_samp", AggregateKind::stddev_samp, "STDDEV_SAMP(x)", "the root of VAR_SAMP(x)"},
      NamedAggregate{"stddev", AggregateKind::stddev_samp, "STDDEV(x)", "the same as STDDEV_SAMP(x)"},
  };
  return kAll;
}

std::optional<AggregateKind> aggregate_named(std::string_view sql) {
  const auto all = all_aggregates();
  const auto at = std::find_if(all.begin(), all.end(), [&](const NamedAggregate& one) { return one.sql == sql; });
  return at == all.end() ? std::nullopt : std::optional(at->kind);
}

Facts facts_of(const AggregateCall& call) {
  Facts facts;
  switch (call.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
    case AggregateKind::count_units:
    case AggregateKind::count_cut_units:
      facts.type = Type::integer;
      facts.nullable = false;
      return facts;
    case AggregateKind::sum:
      facts.type = Type::real;
      facts.nullable = false;
      facts.finite = true;
      return facts;
    default:
      facts.type = Type::real;  // NULL where the noisy count is not positive
      facts.finite = true;
      return facts;
  }
}

}  // namespace dither::plan
