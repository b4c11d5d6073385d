// dither.accounting: lists of events go in as text, as in a file of events, so that every number is exact.
#include "accounting/accountant.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "accounting/calibrate.h"
#include "accounting/catalogue.h"
#include "base/error.h"
#include "cli/accounted.h"
#include "cli/accuracy_options.h"
#include "cli/numbers.h"
#include "cli/releases.h"
#include "interruptible.h"
#include "parts.h"
#include "show/json.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

using accounting::Composition;
using accounting::EventList;
using cli::Question;
using cli::Solved;

EventList parse(const std::string& text) { return accounting::parse_events(text, "events"); }

// What reads an option, for a parameter: its messages without the dashes that parameters do not have.
template <class Read>
auto without_dashes(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error{error.code(), message.starts_with("--") ? message.substr(2) : message, error.hint()};
  }
}

Rational number(const std::string& name, const std::string& text) {
  return without_dashes([&] { return cli::loss_number(name, text); });
}

double width_of(const std::optional<std::string>& width) {
  return width ? without_dashes([&] { return cli::read_width(*width); }) : cli::Manner{}.width;
}

// One guarantee: the members of the command's --json, and its text, short and explained.
using Told = std::tuple<std::string, std::string, std::string>;
Told told(const EventList& list, const accounting::Guarantee& guarantee, const Question& question) {
  show::Json document = show::Json::object();
  cli::add_guarantee(list, guarantee, question, document);
  return {show::json_line(document), cli::guarantee_text(list, guarantee, question, false),
          cli::guarantee_text(list, guarantee, question, true)};
}

Told account(const std::string& events, const std::string& solved, const std::string& at,
             const std::optional<std::string>& accountant, const std::optional<std::string>& width) {
  const EventList list = parse(events);
  const bool epsilon = solved == "epsilon";
  const Question question{epsilon ? Solved::epsilon : Solved::delta, number(epsilon ? "delta" : "epsilon", at)};
  cli::Manner manner{width_of(width), width.has_value(), {}};
  if (accountant) manner.accountant = accounting::accountant_from(*accountant);
  return interruptible([&](const CancelToken&) {
    return told(list, cli::accounted(Composition(list), question, manner).guarantee, question);
  });
}

// Every accountant: what the command's --all says in JSON and in text, and each one's guarantee, where it has one.
std::tuple<std::string, std::string, std::vector<std::optional<Told>>> all_accountants(
    const std::string& events, const std::string& delta, const std::optional<std::string>& width) {
  const EventList list = parse(events);
  const Question question{Solved::epsilon, number("delta", delta)};
  const double narrow = width_of(width);
  const auto attempts =
      interruptible([&](const CancelToken&) { return Composition(list).all_epsilons(question.at, narrow); });
  std::vector<std::optional<Told>> guarantees;
  for (const accounting::Attempt& attempt : attempts) {
    guarantees.emplace_back();
    if (attempt.guarantee) guarantees.back() = told(list, *attempt.guarantee, question);
  }
  return {show::json_line(cli::attempts_json(attempts)), cli::attempts_text(attempts), guarantees};
}

std::tuple<std::string, std::string> attack(const std::string& events) {
  const EventList list = parse(events);
  const auto found = interruptible([&](const CancelToken&) { return accounting::attack(Composition(list)); });
  return {show::json_line(cli::attack_json(found)), cli::attack_text(found)};
}

// epsilons, lower deltas, upper deltas.
using Doubles = std::vector<double>;
std::tuple<Doubles, Doubles, Doubles> curve(const std::string& events, const std::string& least_delta, int points) {
  const EventList list = parse(events);
  const Rational least = number("least_delta", least_delta);
  const auto found =
      interruptible([&](const CancelToken&) { return accounting::curve(Composition(list), least, points); });
  Doubles epsilons, lower, upper;
  for (const accounting::CurvePoint& point : found) {
    epsilons.push_back(point.epsilon);
    lower.push_back(point.delta_lower);
    upper.push_back(point.delta_upper);
  }
  return {epsilons, lower, upper};
}

accounting::Unknown unknown_of(const std::string& name) {
  if (name == "times") return accounting::Unknown::times;
  if (name == "rate") return accounting::Unknown::rate;
  return name == "epsilon" ? accounting::Unknown::epsilon : accounting::Unknown::noise;
}

// The value, exactly, and what is reached with it: the members that need the list are the caller's to ask for again.
std::string calibrate(const std::string& events, std::size_t event, const std::string& unknown,
                      const std::string& epsilon, const std::string& delta, int digits) {
  const EventList list = parse(events);
  const Rational most = number("epsilon", epsilon);
  const Rational most_delta = number("delta", delta);
  const auto found = interruptible([&](const CancelToken&) {
    return accounting::calibrate(list, event, unknown_of(unknown), most, most_delta, digits);
  });
  return found.value.str();
}

cli::Given accuracy_given(const std::string& error, const std::string& beta, const std::string& coordinates) {
  return {{"error", error}, {"beta", beta}, {"coordinates", coordinates}};
}

std::string noise_for_error(const std::string& mechanism, const std::string& parameter, const std::string& error,
                            const std::string& beta, const std::string& coordinates, int digits) {
  return without_dashes(
      [&] { return *cli::noise_for_error(mechanism, parameter, accuracy_given(error, beta, coordinates), digits); });
}

double error_of(const std::string& mechanism, const std::string& noise, const std::string& beta,
                const std::string& coordinates) {
  return without_dashes([&] {
    const auto accuracy = cli::read_accuracy({{"beta", beta}, {"coordinates", coordinates}});
    return cli::error_of(mechanism, cli::loss_number("noise", noise), *accuracy);
  });
}

using Keys = std::vector<std::string>;
std::vector<std::tuple<std::string, Keys, Keys>> catalogue() {
  std::vector<std::tuple<std::string, Keys, Keys>> entries;
  for (const accounting::MechanismEntry& entry : accounting::mechanism_catalogue()) {
    entries.emplace_back(entry.name, entry.required, entry.optional);
  }
  return entries;
}

}  // namespace

void add_accounting(nb::module_& core) {
  core.def("accounting_catalogue", &catalogue);
  core.def("events", [](const std::string& text, const std::string& name) {
    return accounting::canonical_json(accounting::parse_events(text, name));
  });
  core.def("read_events",
           [](const std::string& path) { return accounting::canonical_json(accounting::read_events(path)); });
  core.def("account", &account, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  core.def("all_accountants", &all_accountants, nb::arg(), nb::arg(), nb::arg().none());
  core.def("attack", &attack);
  core.def("curve", &curve);
  core.def("calibrate", &calibrate);
  core.def("noise_for_error", &noise_for_error);
  core.def("error_of_noise", &error_of);
}

}  // namespace dither::python
