// dither calibrate: the one number that is missing, from all the others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "accounting/calibrate.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/accuracy_options.h"
#include "cli/arguments.h"
#include "cli/guarantee_output.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "cli/releases.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using accounting::EventList;
using accounting::Guarantee;
using accounting::Unknown;

const std::array kOptions = {
    Option{"epsilon", "E", "the budget: (E, D)-DP for all releases together"},
    Option{"delta", "D", "the budget's delta"},
    Option{"sigma", "S", "noise of gaussian and discrete-gaussian"},
    Option{"scale", "S", "noise of laplace and discrete-laplace"},
    Option{"each-epsilon", "E", "epsilon of one release of the other mechanisms"},
    Option{"rho", "R", "of zcdp"},
    Option{"mu", "M", "of gdp"},
    Option{"digits", "N", "of the answer, 1 to 15 (12)"},
    Option{"explain", "", "also the theorem and what is assumed"},
    Option{"json", "", "the same answer for programs"},
    Option{"help", "", "this text"},
};

std::vector<Option> all_options() {
  std::vector<Option> options(kOptions.begin(), kOptions.end());
  options.insert(options.end(), release_options().begin(), release_options().end());
  options.insert(options.end(), accuracy_options().begin(), accuracy_options().end());
  return options;
}

std::string help() {
  return "Find the one number that is missing: the least noise, the largest epsilon of a release, the largest rate or "
         "the most\nreleases that keep a budget. The answer is rounded to the safe side and certified. Reads no data, "
         "spends nothing.\n"
         "Usage:  dither calibrate MECHANISM --epsilon E --delta D [--times N] [--sample S] ...    finds the noise\n"
         "        dither calibrate MECHANISM --sigma S --epsilon E --delta D --sample poisson ...  finds the rate\n"
         "        dither calibrate MECHANISM --sigma S --epsilon E --delta D ...                   finds --times\n"
         "        dither calibrate MECHANISM --sigma S --delta D ...                               finds epsilon\n"
         "        dither calibrate MECHANISM --error W --beta B [--delta D ...]                    finds the noise\n" +
         options_help(kOptions) + options_help(release_options()) + options_help(accuracy_options()) +
         R"(Example:  dither calibrate gaussian --epsilon 1 --delta 1e-6
          dither calibrate gaussian --epsilon 1 --delta 1e-5 --sample poisson:0.01 --times 10000 --neighbours add-remove
Exit:     0 done   2 mistake in the request, or nothing reaches the budget   4 failed
)";
}

// The relation, which may be left out where nothing depends on it: without sampling the sensitivity says it all, and
// the answer is then stated for both relations.
accounting::Neighbours relation(const Given& given) {
  if (given.contains("neighbours") || given.contains("sample")) return read_neighbours(given);
  return accounting::Neighbours::both;
}

// The names of what is not given. Without a rate a sampler is written as its bare name.
std::vector<std::string> missing(const PlainMechanism& mechanism, const Given& given) {
  std::vector<std::string> names;
  for (const std::string& name : {mechanism.parameter, std::string("epsilon"), std::string("delta")}) {
    if (!given.contains(name)) names.push_back(name);
  }
  if (given.contains("sample") && given.at("sample") == "poisson") names.emplace_back("rate");
  if (names.empty() && !given.contains("times")) names.emplace_back("times");
  return names;
}

std::string the_unknown(const PlainMechanism& mechanism, const Given& given) {
  const std::vector<std::string> names = missing(mechanism, given);
  if (names.size() == 1) return names[0];
  if (names.empty()) {
    throw Error{Code::bad_argument, "nothing is left to solve for: all numbers are given",
                fmt::format("leave out one of --{}, --epsilon, --delta or --times", mechanism.parameter)};
  }
  throw Error{Code::bad_argument, fmt::format("{} numbers are missing: {}", names.size(), fmt::join(names, ", ")),
              "give all but the one to solve for"};
}

void refuse_other_parameters(const PlainMechanism& mechanism, const Given& given) {
  for (const char* name : {"sigma", "scale", "each-epsilon", "rho", "mu"}) {
    if (!given.contains(name) || name == mechanism.parameter) continue;
    throw Error{Code::bad_argument,
                fmt::format("--{} is {}, but {} has no such parameter", name, echo(given.at(name)), mechanism.name),
                fmt::format("{} takes --{}", mechanism.name, mechanism.parameter)};
  }
}

Unknown kind_of(const PlainMechanism& mechanism, const std::string& unknown) {
  if (unknown == "times") return Unknown::times;
  if (unknown == "rate") return Unknown::rate;
  if (mechanism.unknown) return *mechanism.unknown;
  throw Error{Code::bad_argument, fmt::format("{} of {} cannot be solved for", unknown, mechanism.name),
              fmt::format("give --{}, and leave out --epsilon, --delta or --times", mechanism.parameter)};
}

struct Answer {
  std::string unknown;
  std::string value;                   // in decimals
  std::optional<std::string> noise;    // found for --error on the way to another unknown
  std::optional<Guarantee> guarantee;  // none when only an accuracy was asked for
  std::optional<Question> question;    // that it answers
  EventList list;
  std::optional<accounting::Accuracy> accuracy;
  double error = 0;  // of that accuracy
  double seconds = 0;
};

bool is_budget(const std::string& unknown) { return unknown == "epsilon" || unknown == "delta"; }

// The list with every number in it that is known; the unknown one starts at 1.
EventList make_list(const PlainMechanism& mechanism, Given given) {
  EventList list{relation(given), {"record"}, 1, {}};
  const bool known = given.contains(mechanism.parameter);
  if (given.contains("sample") && given.at("sample") == "poisson") given["sample"] = "poisson:1";
  const Rational value = known ? loss_number(mechanism.parameter, given.at(mechanism.parameter)) : Rational(1);
  list.events.push_back(make_event(mechanism, value, given));
  set_unit(given, list);
  accounting::require_valid(list);
  return list;
}

int read_digits(const Given& given) {
  return given.contains("digits") ? static_cast<int>(whole_number("digits", given.at("digits"), 1, 15)) : 12;
}

// The budget's own numbers are the accountant's to find.
void solve_budget(const Given& given, Answer& answer) {
  const accounting::Composition composition(answer.list);
  const bool epsilon = answer.unknown == "epsilon";
  const Question& question = *answer.question;
  answer.guarantee = epsilon ? composition.epsilon_at(question.at) : composition.delta_at(question.at);
  answer.value =
      digits_up(epsilon ? answer.guarantee->epsilon.upper : answer.guarantee->delta.upper, read_digits(given));
}

void solve_parameter(const PlainMechanism& mechanism, const Given& given, Answer& answer) {
  const auto calibrated = accounting::calibrate(answer.list, 0, kind_of(mechanism, answer.unknown), answer.question->at,
                                                loss_number("delta", given.at("delta")), read_digits(given));
  answer.guarantee = calibrated.reached;
  answer.value = digits_up(calibrated.value, 17);  // exact: it has no more digits than were asked for
  Given complete = given;
  if (answer.unknown == "rate") {
    complete["sample"] = "poisson:" + calibrated.value.str();
  } else {
    complete[answer.unknown] = calibrated.value.str();
  }
  answer.list = make_list(mechanism, complete);
}

// Finds the unknown of a budget.
void solve(const PlainMechanism& mechanism, const Given& given, Answer& answer) {
  answer.unknown = the_unknown(mechanism, given);
  answer.list = make_list(mechanism, given);
  const std::string given_end = answer.unknown == "epsilon" ? "delta" : "epsilon";
  answer.question = {answer.unknown == "epsilon" ? Solved::epsilon : Solved::delta,
                     loss_number(given_end, given.at(given_end))};
  with_patience("calibrating", given.contains("json"), [&] {
    const auto start = std::chrono::steady_clock::now();
    if (is_budget(answer.unknown)) {
      solve_budget(given, answer);
    } else {
      solve_parameter(mechanism, given, answer);
    }
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
}

Answer work_out(const PlainMechanism& mechanism, Given given) {
  Answer answer{mechanism.parameter, "", std::nullopt, std::nullopt, std::nullopt, {}, read_accuracy(given)};
  const auto noise = noise_for_error(mechanism.name, mechanism.parameter, given, read_digits(given));
  if (noise) answer.value = given[mechanism.parameter] = *noise;
  if (!noise || given.contains("epsilon") || given.contains("delta")) solve(mechanism, given, answer);
  if (answer.unknown != mechanism.parameter) answer.noise = noise;
  if (answer.accuracy) {
    const std::string& shown = answer.unknown == mechanism.parameter ? answer.value : given.at(mechanism.parameter);
    answer.error = error_of(mechanism.name, loss_number(mechanism.parameter, shown), *answer.accuracy);
  }
  return answer;
}

std::string text_of(const Answer& answer, const PlainMechanism& mechanism, bool explain) {
  Facts facts;
  if (!is_budget(answer.unknown)) facts.push_back({answer.unknown, answer.value});
  if (answer.noise) facts.push_back({mechanism.parameter, *answer.noise});
  if (answer.accuracy) {
    facts.push_back({"error", fmt::format("at most {}, but for a probability of {:.6g}, in {} independent value{}",
                                          digits_up(answer.error, 10), answer.accuracy->failure,
                                          answer.accuracy->coordinates, answer.accuracy->coordinates == 1 ? "" : "s")});
  }
  if (!answer.guarantee) return facts_text(facts);
  return guarantee_text(answer.list, *answer.guarantee, *answer.question, explain, facts);
}

std::string json_of(const Answer& answer, const PlainMechanism& mechanism) {
  show::Json document = {{"mechanism", mechanism.name},
                         {"solved", answer.unknown},
                         {"value", show::Json::parse(answer.value == "infinity" ? "\"infinity\"" : answer.value)}};
  if (answer.noise) document[mechanism.parameter] = show::Json::parse(*answer.noise);
  if (answer.accuracy) {
    document["error"] = show::json_real(answer.error);
    document["beta"] = show::json_real(answer.accuracy->failure);
    document["coordinates"] = answer.accuracy->coordinates;
  }
  if (answer.guarantee) add_guarantee(answer.list, *answer.guarantee, *answer.question, document);
  document["seconds"] = show::json_real(answer.seconds);
  return show::json_pretty(document) + '\n';
}

}  // namespace

void calibrate(const Words& words) {
  const Given given = read_options("calibrate", all_options(), words, "MECHANISM");
  if (given.contains("help")) return write_answer("", help());
  if (!given.contains("MECHANISM")) {
    throw Error{Code::bad_argument, "no mechanism is given", "write `dither calibrate gaussian ...`; --help shows how"};
  }
  const PlainMechanism& mechanism = find_mechanism(given.at("MECHANISM"));
  refuse_other_parameters(mechanism, given);
  const Answer answer = work_out(mechanism, given);
  write_answer(
      "", given.contains("json") ? json_of(answer, mechanism) : text_of(answer, mechanism, given.contains("explain")));
}

}  // namespace dither::cli
