// Mechanisms made of recipes, and what they cost.
#include "mechanisms.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "calculus/all_makers.h"
#include "calculus/combinators.h"
#include "calculus/find.h"
#include "calculus/plan_json.h"
#include "mechanisms/all_makers.h"
#include "parts.h"

namespace dither::python {

namespace nb = nanobind;
using namespace calculus;  // NOLINT: bindings are written in the words of the calculus

const Makers& all_makers() {
  static const Makers makers = [] {
    Makers all;
    calculus::add_makers(all);
    mechanisms::add_makers(all);
    return all;
  }();
  return makers;
}

Outcome outcome_of(const Recipe& recipe, const Input& input) {
  Input at = input;
  const Recipe* last = &recipe;
  if (recipe.name == "chain") {
    for (std::size_t i = 0; i + 1 < recipe.parts.size(); ++i) {
      const AnyTransformation step = make_transformation(*recipe.parts[i], at.domain, at.metric, all_makers());
      at = {step.output(), step.to()};
    }
    last = recipe.parts.back().get();
  }
  Outcome outcome;
  outcome.reals = std::holds_alternative<RealsDomain>(input.domain);
  if (const auto* vector = std::get_if<VectorDomain>(&at.domain)) outcome.step = vector->step;
  if (const auto* keyed = std::get_if<KeyedDomain>(&at.domain)) outcome.step = keyed->step;
  if (last->name == "change-relation") at.metric = metric_from(last->text("from"));
  const auto* tables = last->name == "partition" ? std::get_if<TablesDomain>(&at.domain) : nullptr;
  for (std::size_t i = 0; i < last->parts.size(); ++i) {
    const Input part = tables != nullptr ? Input{tables->tables.at(i), {at.metric.inner}} : at;
    outcome.parts.push_back(outcome_of(*last->parts[i], part));
  }
  const bool several = last->name == "compose" || last->name == "partition";
  if (!several && outcome.parts.size() == 1) return Outcome(outcome.parts[0]);
  return outcome;
}

namespace {

// One text, or four of `cells`: number of cells, l1, squared l2, largest.
Distance distance_from(const Metric& metric, const std::vector<std::string>& texts) {
  const std::vector<Rational> numbers = parsed(texts);
  if (metric.kind == MetricKind::cells && numbers.size() == 4) {
    return CellsDistance{numbers[0], numbers[1], numbers[2], numbers[3]};
  }
  return numbers.at(0);
}
std::vector<std::string> texts_of(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return {one->str()};
  const CellsDistance& d = cells_of(distance);
  return {d.cells.str(), d.l1.str(), d.l2_squared.str(), d.largest.str()};
}

nb::dict described(const Loss& loss) {
  nb::dict all;
  const auto put = [&](const char* name, const Rational& value) {
    all[name] = nb::make_tuple(value.str(), value.to_double_up());
  };
  if (const auto* of = std::get_if<accounting::ApproximateDp>(&loss))
    put("epsilon", of->epsilon), put("delta", of->delta);
  if (const auto* of = std::get_if<accounting::ConcentratedDp>(&loss)) put("rho", of->rho), put("delta", of->delta);
  if (const auto* of = std::get_if<accounting::GaussianDp>(&loss)) put("squared_mu", of->squared_mu);
  if (const auto* of = std::get_if<accounting::RenyiTable>(&loss)) {
    nb::list orders;
    for (const accounting::OrderBound& bound : of->bounds) orders.append(nb::make_tuple(bound.order, bound.epsilon));
    all["renyi"] = orders;
    all["delta"] = nb::make_tuple(fmt::format("{}", of->delta), of->delta);
  }
  return all;
}

Loss loss_from(const std::string& measure, const std::vector<std::string>& texts) {
  const std::vector<Rational> numbers = parsed(texts);
  if (measure == "concentrated") return concentrated(numbers.at(0), numbers.at(1));
  if (measure == "gaussian") return accounting::GaussianDp{numbers.at(0)};
  return approximate(numbers.at(0), numbers.at(1));
}

// What Python's errors say, as errors of ours again: the search reads their codes.
[[noreturn]] void rethrow(const nb::python_error& raised) {
  const nb::object kind = nb::module_::import_("dither.errors").attr("Error");
  if (!raised.matches(kind)) throw;
  const auto text = [&](const char* name) { return nb::cast<std::string>(raised.value().attr(name)); };
  const std::string name = text("code");
  for (const Code code : all_codes()) {
    if (code_name(code) == name) throw Error{code, text("message"), text("hint")};
  }
  throw;
}

std::string found_scale(const nb::callable& make, const std::vector<std::string>& d_in, const std::string& measure,
                        const std::vector<std::string>& wanted, const std::string& metric) {
  const auto made = [&](const Rational& scale) -> AnyMeasurement {
    try {
      return nb::cast<Mechanism>(make(scale.str())).whole;
    } catch (const nb::python_error& raised) {
      rethrow(raised);
    }
  };
  return find_scale(made, distance_from(metric_from(metric), d_in), loss_from(measure, wanted)).str();
}

std::optional<nb::tuple> bar(const Mechanism& mechanism, const std::string& released) {
  const std::optional<ErrorBar> found = mechanism.whole.error(parse_int128(released));
  if (!found) return std::nullopt;
  return nb::make_tuple(found->standard_error ? nb::cast(*found->standard_error) : nb::none(), found->low.str(),
                        found->high.str());
}

// As canonical JSON, and the relation that their distances are steps of, if there is one.
nb::tuple events_of(const Mechanism& mechanism, const std::vector<std::string>& d) {
  std::vector<std::string> all;
  for (const accounting::Event& event : mechanism.whole.events(distance_from(mechanism.whole.from(), d))) {
    all.push_back(accounting::canonical_json(event));
  }
  const auto relation = neighbours_of(mechanism.whole.from());
  return nb::make_tuple(all, relation ? nb::cast(std::string(accounting::neighbours_name(*relation))) : nb::none());
}

void add_steps(nb::module_& core) {
  nb::class_<AnyTransformation>(core, "Transformation")
      .def_prop_ro("input",
                   [](const AnyTransformation& t) {
                     return Input{t.input(), t.from()};
                   })
      .def_prop_ro("output",
                   [](const AnyTransformation& t) {
                     return Input{t.output(), t.to()};
                   })
      .def_prop_ro("json", [](const AnyTransformation& t) { return canonical_json(t); })
      .def("map", [](const AnyTransformation& t, const std::vector<std::string>& d) {
        return texts_of(t.map(distance_from(t.from(), d)));
      });
  nb::class_<Mechanism>(core, "Mechanism")
      .def_prop_ro("input",
                   [](const Mechanism& m) {
                     return Input{m.whole.input(), m.whole.from()};
                   })
      .def_prop_ro("measure", [](const Mechanism& m) { return std::string(m.whole.measure().name()); })
      .def_prop_ro("step", [](const Mechanism& m) { return m.outcome.step.str(); })
      .def_prop_ro("json", [](const Mechanism& m) { return canonical_json(m.whole); })
      .def("loss",
           [](const Mechanism& m, const std::vector<std::string>& d) {
             const Loss loss = m.whole.loss(distance_from(m.whole.from(), d));
             return nb::make_tuple(described(loss), str(loss));
           })
      .def("check",
           [](const Mechanism& m, const std::vector<std::string>& d, const std::vector<std::string>& wanted) {
             return m.whole.check(distance_from(m.whole.from(), d),
                                  loss_from(std::string(m.whole.measure().name()), wanted));
           })
      .def("events", events_of)
      .def("bar", bar);
  core.def("transformation", [](const Recipe& r, const Input& input) {
    return make_transformation(r, input.domain, input.metric, all_makers());
  });
  core.def("mechanism", [](const Recipe& r, const Input& input) {
    return Mechanism(make_measurement(r, input.domain, input.metric, all_makers()));
  });
  core.def("chain", [](const AnyTransformation& a, const AnyTransformation& b) { return chain(a, b); });
  core.def("chain", [](const AnyTransformation& a, const Mechanism& b) { return Mechanism(chain(a, b.whole)); });
  core.def("change_relation", [](const Mechanism& m, const std::string& to) {
    return Mechanism(change_relation(m.whole, metric_from(to)));
  });
  core.def("mechanism_from_json",
           [](const std::string& text) { return Mechanism(measurement_from_json(text, all_makers())); });
  core.def("transformation_from_json",
           [](const std::string& text) { return transformation_from_json(text, all_makers()); });
}

}  // namespace

void add_mechanisms(nb::module_& core) {
  nb::module_ here = core.def_submodule("mechanisms");
  add_mechanism_forms(here);
  add_steps(here);
  add_mechanism_releases(here);
  here.def("find_scale", found_scale);
}

}  // namespace dither::python
