#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plan/relation.h"

namespace dither::plan {
namespace {

using Json = nlohmann::ordered_json;

Json json(const Relation& relation);

Json texts(const std::vector<Expression>& expressions) {
  Json list = Json::array();
  for (const Expression& expression : expressions) list.push_back(expression.text());
  return list;
}

Json range_json(const std::optional<Range>& range) {
  return range ? Json{range->low.str(), range->high.str()} : Json(nullptr);
}

struct StepJson {
  Json operator()(const Scan& step) const { return {{"scan", step.table}}; }
  Json operator()(const Filter& step) const { return {{"filter", step.keep.text()}, {"of", json(step.input)}}; }
  Json operator()(const Projection& step) const { return {{"columns", texts(step.columns)}, {"of", json(step.input)}}; }
  Json operator()(const Join& step) const {
    Json equal = Json::array();
    for (const auto& [l, r] : step.equal) equal.push_back({l, r});
    return {{"join", step.kind == JoinKind::inner ? "inner" : "left"},
            {"on", equal},
            {"left", json(step.left)},
            {"right", json(step.right)}};
  }
  Json operator()(const Union& step) const {
    Json inputs = Json::array();
    for (const Relation& input : step.inputs) inputs.push_back(json(input));
    return {{"union", inputs}};
  }
  Json operator()(const Distinct& step) const { return {{"distinct", json(step.input)}}; }
  Json operator()(const Aggregate& step) const {
    Json calls = Json::array();
    for (const AggregateCall& call : step.calls) {
      calls.push_back(
          {aggregate_name(call.kind), call.column, range_json(call.bounds_per_row), range_json(call.bounds_per_group)});
    }
    return {{"aggregate", calls}, {"keys", step.keys}, {"of", json(step.input)}};
  }
  Json operator()(const Sort& step) const {
    Json by = Json::array();
    for (const Sort::By& one : step.by) by.push_back({one.column, one.descending, one.nulls_first});
    return {{"sort", by}, {"of", json(step.input)}};
  }
  Json operator()(const Limit& step) const {
    return {{"limit", step.rows}, {"skip", step.skip}, {"of", json(step.input)}};
  }
};

Json json(const Relation& relation) { return std::visit(StepJson{}, relation->step()); }

}  // namespace

std::string canonical_json(const Relation& relation) { return json(relation).dump(); }

}  // namespace dither::plan
