// dither verify --guesses: one run, many canaries.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "audit/one_run.h"
#include "audit/one_run_tradeoff.h"
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

// The whole curve of Gaussian noise with this mu.
bool curve_refuted(const audit::OneRunGuesses& guesses, const accounting::GaussianDp& claim, double false_alarm) {
  const double mu = accounting::gdp_mu_up(claim.squared_mu);
  return audit::one_run_refutes(guesses, audit::gaussian_least_other(mu), false_alarm);
}

void say_guesses(const audit::OneRunGuesses& guesses, Facts& facts, show::Json& document) {
  facts.push_back({"guesses", fmt::format("{} right of {}, about {} canaries in one run", guesses.right,
                                          guesses.guesses, guesses.canaries)});
  document["right"] = show::json_integer(guesses.right);
  document["guesses"] = show::json_integer(guesses.guesses);
  document["canaries"] = show::json_integer(guesses.canaries);
}

void say_gaussian(const AttackQuestion& question, const audit::OneRunGuesses& guesses, Facts& facts,
                  show::Json& document) {
  document["lower_bound_if_gaussian"] = nullptr;
  if (!(question.delta > 0 && question.delta < 1)) return;
  const double epsilon = audit::epsilon_lower_bound_one_run_if_gaussian(guesses, question.delta, question.false_alarm);
  facts.push_back({"if Gaussian", fmt::format("epsilon is at least {} {}, ONLY IF the noise is known to be Gaussian",
                                              digits_down(epsilon, 5), delta_text(question.delta))});
  document["lower_bound_if_gaussian"] = show::json_real(epsilon);
}

}  // namespace

AttackAnswer verify_guesses(const Given& given) {
  const audit::OneRunGuesses guesses = read_guesses(given);
  const AttackQuestion question = read_attack_question(given);
  const audit::OneRunGuesses all_right{guesses.canaries, guesses.guesses, guesses.guesses};
  const AttackBound bound{audit::epsilon_lower_bound_one_run(guesses, question.delta, question.false_alarm),
                          audit::epsilon_lower_bound_one_run(all_right, question.delta, question.false_alarm)};
  // A claim of mu is judged by its whole curve alone: two tests would have two false alarms.
  const auto* mu = question.claim ? std::get_if<accounting::GaussianDp>(&question.claim->curve()) : nullptr;
  const bool violated = mu != nullptr ? curve_refuted(guesses, *mu, question.false_alarm)
                                      : question.claim && bound.lower > question.claimed;
  Facts facts;
  show::Json document;
  say_verdict(question, violated, facts, document);
  say_guesses(guesses, facts, document);
  say_bound(question, bound, facts, document);
  say_gaussian(question, guesses, facts, document);
  if (question.claim) document["judged_by"] = mu != nullptr ? "curve" : "epsilon";
  if (mu != nullptr) {
    facts.push_back({"judged by",
                     "the whole trade-off curve of the claim, not by the lower bound above; what is not "
                     "refuted is not shown to hold"});
  } else {
    say_both(question, bound, facts, document);
  }
  return attack_answer(given, facts, document, violated);
}

}  // namespace dither::cli
