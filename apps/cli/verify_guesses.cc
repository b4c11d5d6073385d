// dither verify --guesses: one run, many canaries.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "accounting/tradeoff.h"
#include "audit/attack_power.h"
#include "audit/one_run.h"
#include "audit/one_run_tradeoff.h"
#include "audit/two_sided.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/verify_attack.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr Int128 kMostCanaries = 1'000'000'000;

audit::OneRunGuesses read_guesses(const Given& given) {
  const std::string& text = given.at("guesses");
  const std::string example =
      "write right guesses / guesses, and all canaries, also those that nobody guessed at: "
      "--guesses 750/1000 --canaries 1000";
  if (!given.contains("canaries")) {
    throw Error{Code::bad_argument, "--canaries is missing: how many were in or out by a coin each", example};
  }
  const Part right = read_part("guesses", text, kMostCanaries, example);
  const auto canaries = static_cast<std::int64_t>(whole_number("canaries", given.at("canaries"), 1, kMostCanaries));
  if (right.whole <= canaries) return {canaries, right.whole, right.part};
  throw Error{Code::bad_count, fmt::format("--guesses is {}, but there are {} canaries", echo(text), canaries),
              example};
}

// Scores are normal around mu / 2 for canaries that are in and around -mu / 2 for others; guessed at are those beyond
// `cut` on either side, so many of all: how often such guesses are right. For people.
double rate_of_surest(double mu, const audit::OneRunGuesses& guesses) {
  const auto beyond = [](double x) { return std::erfc(x / std::sqrt(2.0)) / 2; };
  const double wanted = static_cast<double>(guesses.guesses) / static_cast<double>(guesses.canaries);
  double low = 0, high = 40 + mu;
  for (int i = 0; i < 60; ++i) {
    const double cut = (low + high) / 2;
    (beyond(cut - mu / 2) + beyond(cut + mu / 2) > wanted ? low : high) = cut;
  }
  return beyond(low - mu / 2) / (beyond(low - mu / 2) + beyond(low + mu / 2));
}

// A claim of mu says more than its epsilon at one delta: its whole curve is tested too. Two tests share the false alarm.
struct GuessTests {
  const AttackQuestion& question;
  audit::OneRunGuesses guesses;

  double alarm_of_each() const { return question.mu ? question.false_alarm / 2 : question.false_alarm; }
  double bound(std::int64_t right) const {
    return audit::epsilon_lower_bound_one_run(with(right), question.delta, alarm_of_each());
  }
  double bound_if_gaussian(std::int64_t right) const {
    return audit::epsilon_lower_bound_one_run_if_gaussian(with(right), question.delta, alarm_of_each());
  }
  // Whether so many right guesses put the bound above the claim.
  bool epsilon_refuted(std::int64_t right) const {
    const double above = std::nextafter(question.claimed, HUGE_VAL);
    return audit::one_run_p_value_up(with(right), above, question.delta) < alarm_of_each();
  }
  bool curve_refuted(std::int64_t right) const {
    return question.mu &&
           audit::one_run_refutes(with(right), audit::gaussian_least_other(*question.mu), alarm_of_each());
  }
  // How often an attack that is as sharp as a leak so many times the claimed leaves it is right about a canary.
  double rate(double times) const {
    return question.mu ? rate_of_surest(times * *question.mu, guesses)
                       : accounting::attack_accuracy_up(times * question.claimed, 0);
  }
  double power(double times) const {
    return audit::power_of_guesses(guesses.guesses, rate(times),
                                   [&](std::int64_t right) { return epsilon_refuted(right) || curve_refuted(right); });
  }

 private:
  audit::OneRunGuesses with(std::int64_t right) const { return {guesses.canaries, guesses.guesses, right}; }
};

void say_guesses(const audit::OneRunGuesses& guesses, Facts& facts, show::Json& document) {
  facts.push_back({"guesses", fmt::format("{} right of {}, about {} canaries in one run", guesses.right,
                                          guesses.guesses, guesses.canaries)});
  document["right"] = show::json_integer(guesses.right);
  document["guesses"] = show::json_integer(guesses.guesses);
  document["canaries"] = show::json_integer(guesses.canaries);
}

void say_gaussian(const GuessTests& tests, Facts& facts, show::Json& document) {
  const AttackQuestion& question = tests.question;
  document["lower_bound_if_gaussian"] = nullptr;
  if (!(question.delta > 0 && question.delta < 1)) return;
  const double epsilon = tests.bound_if_gaussian(tests.guesses.right);
  facts.push_back({"if Gaussian", fmt::format("epsilon is at least {} {}, ONLY IF the noise is known to be Gaussian",
                                              digits_down(epsilon, 5), delta_text(question.delta))});
  document["lower_bound_if_gaussian"] = show::json_real(epsilon);
}

void say_judge(const GuessTests& tests, Facts& facts, show::Json& document) {
  if (!tests.question.claim) return;
  document["judged_by"] = tests.question.mu ? "epsilon and curve" : "epsilon";
  if (!tests.question.mu) return;
  facts.push_back({"judged by",
                   "the claim's epsilon at this delta and its whole trade-off curve, half of the false "
                   "alarm each; the bounds above are of those halves, and hold together"});
}

// Where the curve is broken and the epsilon is not.
void say_both_of_curve(const AttackQuestion& question, Facts& facts, show::Json& document) {
  const std::string words = fmt::format(
      "By analysis the trade-off curve is that of {}. By audit it is not, with confidence {}. ALARM: both cannot be "
      "true. The analysis, the code or the audit has a bug.",
      question.claim->str(), audit::confidence_text(question.false_alarm));
  facts.push_back({"together", words});
  document["together"] = words;
}

}  // namespace

AttackAnswer verify_guesses(const Given& given) {
  const AttackQuestion question = read_attack_question(given);
  const GuessTests tests{question, read_guesses(given)};
  const audit::OneRunGuesses& guesses = tests.guesses;
  const AttackBound bound{tests.bound(guesses.right), tests.bound(guesses.guesses)};
  const bool epsilon_violated = question.claim && bound.lower > question.claimed;
  const bool curve_violated = tests.curve_refuted(guesses.right);
  Facts facts;
  show::Json document;
  say_verdict(question, epsilon_violated || curve_violated, facts, document);
  say_guesses(guesses, facts, document);
  say_bound(question, bound, facts, document);
  say_power(
      question, [&](double times) { return tests.power(times); },
      "if each guess were right as often as such a leak allows", facts, document);
  say_gaussian(tests, facts, document);
  say_judge(tests, facts, document);
  if (curve_violated && !epsilon_violated) {
    say_both_of_curve(question, facts, document);
  } else {
    const bool has_curve = question.mu && question.delta < 1;
    const double ceiling = has_curve ? tests.bound_if_gaussian(guesses.guesses) : 0;
    say_both(question, {bound.lower, std::max(bound.ceiling, ceiling)}, facts, document);
  }
  return attack_answer(given, facts, document, epsilon_violated || curve_violated);
}

}  // namespace dither::cli
