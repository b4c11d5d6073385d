#include "cli/releases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/numbers.h"

namespace dither::cli {

namespace {

using accounting::Mechanism;
using accounting::Sampler;
using accounting::Unknown;

constexpr std::size_t kMostDigits = 1000;

const std::array kOptions = {
    Option{"sensitivity", "D", "how far the released value moves between neighbours (1)"},
    Option{"categories", "K", "answers of randomised response (2)"},
    Option{"sample", "S", "poisson:0.01, without-replacement:100/50000 (batch/population), shuffled-batches:390 ..."},
    Option{"times", "N", "how often it is released, up to 10^12 (1)"},
    Option{"neighbours", "R", "add-remove, replace-one or both; there is no default"},
    Option{"unit", "NAME", "whom one record stands for (record)"},
};

Rational sensitivity(const Given& given) {
  return given.contains("sensitivity") ? loss_number("sensitivity", given.at("sensitivity")) : Rational(1);
}

// Options that this mechanism has no use for are refused, not dropped.
void refuse(const Given& given, const char* option, const char* mechanism) {
  if (!given.contains(option)) return;
  throw Error{Code::bad_argument,
              fmt::format("--{} is {}, but {} has no such parameter", option, echo(given.at(option)), mechanism),
              "leave it out; `dither account --list` shows what each mechanism takes"};
}

template <typename M>
Mechanism with_sensitivity(const Rational& value, const Given& given) {
  refuse(given, "categories", "noise");
  return M{value, sensitivity(given)};
}

template <typename M>
Mechanism alone(const Rational& value, const Given& given) {
  refuse(given, "categories", "this mechanism");
  refuse(given, "sensitivity", "this mechanism");
  M mechanism{};
  if constexpr (requires { mechanism.epsilon; }) {
    mechanism.epsilon = value;
  } else if constexpr (requires { mechanism.rho; }) {
    mechanism.rho = value;
  } else {
    mechanism.mu = value;
  }
  return mechanism;
}

Mechanism randomised_response(const Rational& value, const Given& given) {
  refuse(given, "sensitivity", "randomised response");
  accounting::RandomisedResponse mechanism{value};
  if (given.contains("categories")) {
    mechanism.categories =
        static_cast<std::uint64_t>(whole_number("categories", given.at("categories"), 2, Int128{1} << 40));
  }
  return mechanism;
}

std::uint64_t count(const std::string& what, const std::string& text) {
  return static_cast<std::uint64_t>(whole_number(what, text, 1, Int128{1} << 62));
}

// "100/50000" as two counts.
std::pair<std::uint64_t, std::uint64_t> two_counts(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw Error{Code::bad_argument, fmt::format("--sample has \"{}\", which is no batch and population", echo(text)),
                "write e.g. without-replacement:100/50000"};
  }
  return {count("sample", text.substr(0, slash)), count("sample", text.substr(slash + 1))};
}

const std::vector<std::string> kSamplers = {
    "poisson:0.01",         "without-replacement:100/50000", "with-replacement:100/50000",
    "shuffled-batches:390", "random-allocation:390",         "all-or-nothing:0.1"};

// A sampler that exists, without its number.
void refuse_bare_sampler(const std::string& kind, const std::string& text) {
  for (const std::string& example : kSamplers) {
    if (!example.starts_with(kind + ":")) continue;
    throw Error{Code::bad_argument, fmt::format("--sample is \"{}\", without its number", echo(text)),
                fmt::format("write e.g. --sample {}", example)};
  }
}

}  // namespace

std::span<const PlainMechanism> plain_mechanisms() {
  static const std::array mechanisms = {
      PlainMechanism{"gaussian", "sigma", "adds Gaussian noise", Unknown::noise,
                     with_sensitivity<accounting::Gaussian>},
      PlainMechanism{"discrete-gaussian", "sigma", "adds Gaussian noise on the integers", Unknown::noise,
                     with_sensitivity<accounting::DiscreteGaussian>},
      PlainMechanism{"laplace", "scale", "adds Laplace noise", Unknown::noise, with_sensitivity<accounting::Laplace>},
      PlainMechanism{"discrete-laplace", "scale", "adds Laplace (two-sided geometric) noise on the integers",
                     Unknown::noise, with_sensitivity<accounting::DiscreteLaplace>},
      PlainMechanism{"randomised-response", "each-epsilon", "tells the true answer, or another one", Unknown::epsilon,
                     randomised_response},
      PlainMechanism{"exponential", "each-epsilon", "chooses by score", Unknown::epsilon,
                     alone<accounting::Exponential>},
      PlainMechanism{"black-box", "each-epsilon", "anything that is epsilon-DP", Unknown::epsilon,
                     alone<accounting::BlackBox>},
      PlainMechanism{"zcdp", "rho", "anything that is rho-zCDP", std::nullopt, alone<accounting::Zcdp>},
      PlainMechanism{"gdp", "mu", "anything that is mu-Gaussian DP", std::nullopt, alone<accounting::Gdp>},
  };
  return mechanisms;
}

const PlainMechanism& find_mechanism(const std::string& name) {
  std::vector<std::string> names;
  for (const PlainMechanism& mechanism : plain_mechanisms()) {
    if (mechanism.name == name) return mechanism;
    names.push_back(mechanism.name);
  }
  throw Error{Code::unknown_mechanism, fmt::format("\"{}\" is not a mechanism that one number describes", echo(name)),
              fmt::format("did you mean {}? known are {}", nearest(name, names), fmt::join(names, ", "))};
}

std::span<const Option> release_options() { return kOptions; }

std::vector<Option> event_options() {
  std::vector<Option> options;
  for (const PlainMechanism& mechanism : plain_mechanisms()) {
    std::string number = mechanism.parameter == "each-epsilon" ? "epsilon" : mechanism.parameter;
    for (char& c : number) c = static_cast<char>(c - 'a' + 'A');
    options.push_back({mechanism.name, number, mechanism.is});
  }
  options.insert(options.end(), release_options().begin(), release_options().end());
  return options;
}

const PlainMechanism* chosen_mechanism(const Given& given) {
  const PlainMechanism* chosen = nullptr;
  for (const PlainMechanism& mechanism : plain_mechanisms()) {
    if (!given.contains(mechanism.name)) continue;
    if (chosen != nullptr) {
      throw Error{Code::bad_argument, fmt::format("--{} and --{} are both given", chosen->name, mechanism.name),
                  "write several events in a file; docs/accounting.md shows one"};
    }
    chosen = &mechanism;
  }
  return chosen;
}

void refuse_beside_file(const Given& given) {
  for (const Option& option : event_options()) {
    if (!given.contains(option.name) || option.name == "neighbours" || option.name == "unit") continue;
    throw Error{Code::bad_argument, fmt::format("--{} is given beside a file of events", option.name),
                "write it in the file, or leave the file out"};
  }
}

Rational loss_number(const std::string& name, const std::string& text) { return exact_number(name, text, kMostDigits); }

Sampler read_sampler(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (rest.empty()) refuse_bare_sampler(kind, text);
  if (kind == "poisson") return accounting::Poisson{loss_number("sample", rest), {}};
  if (kind == "all-or-nothing") return accounting::AllOrNothing{loss_number("sample", rest)};
  if (kind == "shuffled-batches") return accounting::ShuffledBatches{count("sample", rest)};
  if (kind == "random-allocation") return accounting::RandomAllocation{count("sample", rest)};
  if (kind == "without-replacement") {
    const auto [batch, population] = two_counts(rest);
    return accounting::WithoutReplacement{batch, population};
  }
  if (kind == "with-replacement") {
    const auto [draws, population] = two_counts(rest);
    return accounting::WithReplacement{draws, population};
  }
  throw Error{Code::bad_argument, fmt::format("--sample is \"{}\", which is no sampler", echo(text)),
              fmt::format("did you mean {}?", nearest(kind, kSamplers))};
}

accounting::Neighbours read_neighbours(const Given& given) {
  if (!given.contains("neighbours")) {
    throw Error{Code::bad_argument, "no neighbour relation is given",
                "write --neighbours add-remove (one record more or less) or --neighbours replace-one"};
  }
  return accounting::neighbours_from(given.at("neighbours"));
}

accounting::Event make_event(const PlainMechanism& mechanism, const Rational& value, const Given& given) {
  accounting::Event event{std::nullopt, mechanism.make(value, given), 1};
  if (given.contains("sample")) event.sample = read_sampler(given.at("sample"));
  if (given.contains("times")) {
    event.times = static_cast<std::uint64_t>(
        whole_number("times", given.at("times"), 0, static_cast<Int128>(accounting::kMostTimes)));
  }
  return event;
}

void set_unit(const Given& given, accounting::EventList& list) {
  if (!given.contains("unit")) return;
  const std::string& name = given.at("unit");
  if (name.empty() || printable(name) != name) {
    throw Error{Code::bad_argument,
                fmt::format("--unit is \"{}\", but must be a name without control characters", echo(name)),
                "write e.g. --unit person"};
  }
  list.unit.name = name;
}

}  // namespace dither::cli
