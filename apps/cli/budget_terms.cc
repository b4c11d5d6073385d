#include "cli/budget_terms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/ledger_options.h"
#include "cli/releases.h"

namespace dither::cli {

namespace {

using accounting::DeltaAmount;
using accounting::FilterRule;
using accounting::LossAmount;

const std::array kAmounts = {
    Option{"epsilon", "E", "alone: a pure budget; its epsilons add up to at most E"},
    Option{"delta", "D", "for the deltas of releases; with --epsilon: an (epsilon, delta) budget"},
    Option{"slack", "S", "with --epsilon: an advanced budget, whose squares of epsilon add up; promises S more delta"},
    Option{"rho", "R", "a zCDP budget"},
    Option{"mu", "M", "a Gaussian DP budget"},
    Option{"mu-squared", "M", "the same by its square, which is what adds up"},
    Option{"renyi-orders", "A,B",
           "a Renyi budget with --limits at these orders, or the best for --epsilon and --delta"},
    Option{"limits", "X,Y", "one limit for each order"},
};

const std::array kTerms = {
    Option{"renews", "PERIOD", "begins anew each day, month, quarter or year; the lifetime total goes on"},
    Option{"expires", "DAY", "no charge from this day on"},
    Option{"review", "DAY", "after this day it renews only once somebody has reviewed it"},
    Option{"reserve", "PART", "the part that only corrections of wrong releases may draw: 20%"},
    Option{"purpose", "TEXT", "what is released and for what, in words"},
    Option{"allows", "A,B", "the statistics that may be charged (all)"},
};

Rational amount(const std::string& name, const std::string& text) {
  Rational value = loss_number(name, text);
  if (value.sign() >= 0) return value;
  throw Error{Code::out_of_range, fmt::format("--{} is {}, but an amount is not negative", name, echo(text)),
              "give a number above 0"};
}

Rational amount(const std::string& name, const Given& given) {
  return given.contains(name) ? amount(name, given.at(name)) : Rational(0);
}

// On the grid of amounts, rounded down; not to nothing, and not beyond what can be counted.
template <typename Amount>
Amount counted(const std::string& name, const Rational& value, const char* smallest) {
  if (value > Rational(1'000'000'000) * 1'000'000'000) {
    throw Error{Code::out_of_range, fmt::format("--{} is too large to be counted", name), "give a smaller budget"};
  }
  const Amount amount = Amount::down(value);
  if (amount != Amount() || value == 0) return amount;
  throw Error{Code::out_of_range, fmt::format("--{} is below {}, the smallest amount", name, smallest),
              "give a larger one, or leave it out"};
}

LossAmount loss(const std::string& name, const Rational& value) { return counted<LossAmount>(name, value, "1e-18"); }
LossAmount loss(const std::string& name, const Given& given) { return loss(name, amount(name, given)); }

// A mu is squared exactly, so that --mu 0.1 is a mu^2 of 0.01.
LossAmount mu_squared(const Given& given) {
  if (!given.contains("mu")) return loss("mu-squared", given);
  const Rational mu = amount("mu", given);
  return counted<LossAmount>("mu", mu * mu, "1e-9");
}

DeltaAmount delta(const Given& given, const std::string& name = "delta") {
  const Rational value = amount(name, given);
  if (value < 1) return counted<DeltaAmount>(name, value, "1e-36");
  throw Error{Code::bad_probability, fmt::format("--{} is {}, but must be below 1", name, echo(given.at(name))),
              "give a small probability such as 1e-6"};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<Rational> orders(const Given& given) {
  std::vector<Rational> all;
  for (const std::string& text : split(given.at("renyi-orders"))) all.push_back(amount("renyi-orders", text));
  return all;
}

std::vector<LossAmount> limits(const Given& given) {
  std::vector<LossAmount> all;
  for (const std::string& text : split(given.at("limits"))) all.push_back(loss("limits", amount("limits", text)));
  return all;
}

// Of the amounts only these may be given.
void allow(const Given& given, const std::string& what, const std::set<std::string>& names) {
  for (const Option& option : kAmounts) {
    if (!given.contains(option.name) || names.contains(option.name)) continue;
    throw Error{Code::bad_argument, fmt::format("--{} is given, which {} does not count", option.name, what),
                fmt::format("give --{}", fmt::join(names, ", --"))};
  }
}

void require_one(const Given& given, const std::string& what, const std::set<std::string>& names) {
  allow(given, what, names);
  const auto is_given = [&](const std::string& name) { return given.contains(name); };
  if (std::any_of(names.begin(), names.end(), is_given)) return;
  throw Error{Code::bad_argument, fmt::format("no amount is given for {}", what),
              fmt::format("give --{}", fmt::join(names, ", --"))};
}

FilterRule renyi_rule(const Given& given) {
  if (given.contains("limits")) {
    allow(given, "a Renyi budget with limits", {"renyi-orders", "limits", "delta"});
    return accounting::RenyiAllRule{orders(given), limits(given), delta(given)};
  }
  allow(given, "a Renyi budget for an epsilon", {"renyi-orders", "epsilon", "delta"});
  required(given, "epsilon", "1 --delta 1e-6, or --limits");
  required(given, "delta", "1e-6");
  return accounting::renyi_any(orders(given), amount("epsilon", given), amount("delta", given), 0);
}

FilterRule epsilon_rule(const Given& given) {
  if (given.contains("slack")) {
    allow(given, "an advanced budget", {"epsilon", "slack", "delta"});
    return accounting::AdvancedRule{loss("epsilon", given), delta(given, "slack"), delta(given)};
  }
  if (given.contains("delta")) return accounting::BasicRule{loss("epsilon", given), delta(given)};
  return accounting::PureRule{loss("epsilon", given)};
}

LossAmount part_of(LossAmount whole, const Rational& part) { return LossAmount::up(whole.value() * part); }
DeltaAmount part_of(DeltaAmount whole, const Rational& part) { return DeltaAmount::up(whole.value() * part); }

// A part of every limit, rounded up.
FilterRule part_of(FilterRule rule, const Rational& part) {
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.limits; }) {
          for (LossAmount& limit : own.limits) limit = part_of(limit, part);
        } else if constexpr (requires { own.epsilon; }) {
          own.epsilon = part_of(own.epsilon, part);
        } else if constexpr (requires { own.rho; }) {
          own.rho = part_of(own.rho, part);
        } else {
          own.mu_squared = part_of(own.mu_squared, part);
        }
        if constexpr (requires { own.delta; }) own.delta = part_of(own.delta, part);
      },
      rule);
  return rule;
}

FilterRule read_reserve(const std::string& text, const FilterRule& rule) {
  const bool percent = text.ends_with('%');
  const Rational number = amount("reserve", percent ? text.substr(0, text.size() - 1) : text);
  const Rational part = percent ? number / 100 : number;
  if (part > 0 && part < 1) return part_of(rule, part);
  throw Error{Code::bad_argument, fmt::format("--reserve is {}, but must be a part of the budget", echo(text)),
              "write e.g. --reserve 20%"};
}

}  // namespace

std::span<const Option> amount_options() { return kAmounts; }
std::span<const Option> terms_options() { return kTerms; }

FilterRule read_rule(const Given& given) {
  if (given.contains("renyi-orders")) return renyi_rule(given);
  if (given.contains("rho")) {
    allow(given, "a zCDP budget", {"rho", "delta"});
    return accounting::ZcdpRule{loss("rho", given), delta(given)};
  }
  if (given.contains("mu") || given.contains("mu-squared")) {
    allow(given, "a Gaussian DP budget", {given.contains("mu") ? "mu" : "mu-squared"});
    return accounting::GdpRule{mu_squared(given)};
  }
  if (given.contains("epsilon")) {
    allow(given, "an epsilon budget", {"epsilon", "delta", "slack"});
    return epsilon_rule(given);
  }
  throw Error{Code::bad_argument, "no limit is given",
              "write --epsilon E, --epsilon E --delta D, --rho R or --mu M; there is no default"};
}

FilterRule read_limits(const Given& given, const FilterRule& like) {
  const std::string what = fmt::format("a {} budget", rule_name(like));
  if (std::holds_alternative<accounting::PureRule>(like)) {
    require_one(given, what, {"epsilon"});
    return accounting::PureRule{loss("epsilon", given)};
  }
  if (std::holds_alternative<accounting::ZcdpRule>(like)) {
    require_one(given, what, {"rho", "delta"});
    return accounting::ZcdpRule{loss("rho", given), delta(given)};
  }
  if (std::holds_alternative<accounting::GdpRule>(like)) {
    require_one(given, what, {given.contains("mu") ? "mu" : "mu-squared"});
    return accounting::GdpRule{mu_squared(given)};
  }
  if (std::holds_alternative<accounting::BasicRule>(like)) {
    require_one(given, what, {"epsilon", "delta"});
    return accounting::BasicRule{loss("epsilon", given), delta(given)};
  }
  if (const auto* advanced = std::get_if<accounting::AdvancedRule>(&like)) {
    require_one(given, what, {"epsilon", "delta"});
    return accounting::AdvancedRule{loss("epsilon", given), advanced->slack, delta(given)};
  }
  require_one(given, what, {"limits", "delta"});
  FilterRule rule = part_of(like, 0);
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.limits; }) {
          if (given.contains("limits")) own.limits = limits(given);
          own.delta = delta(given);
        }
      },
      rule);
  return rule;
}

ledger::BudgetTerms read_terms(const Given& given, const FilterRule& rule) {
  ledger::BudgetTerms terms;
  terms.rule = rule;
  if (given.contains("reserve")) terms.reserve = read_reserve(given.at("reserve"), rule);
  if (given.contains("renews")) terms.renews = ledger::period_from(given.at("renews"));
  if (given.contains("expires")) terms.expires = read_time(given, "expires");
  if (given.contains("review")) terms.review = read_time(given, "review");
  if (given.contains("purpose")) terms.purpose = given.at("purpose");
  if (given.contains("allows")) terms.allows = split(given.at("allows"));
  return terms;
}

}  // namespace dither::cli
