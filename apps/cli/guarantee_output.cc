#include "cli/guarantee_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using accounting::Attempt;
using accounting::Certified;
using accounting::Guarantee;
using show::Align;

constexpr int kDigits = 10;
using Rows = std::vector<std::vector<std::string>>;
constexpr std::size_t kNameWidth = 12;

// The upper end, and what is known about how far it lies from the truth.
std::string interval(const Certified& value) {
  const std::string upper = digits_up(value.upper, kDigits);
  if (!value.lower) return fmt::format("{}, certified; no lower bound is known", upper);
  if (*value.lower == value.upper) return fmt::format("{}, exactly", upper);
  return fmt::format("{}, certified; the best possible is at least {}", upper, digits_down(*value.lower, kDigits));
}

// The number that was given, in decimals; beyond 17 digits rounded up.
std::string asked(const Question& question) { return digits_up(question.at, 17); }

std::string unit(const Guarantee& guarantee) {
  return guarantee.group == 1 ? guarantee.unit.name
                              : fmt::format("groups of {}: {}", guarantee.group, guarantee.unit.name);
}

std::string shares(const accounting::EventList& list, const Guarantee& guarantee) {
  Rows rows;
  for (std::size_t i = 0; i < list.events.size(); ++i) {
    rows.push_back({fmt::format("{}", i + 1), fmt::format("{:.1f}%", 100 * guarantee.shares[i]),
                    accounting::canonical_json(list.events[i])});
  }
  return show::text_table({{"event", Align::right}, {"share", Align::right}, {"what", Align::left}}, rows);
}

show::Json number(double value) { return std::isinf(value) ? show::Json("infinity") : show::json_real(value); }

// What was asked, as a number that is not below it in the digits shown.
show::Json asked_number(const Question& question) {
  const double up = question.at.to_double_up();
  if (std::isinf(up)) return number(up);
  const show::Json nearest = show::Json::parse(asked(question));
  return Rational::parse(show::json_line(nearest)) >= question.at ? nearest : number(up);
}

show::Json lower_end(const Certified& value) { return value.lower ? number(*value.lower) : show::Json(); }

}  // namespace

std::string facts_text(const Facts& facts) {
  std::size_t width = kNameWidth;
  for (const auto& [name, fact] : facts) width = std::max(width, name.size() + 2);
  std::string text;
  for (const auto& [name, fact] : facts) text += fmt::format("{:<{}}{}\n", name, width, fact);
  return text;
}

std::string guarantee_text(const accounting::EventList& list, const Guarantee& guarantee, const Question& question,
                           bool explain, Facts facts) {
  const bool epsilon = question.solved == Solved::epsilon;
  facts.push_back({"epsilon", epsilon ? interval(guarantee.epsilon) : asked(question)});
  facts.push_back({"delta", epsilon ? asked(question) : interval(guarantee.delta)});
  facts.push_back({"neighbours", std::string(accounting::neighbours_name(guarantee.neighbours))});
  facts.push_back({"unit", unit(guarantee)});
  facts.push_back({"accountant", std::string(accounting::accountant_name(guarantee.accountant))});
  if (!explain) return facts_text(facts);
  facts.push_back({"theorem", guarantee.theorem});
  for (const std::string& note : guarantee.notes) facts.push_back({"note", note});
  return facts_text(facts) + (list.events.empty() ? "" : "\n" + shares(list, guarantee));
}

void add_guarantee(const accounting::EventList& list, const Guarantee& guarantee, const Question& question,
                   show::Json& document) {
  const bool epsilon = question.solved == Solved::epsilon;
  const show::Json given = asked_number(question);
  document["epsilon"] = epsilon ? number(guarantee.epsilon.upper) : given;
  document["epsilon_lower"] = epsilon ? lower_end(guarantee.epsilon) : given;
  document["delta"] = epsilon ? given : number(guarantee.delta.upper);
  if (!epsilon) document["delta_lower"] = lower_end(guarantee.delta);
  document["neighbours"] = accounting::neighbours_name(guarantee.neighbours);
  document["unit"] = guarantee.unit.name;
  document["group"] = guarantee.group;
  document["accountant"] = accounting::accountant_name(guarantee.accountant);
  document["theorem"] = guarantee.theorem;
  document["events"] = show::Json::array();
  for (std::size_t i = 0; i < list.events.size(); ++i) {
    show::Json event = show::Json::parse(accounting::canonical_json(list.events[i]));
    event["share"] = show::json_real(guarantee.shares[i]);
    document["events"].push_back(event);
  }
  document["notes"] = guarantee.notes;
}

std::string attempts_text(const std::vector<Attempt>& attempts) {
  Rows rows;
  for (const Attempt& attempt : attempts) {
    const std::string name(accounting::accountant_name(attempt.accountant));
    if (!attempt.guarantee) {
      rows.push_back({name, "-", "-", attempt.why_not});
      continue;
    }
    const Certified& epsilon = attempt.guarantee->epsilon;
    rows.push_back({name, digits_up(epsilon.upper, kDigits), epsilon.lower ? digits_down(*epsilon.lower, kDigits) : "-",
                    attempt.guarantee->theorem});
  }
  return show::text_table({{"accountant", Align::left},
                           {"epsilon", Align::right},
                           {"at least", Align::right},
                           {"theorem, or why not", Align::left}},
                          rows);
}

show::Json attempts_json(const std::vector<Attempt>& attempts) {
  show::Json array = show::Json::array();
  for (const Attempt& attempt : attempts) {
    show::Json entry = {{"accountant", accounting::accountant_name(attempt.accountant)}};
    if (attempt.guarantee) {
      entry["epsilon"] = number(attempt.guarantee->epsilon.upper);
      entry["epsilon_lower"] = lower_end(attempt.guarantee->epsilon);
      entry["delta"] = number(attempt.guarantee->delta.upper);
      entry["neighbours"] = accounting::neighbours_name(attempt.guarantee->neighbours);
      entry["theorem"] = attempt.guarantee->theorem;
    } else {
      entry["epsilon"] = nullptr;
      entry["why_not"] = attempt.why_not;
    }
    array.push_back(entry);
  }
  return array;
}

std::string attack_text(const accounting::Attack& attack) {
  Rows rows;
  for (const accounting::AttackPoint& point : attack.region) {
    rows.push_back({digits_down(point.false_positive, 6), digits_up(point.true_positive, 6)});
  }
  return fmt::format(
             "An attacker who knows all but whether one unit is in the data (both equally likely) guesses right with\n"
             "probability at most {}, and has hits minus false alarms of at most {}.\n\n",
             digits_up(attack.accuracy, 6), digits_up(attack.advantage, 6)) +
         show::text_table({{"false alarms", Align::right}, {"hits, at most", Align::right}}, rows);
}

show::Json attack_json(const accounting::Attack& attack) {
  show::Json document = {{"accuracy", show::json_real(attack.accuracy)},
                         {"advantage", show::json_real(attack.advantage)},
                         {"region", show::Json::array()}};
  for (const accounting::AttackPoint& point : attack.region) {
    document["region"].push_back({{"false_positive", show::json_real(point.false_positive)},
                                  {"true_positive", show::json_real(point.true_positive)}});
  }
  return document;
}

}  // namespace dither::cli
