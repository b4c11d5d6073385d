#include "plan/aggregate_call.h"

#include <map>

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
  }
  return "";
}

std::optional<AggregateKind> aggregate_named(std::string_view sql) {
  static const std::map<std::string_view, AggregateKind> kinds{{"count", AggregateKind::count},
                                                               {"sum", AggregateKind::sum},
                                                               {"avg", AggregateKind::avg},
                                                               {"var_pop", AggregateKind::var_pop},
                                                               {"var_samp", AggregateKind::var_samp},
                                                               {"variance", AggregateKind::var_samp},
                                                               {"stddev_pop", AggregateKind::stddev_pop},
                                                               {"stddev_samp", AggregateKind::stddev_samp},
                                                               {"stddev", AggregateKind::stddev_samp}};
  const auto at = kinds.find(sql);
  return at == kinds.end() ? std::nullopt : std::optional(at->second);
}

Facts facts_of(const AggregateCall& call) {
  Facts facts;
  switch (call.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
    case AggregateKind::count_units:
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
