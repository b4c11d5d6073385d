// dither account: what a list of releases costs together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "accounting/accountant.h"
#include "accounting/catalogue.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/accounted.h"
#include "cli/arguments.h"
#include "cli/curve_output.h"
#include "cli/guarantee_output.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "cli/releases.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using accounting::Composition;
using accounting::EventList;
using accounting::Guarantee;

const std::array kOptions = {
    Option{"delta", "D", "find the epsilon at this delta"},
    Option{"epsilon", "E", "find the delta at this epsilon"},
    Option{"accountant", "NAME",
           "by this one, not by the best: basic, advanced, optimal, zcdp, renyi, gdp, fourier, "
           "lattice"},
    Option{"all", "", "every accountant side by side (needs --delta)"},
    Option{"attack", "", "also what the best attacker can do"},
    Option{"curve", "FILE", "also write delta against epsilon, down to the delta of the answer: a .csv or .svg file"},
    Option{"points", "N", "of the curve, 2 to 10000 (101)"},
    Option{"width", "W", "how narrow the interval should be: of epsilon, or relative to delta; below 1 (1e-6)"},
    Option{"explain", "", "also the theorem, each event's share, and what is assumed"},
    Option{"group", "K", "protect K units together (1)"},
    Option{"list", "", "the mechanisms and their parameters"},
    Option{"json", "", "the same answer for programs"},
    Option{"help", "", "this text"},
};

std::vector<Option> all_options() {
  std::vector<Option> options = event_options();
  options.insert(options.end(), kOptions.begin(), kOptions.end());
  return options;
}

std::string help() {
  return "Say what releases cost together, as an interval that provably holds the best epsilon. Reads no data, spends "
         "nothing.\n"
         "Usage:  dither account FILE (--delta D | --epsilon E) [--json] ...          a list of events; - is standard "
         "input\n"
         "        dither account --MECHANISM NUMBER --neighbours R [--times N] ...    one event\n"
         "        dither account --list [--json]\n" +
         options_help(kOptions) + "One event, every number exact as written (3, 0.125, 1e-6, 2/7):\n" +
         options_help(event_options()) +
         R"(Example:  dither account events.yaml --delta 1e-6
          dither account --gaussian 1.0 --sample poisson:0.01 --times 10000 --neighbours add-remove --delta 1e-6
Exit:     0 done   2 mistake in request or file   4 failed
)";
}

EventList list_of_options(const Given& given) {
  const PlainMechanism* mechanism = chosen_mechanism(given);
  if (mechanism == nullptr) {
    throw Error{Code::bad_argument, "nothing is given to account for",
                "name a file of events, or one event such as --gaussian 10; --list shows the mechanisms"};
  }
  EventList list{read_neighbours(given), {"record"}, 1, {}};
  const Rational value = loss_number(mechanism->name, given.at(mechanism->name));
  list.events.push_back(make_event(*mechanism, value, given));
  return list;
}

EventList list_of_file(const Given& given) {
  refuse_beside_file(given);
  EventList list = accounting::read_events(given.at("FILE"));
  if (given.contains("neighbours") && read_neighbours(given) != list.neighbours) {
    throw Error{Code::mixed_neighbours,
                fmt::format("--neighbours is {}, but the file is for {}", given.at("neighbours"),
                            accounting::neighbours_name(list.neighbours)),
                "leave --neighbours out, or state the events for that relation"};
  }
  return list;
}

EventList read_list(const Given& given) {
  EventList list = given.contains("FILE") ? list_of_file(given) : list_of_options(given);
  set_unit(given, list);
  if (given.contains("group")) {
    list.group = static_cast<std::uint64_t>(whole_number("group", given.at("group"), 1, 1'000'000));
  }
  accounting::require_valid(list);
  return list;
}

Question read_question(const Given& given) {
  const bool by_delta = given.contains("delta");
  if (by_delta == given.contains("epsilon")) {
    throw Error{Code::bad_argument,
                by_delta ? "--delta and --epsilon are both given" : "neither --delta nor --epsilon is given",
                "give --delta to find epsilon, or --epsilon to find delta"};
  }
  const std::string at = by_delta ? "delta" : "epsilon";
  return {by_delta ? Solved::epsilon : Solved::delta, loss_number(at, given.at(at))};
}

Manner read_manner(const Given& given) {
  Manner manner;
  manner.must_be_narrow = given.contains("width");
  if (manner.must_be_narrow) manner.width = read_width(given.at("width"));
  if (given.contains("accountant")) manner.accountant = accounting::accountant_from(given.at("accountant"));
  if (given.contains("all") && (!given.contains("delta") || manner.accountant)) {
    throw Error{Code::bad_argument, "--all compares the epsilons of every accountant at one delta",
                "give --delta, and leave --accountant out"};
  }
  return manner;
}

// All that was asked for, worked out.
struct Answer {
  std::optional<Guarantee> guarantee;
  std::vector<accounting::Attempt> attempts;
  std::optional<accounting::Attack> attack;
  std::vector<accounting::CurvePoint> curve;
  bool too_wide = false;
  double seconds = 0;
};

int read_points(const Given& given) {
  if (!given.contains("points")) return 101;
  if (!given.contains("curve")) {
    throw Error{Code::bad_argument, "--points is given without --curve, whose points it counts",
                "write e.g. --curve delta.csv --points 101"};
  }
  return static_cast<int>(whole_number("points", given.at("points"), 2, 10'000));
}

Answer work_out(const EventList& list, const Question& question, const Given& given) {
  const Manner manner = read_manner(given);
  const int points = read_points(given);
  Answer result;
  const auto start = std::chrono::steady_clock::now();
  const Composition composition(list);
  Accounted answer = accounted(composition, question, manner);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.too_wide = answer.too_wide;
  result.guarantee = std::move(answer.guarantee);
  if (given.contains("all")) result.attempts = composition.all_epsilons(question.at, manner.width);
  if (given.contains("attack")) result.attack = accounting::attack(composition);
  if (given.contains("curve")) {
    const double delta = result.guarantee->delta.upper;
    result.curve = accounting::curve(composition, Rational::from_double(delta), points);
  }
  return result;
}

enum class CurveFormat { csv, svg };

CurveFormat curve_format(const std::string& path) {
  if (path.ends_with(".csv")) return CurveFormat::csv;
  if (path.ends_with(".svg")) return CurveFormat::svg;
  throw Error{Code::bad_argument, fmt::format("--curve is \"{}\", which ends neither in .csv nor in .svg", echo(path)),
              "write e.g. --curve delta.csv or --curve delta.svg"};
}

void write_curve(const std::string& path, const Answer& result) {
  write_answer(
      path,
      curve_format(path) == CurveFormat::csv ? curve_csv(result.curve) : curve_svg(*result.guarantee, result.curve),
      "--curve");
}

std::string text_of(const EventList& list, const Answer& result, const Question& question, bool explain) {
  std::string text = guarantee_text(list, *result.guarantee, question, explain);
  if (result.too_wide && !explain) text += facts_text({{"note", kTooWide}});
  if (!result.attempts.empty()) text += "\n" + attempts_text(result.attempts);
  if (result.attack) text += "\n" + attack_text(*result.attack);
  return text;
}

std::string json_of(const EventList& list, const Answer& result, const Question& question) {
  show::Json document = show::Json::object();
  add_guarantee(list, *result.guarantee, question, document);
  if (!result.attempts.empty()) document["accountants"] = attempts_json(result.attempts);
  if (result.attack) document["attack"] = attack_json(*result.attack);
  document["seconds"] = show::json_real(result.seconds);
  return show::json_pretty(document) + '\n';
}

std::string list_mechanisms(bool json) {
  show::Json mechanisms = show::Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const accounting::MechanismEntry& entry : accounting::mechanism_catalogue()) {
    mechanisms.push_back({{"mechanism", entry.name}, {"required", entry.required}, {"optional", entry.optional}});
    rows.push_back({entry.name, fmt::format("{}", fmt::join(entry.required, " ")),
                    fmt::format("{}", fmt::join(entry.optional, " "))});
  }
  if (json) return show::json_pretty({{"mechanisms", mechanisms}}) + '\n';
  using show::Align;
  return show::text_table({{"mechanism", Align::left}, {"parameters", Align::left}, {"may have", Align::left}}, rows);
}

}  // namespace

void account(const Words& words) {
  const Given given = read_options("account", all_options(), words, "FILE");
  const bool json = given.contains("json");
  if (given.contains("help")) return write_answer("", help());
  if (given.contains("list")) return write_answer("", list_mechanisms(json));
  const Question question = read_question(given);
  if (given.contains("curve")) curve_format(given.at("curve"));
  const EventList list = read_list(given);
  Answer result;
  with_patience("accounting", json, [&] { result = work_out(list, question, given); });
  if (given.contains("curve")) write_curve(given.at("curve"), result);
  write_answer("", json ? json_of(list, result, question) : text_of(list, result, question, given.contains("explain")));
}

}  // namespace dither::cli
