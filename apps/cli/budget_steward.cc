// dither budget grant, freeze, thaw, revoke, review, version: what a steward decides about a budget that is there.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/budget_terms.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Decision;
using ledger::Ledger;

const std::array kReview = {Option{"until", "DAY", "when the next review is due"}};

const std::array kVersion = {
    Option{"label", "LABEL", "of the new version"},
    Option{"fresh", "", "budgets begin anew: you state that no unit of an earlier version recurs"},
};

// One decision: its name, what it does, and its own options.
struct Step {
  std::string name;
  std::string help;
  std::string usage;
  std::string example;
  std::vector<Option> options;
  std::uint64_t (*take)(Ledger& ledger, const std::string& path, const Given& given, const Decision& decision);
};

std::string help_of(const Step& step) {
  return fmt::format("{}\nReads no data, spends nothing.\nUsage:  dither budget {} --ledger FILE {} --why TEXT ...\n",
                     step.help, step.name, step.usage) +
         options_help(step.options) + options_help(decision_options()) + options_help(ledger_options()) +
         fmt::format("Example:  dither budget {} --ledger visits.ledger {}\n", step.name, step.example) +
         "Exit:     0 done   2 mistake in the request   3 refused: a copy that waits to be restored   4 failed\n";
}

void take(const Step& step, const Words& words) {
  const auto options = joined({step.options, decision_options(), ledger_options()});
  const Given given = read_options("budget " + step.name, options, words, "BUDGET");
  if (given.contains("help")) return write_answer("", help_of(step));
  const std::string path = operand(given, "BUDGET");
  const Decision decision = read_decision(given);
  Ledger ledger = open_to_change(given);
  const std::uint64_t record = step.take(ledger, path, given, decision);
  const BudgetView view = view_of(ledger, path);
  const ledger::Budget& budget = view.budget;
  const std::string text =
      facts_text({{"budget", printable(path)},
                  {"standing", std::string(standing_name(budget.standing))},
                  {"limit", fmt::format("{} ({})", limit_text(budget.terms.rule), rule_name(budget.terms.rule))},
                  {"left", left_text(budget.terms.rule, budget.spent)},
                  {"version", printable(view.dataset.version().label)},
                  {"record", fmt::format("{}", record)}});
  answer(given, text, show::json_pretty({{"record", record}, {"budget", budget_json(view)}}));
}

}  // namespace

void budget_grant(const Words& words) {
  take({"grant", "Add to the limits of a budget.", "BUDGET AMOUNTS",
        "visits/study --epsilon 0.5 --why \"second wave, decided on 3 May\"", joined({amount_options()}),
        [](Ledger& ledger, const std::string& path, const Given& given, const Decision& decision) {
          return ledger.grant(path, read_limits(given, ledger.budget(path).terms.rule), decision);
        }},
       words);
}

void budget_freeze(const Words& words) {
  take({"freeze",
        "Stop all charges to a budget and those below it, until it is thawed.",
        "BUDGET",
        "visits --why \"under audit\"",
        {},
        [](Ledger& ledger, const std::string& path, const Given&, const Decision& decision) {
          return ledger.freeze(path, decision);
        }},
       words);
}

void budget_thaw(const Words& words) {
  take({"thaw",
        "Let a frozen budget be charged again.",
        "BUDGET",
        "visits --why \"the audit is over\"",
        {},
        [](Ledger& ledger, const std::string& path, const Given&, const Decision& decision) {
          return ledger.thaw(path, decision);
        }},
       words);
}

void budget_revoke(const Words& words) {
  take({"revoke",
        "Take a budget back for good, with those below it. What it was answered is not shown to it again.",
        "BUDGET",
        "visits/study/anna --why \"left the institute\"",
        {},
        [](Ledger& ledger, const std::string& path, const Given&, const Decision& decision) {
          return ledger.revoke(path, decision);
        }},
       words);
}

void budget_review(const Words& words) {
  take({"review",
        "Record that a budget was reviewed, and when the next review is due.",
        "BUDGET --until DAY",
        "visits --until 2027-06-30 --why \"still needed; see minutes\"",
        {kReview.begin(), kReview.end()},
        [](Ledger& ledger, const std::string& path, const Given& given, const Decision& decision) {
          required(given, "until", "2027-06-30");
          return ledger.review(path, read_time(given, "until"), decision);
        }},
       words);
}

void budget_version(const Words& words) {
  take({"version",
        "Declare a new version of the data. Its budgets go on, unless you state that no unit of earlier ones recurs.",
        "DATASET --label LABEL", "visits --label 2027 --source-file visits.csv --why \"new year\"",
        joined({kVersion, source_options()}),
        [](Ledger& ledger, const std::string& path, const Given& given, const Decision& decision) {
          const std::string label = required(given, "label", "2027");
          return ledger.declare_version(path, label, read_source(given), given.contains("fresh"), decision);
        }},
       words);
}

}  // namespace dither::cli
