#include "plan/bounded_aggregate.h"

#include <nlohmann/json.hpp>

#include "base/digest.h"

namespace dither::plan {

using Json = nlohmann::ordered_json;

std::string_view measure_kind_name(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::units:
      return "units";
    case MeasureKind::rows:
      return "rows";
    case MeasureKind::sum:
      return "sum";
    case MeasureKind::squares:
      return "squares";
    case MeasureKind::products:
      return "products";
    case MeasureKind::distinct:
      return "distinct";
    case MeasureKind::histogram:
      return "histogram";
    case MeasureKind::cut_units:
      return "cut-units";
  }
  return "";
}

namespace {

Json measure_json(const Measure& measure) {
  Json json = {{"kind", measure_kind_name(measure.kind)}};
  if (measure.column) json["column"] = *measure.column;
  const bool by_steps = measure.kind == MeasureKind::squares || measure.kind == MeasureKind::products ||
                        measure.kind == MeasureKind::histogram || measure.kind == MeasureKind::sum;
  if (by_steps) {
    json["step"] = measure.step.str();
    json["row"] = {to_string(measure.low), to_string(measure.high)};
    json["centred"] = measure.centred;
  }
  if (measure.second) {
    json["second"] = {{"column", measure.second->column},
                      {"step", measure.second->step.str()},
                      {"row", {to_string(measure.second->low), to_string(measure.second->high)}}};
  }
  const bool totals_say_rows = measure.kind != MeasureKind::distinct && measure.kind != MeasureKind::histogram &&
                               measure.kind != MeasureKind::cut_units;
  if (!totals_say_rows) json["rows"] = measure.rows;
  json["total"] = {to_string(measure.total_low), to_string(measure.total_high)};
  if (measure.cut == Cut::scale) json["scaled"] = measure.finer;
  if (measure.kind == MeasureKind::cut_units)
    json["of"] = "rows and keys";  // it was of rows alone once: another number
  return json;
}

Json keys_json(const std::vector<std::vector<Cell>>& keys) {
  Json list = Json::array();
  for (const auto& key : keys) list.push_back(to_hex(canonical(key)));
  return list;
}

}  // namespace

std::string canonical_json(const BoundedAggregate& aggregate) {
  Json measures = Json::array();
  for (const Measure& measure : aggregate.measures) measures.push_back(measure_json(measure));
  Json json = {{"rows", canonical_json(aggregate.rows)},
               {"keys", aggregate.keys},
               {"public_keys", aggregate.public_keys ? keys_json(*aggregate.public_keys) : Json(nullptr)},
               {"keys_per_unit", aggregate.keys_per_unit},
               {"measures", measures}};
  if (aggregate.rows_per_unit) json["rows_per_unit"] = *aggregate.rows_per_unit;
  return json.dump();
}

std::string plan_hash(const Project& project, const BoundedAggregate& aggregate) {
  return sha256(canonical_json(aggregate) + "\n" + declarations_json(project, aggregate.rows->tables())).hex();
}

}  // namespace dither::plan
