#include "cli/verify_attack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "accounting/tradeoff.h"
#include "audit/attack_bounds.h"
#include "audit/bayes.h"
#include "audit/gaussian_audit.h"
#include "audit/lower_bound.h"
#include "audit/region.h"
#include "audit/two_sided.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/rational.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr int kDigits = 5;
constexpr Int128 kMostRuns = 1'000'000'000'000;

audit::ErrorCounts read_counts(const Given& given) {
  const std::string example =
      "write false positives / runs without the record, then false negatives / runs with it: "
      "--errors 50/1000 700/1000";
  if (!given.contains("NAME")) {
    throw Error{Code::bad_argument, "--errors needs two counts, one for each kind of error", example};
  }
  const Part positives = read_part("errors", given.at("errors"), kMostRuns, example);
  const Part negatives = read_part("errors", given.at("NAME"), kMostRuns, example);
  return {positives.part, positives.whole, negatives.part, negatives.whole};
}

void say_counts(const audit::ErrorCounts& counts, Facts& facts, show::Json& document) {
  facts.push_back({"errors", fmt::format("{} of {} runs without the record taken for runs with it, {} of {} with it "
                                         "for runs without",
                                         counts.false_positives, counts.negative_runs, counts.false_negatives,
                                         counts.positive_runs)});
  document["false_positives"] = show::json_integer(counts.false_positives);
  document["runs_without"] = show::json_integer(counts.negative_runs);
  document["false_negatives"] = show::json_integer(counts.false_negatives);
  document["runs_with"] = show::json_integer(counts.positive_runs);
}

// What was seen, which is no bound; and with a claim what it allows.
void say_accuracy(const AttackQuestion& question, const audit::ErrorCounts& counts, Facts& facts,
                  show::Json& document) {
  const double false_positive = static_cast<double>(counts.false_positives) / static_cast<double>(counts.negative_runs);
  const double false_negative = static_cast<double>(counts.false_negatives) / static_cast<double>(counts.positive_runs);
  const double accuracy = 1 - (false_positive + false_negative) / 2;
  const double advantage = 1 - false_positive - false_negative;
  facts.push_back(
      {"accuracy", fmt::format("{:.4g}, advantage {:.4g}, as seen; an attack that truly has this accuracy "
                               "needs an epsilon of {}",
                               accuracy, advantage,
                               digits_down(audit::epsilon_of_accuracy_down(accuracy, question.delta), kDigits))});
  document["accuracy"] = show::json_real(accuracy);
  document["advantage"] = show::json_real(advantage);
  if (!question.claim) return;
  const double allowed = question.mu ? accounting::gaussian_attack_accuracy_up(*question.mu)
                                     : accounting::attack_accuracy_up(question.claimed, question.delta);
  const double allowed_advantage = question.mu ? mul_up(2, sub_up(allowed, 0.5))
                                               : accounting::membership_advantage_up(question.claimed, question.delta);
  facts.push_back({"allowed", fmt::format("by the claim: accuracy {} and advantage {} at most",
                                          digits_up(allowed, kDigits), digits_up(allowed_advantage, kDigits))});
  document["allowed_accuracy"] = show::json_real(allowed);
  document["allowed_advantage"] = show::json_real(allowed_advantage);
  if (!question.claim->pure_epsilon()) return;  // the older bound knows no delta
  const double loose = audit::loose_advantage_up(*question.claim->pure_epsilon());
  facts.back().second += fmt::format(" (by the older bound e^epsilon - 1: {})", digits_up(loose, kDigits));
  document["allowed_advantage_loose"] = show::json_real(loose);
}

// The region of error rates that the claim allows, and how far outside the attack is.
void say_region(const AttackQuestion& question, const audit::ErrorRates& rates, Facts& facts, show::Json& document) {
  document["false_positive_rate_at_most"] = show::json_real(rates.false_positive);
  document["false_negative_rate_at_most"] = show::json_real(rates.false_negative);
  if (!question.claim) return;
  const double delta = audit::delta_of_rates_down(rates, question.claimed);
  if (delta > question.delta) {
    facts.push_back(
        {"or delta", fmt::format("at the claimed epsilon delta is at least {}", digits_down(delta, kDigits))});
  }
  document["delta_at_claimed"] = show::json_real(delta);
  document["allowed_region"] = region_json(question);
}

void say_credible(const AttackQuestion& question, const audit::ErrorCounts& counts, Facts& facts,
                  show::Json& document) {
  const double credibility = std::min(1 - question.false_alarm, std::nextafter(1.0, 0.0));
  const audit::CredibleEpsilon credible = audit::credible_epsilon(counts, question.delta, credibility);
  facts.push_back({"credible", fmt::format("what this attack shows is epsilon {:.4g} to {:.4g}, median "
                                           "{:.4g}: a {} CREDIBLE interval (Jeffreys' prior), which refutes nothing",
                                           credible.low, credible.high, credible.median,
                                           audit::confidence_text(question.false_alarm))});
  document["credible"] = {{"low", show::json_real(credible.low)},
                          {"median", show::json_real(credible.median)},
                          {"high", show::json_real(credible.high)}};
}

void say_gaussian(const AttackQuestion& question, const audit::GaussianBound& bound, Facts& facts,
                  show::Json& document) {
  facts.push_back(
      {"mu", fmt::format("at least {}: no smaller claim of mu (Gaussian DP) holds", digits_down(bound.mu, kDigits))});
  facts.push_back({"if Gaussian", fmt::format("epsilon is at least {} {}, ONLY IF the noise is known to be Gaussian",
                                              digits_down(bound.epsilon, kDigits), delta_text(question.delta))});
  document["mu_lower_bound"] = show::json_real(bound.mu);
  document["lower_bound_if_gaussian"] = show::json_real(bound.epsilon);
}

// The claim's own number where it is one, which its nearest double exceeds or misses.
std::string claimed_epsilon_text(const AttackQuestion& question) {
  const auto* one = std::get_if<accounting::ApproximateDp>(&question.claim->curve());
  const bool is_own = one != nullptr && question.claimed == one->epsilon.to_double_up();
  return is_own ? digits_up(one->epsilon, kDigits) : digits_up(question.claimed, kDigits);
}

// The same for mu, of which claims keep the square.
std::string claimed_mu_text(const AttackQuestion& question) {
  const Rational root = Rational::parse(fmt::format("{:.15g}", *question.mu));
  const bool is_own = root * root == std::get<accounting::GaussianDp>(question.claim->curve()).squared_mu;
  return is_own ? digits_up(root, kDigits) : digits_up(*question.mu, kDigits);
}

// What an attack without errors would have refuted, by epsilon or by mu.
double ceiling_of_all(const AttackQuestion& question, const audit::ErrorCounts& counts, const AttackBound& bound) {
  if (!question.mu) return bound.ceiling;
  const audit::ErrorCounts none{0, counts.negative_runs, 0, counts.positive_runs};
  return std::max(bound.ceiling,
                  audit::epsilon_lower_bound_if_gaussian(none, question.delta, question.false_alarm).epsilon);
}

void say_both_of_mu(const AttackQuestion& question, double bound, Facts& facts, show::Json& document) {
  const std::string words = fmt::format(
      "By analysis mu is at most {}. By audit it is at least {}. ALARM: both cannot be true. The analysis, the "
      "code or the audit has a bug.",
      claimed_mu_text(question), digits_down(bound, kDigits));
  facts.push_back({"together", words});
  document["together"] = words;
}

}  // namespace

std::string delta_text(double delta) { return fmt::format("at delta {:.15g}", delta); }

void say_verdict(const AttackQuestion& question, bool violated, Facts& facts, show::Json& document) {
  document["verdict"] = nullptr;
  document["claim"] = nullptr;
  document["promised"] = nullptr;
  if (question.claim) {
    const std::string verdict(audit::verdict_name(violated ? audit::Verdict::violated : audit::Verdict::none_found));
    facts.push_back({"verdict", verdict});
    facts.push_back({"claimed", fmt::format("{}: epsilon is at most {} {}", question.claim->str(),
                                            claimed_epsilon_text(question), delta_text(question.delta))});
    document["verdict"] = verdict;
    document["claim"] = question.claim->str();
    document["promised"] = show::json_real(question.claimed);
  }
  document["delta"] = show::json_real(question.delta);
  document["false_alarm"] = show::json_real(question.false_alarm);
}

void say_bound(const AttackQuestion& question, const AttackBound& bound, Facts& facts, show::Json& document) {
  facts.push_back(
      {"lower bound", fmt::format("epsilon is at least {} {}, with confidence {}", digits_down(bound.lower, kDigits),
                                  delta_text(question.delta), audit::confidence_text(question.false_alarm))});
  facts.push_back(
      {"ceiling", fmt::format("an attack without errors would have shown {}", digits_down(bound.ceiling, kDigits))});
  document["lower_bound"] = show::json_real(bound.lower);
  document["ceiling"] = show::json_real(bound.ceiling);
}

void say_power(const AttackQuestion& question, const std::function<double(double times)>& power,
               const std::string& if_so, Facts& facts, show::Json& document) {
  document["power_1_5"] = nullptr;
  document["power_2"] = nullptr;
  if (!question.claim) return;
  const double at_1_5 = power(1.5);
  const double at_2 = power(2);
  facts.push_back({"power", fmt::format("about {:.0f}% against 1.5 times the claim, {:.0f}% against twice, {}",
                                        100 * at_1_5, 100 * at_2, if_so)});
  document["power_1_5"] = show::json_real(at_1_5);
  document["power_2"] = show::json_real(at_2);
}

void say_power_of_errors(const AttackQuestion& question, const audit::ErrorCounts& seen, const audit::UpperEnds& ends,
                         Facts& facts, show::Json& document) {
  const audit::AttackedClaim claim{question.claimed, question.delta, question.mu};
  say_power(
      question, [&](double times) { return audit::power_of_errors(seen, claim, times, ends); },
      "if the attack got all that such a leak leaves it beside one of its error rates", facts, document);
}

void say_both(const AttackQuestion& question, const AttackBound& bound, Facts& facts, show::Json& document) {
  if (!question.claim) return;
  const std::string words =
      audit::words({question.claimed, bound.lower, bound.ceiling, question.delta, question.false_alarm});
  const std::size_t end = words.find('\n');
  facts.push_back({"together", words.substr(0, end)});
  facts.push_back({"", words.substr(end + 1)});
  document["together"] = words.substr(end + 1);
}

show::Json region_json(const AttackQuestion& question) {
  show::Json corners = show::Json::array();
  for (const audit::AttackPoint& corner : audit::region_corners(question.claimed, question.delta)) {
    corners.push_back({{"false_positive_rate", show::json_real(corner.false_positive_rate)},
                       {"true_positive_rate", show::json_real(corner.true_positive_rate)}});
  }
  return corners;
}

AttackAnswer attack_answer(const Given& given, const Facts& facts, const show::Json& document, bool violated) {
  return {given.contains("json") ? show::json_pretty(document) + '\n' : wrapped_facts(facts), violated};
}

AttackAnswer verify_errors(const Given& given) {
  const audit::ErrorCounts counts = read_counts(given);
  const AttackQuestion question = read_attack_question(given);
  const audit::ErrorRates rates = audit::error_rates_upper(counts, question.false_alarm);
  const AttackBound bound{
      audit::epsilon_lower_bound(counts, question.delta, question.false_alarm),
      audit::ceiling(counts.negative_runs, counts.positive_runs, question.delta, question.false_alarm)};
  const audit::GaussianBound gaussian =
      audit::epsilon_lower_bound_if_gaussian(counts, question.delta, question.false_alarm);
  // Both bounds hold whenever both rates are below their ends: two tests, one false alarm.
  const bool epsilon_violated = question.claim && bound.lower > question.claimed;
  const bool mu_violated = question.mu && gaussian.mu > *question.mu;
  Facts facts;
  show::Json document;
  say_verdict(question, epsilon_violated || mu_violated, facts, document);
  say_counts(counts, facts, document);
  say_bound(question, bound, facts, document);
  say_power_of_errors(question, counts, audit::exact_ends(question.false_alarm), facts, document);
  say_region(question, rates, facts, document);
  say_accuracy(question, counts, facts, document);
  say_credible(question, counts, facts, document);
  say_gaussian(question, gaussian, facts, document);
  if (mu_violated && !epsilon_violated) {
    say_both_of_mu(question, gaussian.mu, facts, document);
  } else {
    say_both(question, {bound.lower, ceiling_of_all(question, counts, bound)}, facts, document);
  }
  return attack_answer(given, facts, document, epsilon_violated || mu_violated);
}

}  // namespace dither::cli
