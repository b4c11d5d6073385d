// What mechanisms there are, recipes of them, and what they stand behind.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "audit/attack.h"
#include "base/error.h"
#include "calculus/forms.h"
#include "mechanisms.h"
#include "mechanisms/forms.h"

namespace dither::python {

namespace nb = nanobind;
using namespace calculus;  // NOLINT: bindings are written in the words of the calculus

namespace {

std::vector<const Form*> all_forms() {
  std::vector<const Form*> all;
  for (const Form& form : mechanisms::forms()) all.push_back(&form);
  for (const Form& form : calculus::forms()) all.push_back(&form);
  return all;
}

nb::list parameters_of(const Form& form) {
  nb::list all;
  for (const Parameter& one : form.parameters) {
    all.append(nb::make_tuple(one.name, std::string(kind_name(one.kind)), one.about, one.optional));
  }
  return all;
}

// Names, parameters and promises of everything that recipes can name.
nb::list described_forms() {
  static const Registry claims = audit::all_claims();
  nb::list all;
  for (const Form* form : all_forms()) {
    nb::dict one;
    one["name"] = form->name;
    one["takes"] = std::string(takes_name(form->takes));
    one["metric"] = form->metric;
    one["size"] = form->size;
    one["measures"] = all_makers().measurements.contains(form->name);
    one["parameters"] = parameters_of(*form);
    const Claim* claim = claims.find(form->name);
    one["guarantee"] = claim != nullptr ? claim->guarantee : "";
    one["conditions"] = claim != nullptr ? claim->conditions : "";
    one["rows"] = claim != nullptr ? claim->rows : std::vector<std::string>();
    all.append(one);
  }
  return all;
}

// Public keys stand in the order of their bytes, and people list them as they like.
std::vector<std::string> ascending(std::vector<std::string> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

Recipe::Value value_from(ParameterKind kind, const nb::handle& value) {
  using K = ParameterKind;
  switch (kind) {
    case K::number:
    case K::count:
    case K::width:
    case K::square:
      return Rational::parse(nb::cast<std::string>(value));
    case K::text:
      return nb::cast<std::string>(value);
    case K::truth:
      return nb::cast<bool>(value);
    case K::numbers:
    case K::counts:
      return parsed(nb::cast<std::vector<std::string>>(value));
    case K::texts:
      return nb::cast<std::vector<std::string>>(value);
    case K::keys:
      return ascending(std::get<std::vector<std::string>>(spelled(kind, cells_from(value))));
    default:
      return spelled(kind, cells_from(value));
  }
}

// Python has checked the names against the form.
Recipe recipe_from(const std::string& name, const nb::dict& values, const std::vector<Mechanism>& parts) {
  Recipe recipe{name};
  for (const Form* form : all_forms()) {
    if (form->name != name) continue;
    for (const Parameter& one : form->parameters) {
      if (values.contains(one.name.c_str())) {
        recipe.parameters.emplace_back(one.name, value_from(one.kind, values[one.name.c_str()]));
      }
    }
  }
  for (const Mechanism& part : parts) recipe.parts.push_back(std::make_shared<const Recipe>(part.whole.recipe()));
  return recipe;
}

std::optional<Bounds> bounds_from(const std::optional<std::pair<std::string, std::string>>& given) {
  if (!given) return std::nullopt;
  return bounds(Rational::parse(given->first), Rational::parse(given->second));
}

CellType type_from(const std::string& name) {
  for (const CellType type : {CellType::boolean, CellType::integer, CellType::real, CellType::text}) {
    if (cell_type_name(type) == name) return type;
  }
  throw Error{Code::unknown_type, fmt::format("there is no type \"{}\"", name), "write boolean, integer, real or text"};
}

Input table_input(const std::vector<std::pair<std::string, std::string>>& columns, const std::string& metric) {
  TableDomain table;
  for (const auto& [name, type] : columns) table.columns.push_back({.name = name, .type = type_from(type)});
  return {table, metric_from(metric)};
}

Input tables_input(const std::vector<Input>& tables, const std::string& metric) {
  TablesDomain all;
  for (const Input& one : tables) all.tables.push_back(std::get<TableDomain>(one.domain));
  return {all, metric_from(metric)};
}

Input keyed_input(const std::optional<nb::list>& keys, const std::string& metric) {
  KeyedDomain domain;
  if (keys) {
    std::vector<std::string> all;
    for (const Cell& cell : cells_from(*keys)) all.push_back(canonical(cell));
    domain.keys = ascending(std::move(all));
  }
  return {domain, metric_from(metric)};
}

// The step of the grid there, "" where distances are not in steps.
std::string step_of(const Domain& domain) {
  if (const auto* vector = std::get_if<VectorDomain>(&domain)) return vector->step.str();
  if (const auto* keyed = std::get_if<KeyedDomain>(&domain)) return keyed->step.str();
  return "";
}

// Of each table the names and types of its columns.
std::vector<std::vector<std::pair<std::string, std::string>>> columns_of(const Domain& domain) {
  std::vector<std::vector<std::pair<std::string, std::string>>> all;
  const auto add = [&](const TableDomain& table) {
    all.emplace_back();
    for (const Column& column : table.columns) all.back().emplace_back(column.name, cell_type_name(column.type));
  };
  if (const auto* table = std::get_if<TableDomain>(&domain)) add(*table);
  if (const auto* tables = std::get_if<TablesDomain>(&domain)) {
    std::for_each(tables->tables.begin(), tables->tables.end(), add);
  }
  return all;
}

}  // namespace

std::vector<Rational> parsed(const std::vector<std::string>& texts) {
  std::vector<Rational> all;
  for (const std::string& text : texts) all.push_back(Rational::parse(text));
  return all;
}

void add_mechanism_forms(nb::module_& core) {
  core.def("forms", described_forms);
  core.def("recipe", recipe_from);
  nb::class_<Recipe>(core, "Recipe").def_prop_ro("name", [](const Recipe& r) { return r.name; });
  nb::class_<Input>(core, "Input")
      .def_prop_ro("metric", [](const Input& i) { return metric_name(i.metric); })
      .def_prop_ro("step", [](const Input& i) { return step_of(i.domain); })
      .def_prop_ro("takes", [](const Input& i) { return std::string(takes_name(Takes(i.domain.index()))); })
      .def_prop_ro("columns", [](const Input& i) { return columns_of(i.domain); })
      .def_prop_ro("describe", [](const Input& i) { return describe(i.domain); });
  core.def(
      "vector_input",
      [](std::optional<std::uint64_t> size, const std::string& step,
         const std::optional<std::pair<std::string, std::string>>& limits, const std::string& metric) {
        return Input{VectorDomain{size, Rational::parse(step), bounds_from(limits)}, metric_from(metric)};
      },
      nb::arg("size").none(), nb::arg("step"), nb::arg("bounds").none(), nb::arg("metric"));
  core.def(
      "reals_input",
      [](std::optional<std::uint64_t> size, const std::string& metric) {
        return Input{RealsDomain{.dimension = size}, metric_from(metric)};
      },
      nb::arg("size").none(), nb::arg("metric"));
  core.def("keyed_input", keyed_input, nb::arg("keys").none(), nb::arg("metric"));
  core.def("table_input", table_input);
  core.def("tables_input", tables_input);
}

}  // namespace dither::python
