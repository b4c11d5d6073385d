// The page for an ethics board.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/numbers.h"
#include "cli/statement.h"

namespace dither::cli {

namespace {

using accounting::FilterRule;
using ledger::AttackOdds;
using ledger::time_text;

// Exact where the rule itself names the epsilon.
std::string epsilon_text(const FilterRule& rule, double epsilon) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.epsilon; }) {
          if (epsilon <= own.epsilon.value().to_double_up()) return own.epsilon.str();
        }
        return digits_up(epsilon, 10);
      },
      rule);
}

std::string promise_text(const FilterRule& rule, double epsilon, const Rational& delta) {
  if (std::isinf(epsilon)) {
    return fmt::format("no epsilon at delta {}, which is too small for this rule", digits_up(delta, 10));
  }
  return fmt::format("epsilon {} at delta {}", epsilon_text(rule, epsilon), digits_up(delta, 10));
}

// All Renyi orders, not only the one that says most.
std::string whole_limit(const FilterRule& rule) {
  const bool renyi =
      std::holds_alternative<accounting::RenyiAllRule>(rule) || std::holds_alternative<accounting::RenyiAnyRule>(rule);
  return renyi ? ledger::in_words(ledger::shown_limits(rule)) : limit_text(rule);
}

// Grants raise a limit; the promise is then that of their sum.
std::string grants_text(const Statement& statement) {
  const auto& all = statement.events.decisions;
  const auto grants = std::count_if(all.begin(), all.end(), [&](const ledger::Entry& entry) {
    return entry.kind == "grant" && entry.budget == statement.view.budget.path;
  });
  if (grants == 0) return "";
  return fmt::format(" The limit was raised {}, by decisions that are listed below.",
                     grants == 1 ? "once" : fmt::format("{} times", grants));
}

// A budget below a data set is not all that is spent about its units.
std::string others_text(const Statement& statement) {
  const ledger::Budget& root = statement.view.line.back();
  return fmt::format(
      "This is one budget of the data set \"{0}\". What its other budgets spend about the same {1} comes on top: of "
      "the whole data set {2} is spent, of {3}.",
      root.path, statement.view.dataset.unit.name, spent_text(root.terms.rule, root.spent),
      limit_text(root.terms.rule));
}

Section whom(const Statement& statement) {
  const ledger::Dataset& dataset = statement.view.dataset;
  Section section{"Whom it protects", {}, {}, {}};
  section.paragraphs.push_back(fmt::format(
      "Every single {0} in the data set \"{1}\", version \"{2}\". The promise compares these data with any that differ "
      "by "
      "{3} ({4}): whatever is released looks nearly the same from either, so it tells little about any one {0}.",
      dataset.unit.name, dataset.name, dataset.version().label, neighbours_in_words(dataset),
      neighbours_name(dataset.neighbours)));
  if (dataset.unit_has_period) {
    section.paragraphs.push_back(
        "The unit includes a period: somebody who is in the data in several periods is protected in each of them "
        "separately, not in all of them together.");
  }
  section.paragraphs.emplace_back("Groups are protected less: the loss of a group grows with its size.");
  return section;
}

std::string odds_text(const AttackOdds& odds) {
  std::string text = fmt::format(
      "guesses right with probability at most {} where a coin has 0.5, and with one false alarm in a hundred finds at "
      "most "
      "{} in a hundred of those who are in the data.",
      digits_up(odds.accuracy, 6), digits_up(100 * odds.hits, 4));
  if (odds.posterior) {
    text += fmt::format(" A suspicion of 1 in 100 becomes at most {} in 100.", digits_up(100 * *odds.posterior, 4));
  }
  return text;
}

Section promise(const Statement& statement) {
  const FilterRule& rule = statement.view.budget.terms.rule;
  Section section{"What is promised", {}, {}, {}};
  section.paragraphs.push_back(fmt::format(
      "The budget is {}{} ({} rule: {}). The rule was fixed when the budget was made, and every charge was decided by "
      "it.{} Once all of {} is spent, the promise is {}.",
      whole_limit(rule), statement.accumulation ? " in each period" : "", rule_name(rule), rule_theorem(rule),
      grants_text(statement), statement.accumulation ? "one period" : "it",
      promise_text(rule, statement.odds.epsilon, statement.delta)));
  if (statement.view.line.size() > 1) section.paragraphs.push_back(others_text(statement));
  section.paragraphs.push_back(fmt::format(
      "The best odds of an attacker who knows everything except whether one {} is in the data, both equally "
      "likely, once {} is spent: the attacker {}",
      statement.view.dataset.unit.name, statement.accumulation ? "the budget of one period" : "the whole budget",
      odds_text(statement.odds)));
  if (statement.odds_so_far && statement.view.budget.periods > 1) {
    section.paragraphs.push_back(
        fmt::format("After the {} periods that have begun, with all of each spent, the attacker {}",
                    statement.view.budget.periods, odds_text(*statement.odds_so_far)));
  }
  return section;
}

std::string accumulation_text(const Statement& statement) {
  const ledger::Budget& budget = statement.view.budget;
  if (!statement.accumulation) return "The budget does not renew: its limit holds for good.";
  const Accumulation& all = *statement.accumulation;
  std::string text =
      fmt::format("The budget renews every {}, and each period may spend {} again. This is {}. {} so far",
                  period_name(budget.terms.renews), limit_text(budget.terms.rule), budget.period,
                  budget.periods == 1 ? "One period" : fmt::format("{} periods", budget.periods));
  if (!all.so_far || !all.at_most) return text + "; under this rule the promises of periods do not add up to one.";
  text += fmt::format(": at most {} in the worst case. ", limit_text(*all.so_far));
  return text + (budget.terms.expires
                     ? fmt::format("Until it expires on {}: at most {}.", time_text(*budget.terms.expires),
                                   limit_text(*all.at_most))
                     : fmt::format("It has no end; a year from now it may be {}, and so on without bound.",
                                   limit_text(*all.at_most)));
}

Section amounts(const Statement& statement) {
  Section section{"Spent and left", {}, {"budget", "kind", "limit", "spent", "left", "lifetime", "standing"}, {}};
  section.paragraphs.push_back(accumulation_text(statement));
  for (const ledger::Version& version : statement.view.dataset.versions) {
    if (!version.closed) continue;
    section.paragraphs.push_back(
        fmt::format("On version \"{}\", about units that do not recur, {} was spent in all.", version.label,
                    spent_text(statement.rules.at(statement.view.dataset.name), *version.closed)));
  }
  for (const BudgetView& view : statement.tree) {
    const ledger::Budget& budget = view.budget;
    const FilterRule& rule = budget.terms.rule;
    section.rows.push_back({budget.path, std::string(budget_kind_name(budget.kind)), limit_text(rule),
                            spent_text(rule, budget.spent), left_text(rule, budget.spent),
                            spent_text(rule, budget.lifetime), std::string(standing_name(budget.standing))});
    if (!budget.terms.purpose.empty()) {
      section.paragraphs.push_back(fmt::format("Purpose of {}: {}", budget.path, budget.terms.purpose));
    }
    for (const std::string& warning : warnings_of(view)) section.paragraphs.push_back("Note: " + warning + ".");
  }
  return section;
}

Section listed(const std::string& heading, const std::vector<std::string>& titles, const Rows& rows) {
  if (rows.empty()) return {heading, {"None."}, {}, {}};
  return {heading, {}, titles, rows};
}

Section proof(const Statement& statement) {
  return {
      "How to check this page",
      {fmt::format("Ledger {}, after record {}, whose hash {} vouches for all records before it; the signed head is "
                   "printed by `dither budget head`, and `dither budget verify` checks every record, sum and answer.",
                   statement.ledger_id, statement.head.head.number, statement.head.head.hash.hex())},
      {},
      {}};
}

}  // namespace

Page statement_page(const Statement& statement) {
  const Events& events = statement.events;
  return {fmt::format("Privacy statement: {}, {}", statement.view.budget.path, time_text(statement.view.now)),
          {whom(statement), promise(statement), amounts(statement),
           listed(fmt::format("Releases: {}", events.releases.size()), release_titles(),
                  release_rows(events.releases, statement.rules)),
           listed(fmt::format("Refusals: {}", events.refusals.size()), refusal_titles(), refusal_rows(events.refusals)),
           listed("Decisions, by whom and why", decision_titles(), decision_rows(events.decisions)), proof(statement)}};
}

}  // namespace dither::cli
