// dither budget create: a data set, or a budget below one.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/budget_terms.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/releases.h"
#include "ledger/memory_store.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Ledger;

const std::array kDataset = {
    Option{"dataset", "NAME", "makes a data set, and the ledger when there is none"},
    Option{"unit", "NAME", "whom one record stands for: person, household; there is no default"},
    Option{"unit-has-period", "", "the unit includes the period, as \"person and month\" does"},
    Option{"neighbours", "R", "add-remove, replace-one or both; there is no default"},
    Option{"needs-purpose", "", "every charge must lie below a budget that is a purpose"},
    Option{"data-version", "LABEL", "of the data (1)"},
};

const std::array kBelow = {
    Option{"budget", "PATH", "makes a budget below a data set: visits/study, visits/study/anna"},
    Option{"kind", "K", "of it: project, analyst or purpose"},
};

std::string help() {
  return R"(Make a data set with its budget, or a budget below one; and the ledger, and the key that signs it, when they are
not there. Reads no data, spends nothing.
Usage:  dither budget create --ledger FILE --dataset NAME --unit U --neighbours R AMOUNTS --why TEXT ...
        dither budget create --ledger FILE --budget PATH --kind K AMOUNTS --why TEXT ...
A data set:
)" + options_help(kDataset) +
         options_help(source_options()) + "A budget below it:\n" + options_help(kBelow) +
         "Amounts, exact as written; one rule, fixed for good (below a data set: that of the data set):\n" +
         options_help(amount_options()) + "Both:\n" + options_help(terms_options()) + options_help(decision_options()) +
         options_help(ledger_options()) +
         R"(Example:  dither budget create --ledger visits.ledger --dataset visits --unit person --neighbours add-remove \
                 --epsilon 1 --why "agreed by the board on 3 May"
Exit:     0 done   2 mistake in the request   3 refused   4 failed
)";
}

ledger::DatasetTerms read_dataset(const Given& given) {
  ledger::DatasetTerms terms;
  terms.name = given.at("dataset");
  terms.unit.name = required(given, "unit", "person");
  terms.unit_has_period = given.contains("unit-has-period");
  terms.neighbours = read_neighbours(given);
  terms.needs_purpose = given.contains("needs-purpose");
  if (given.contains("data-version")) terms.version = given.at("data-version");
  terms.source = read_source(given);
  terms.budget = read_terms(given, read_rule(given));
  return terms;
}

// In memory first: what is refused is refused before a file is made.
void rehearse(const ledger::DatasetTerms& terms, const ledger::Decision& decision) {
  const auto key = ledger::SigningKey::make();
  auto store = std::make_unique<ledger::MemoryStore>();
  Ledger::begin(*store, key);
  Ledger(std::move(store), key).create_dataset(terms, decision);
}

Ledger open_or_make(const Given& given, bool made) {
  if (!made) return open_to_change(given);
  const auto key = ledger::SigningKey::read_or_make(key_path(given));
  Ledger::create(ledger_path(given), key);
  return Ledger::open(ledger_path(given), key);
}

void refuse_options(const Given& given, std::span<const Option> options, const std::string& why) {
  for (const Option& option : options) {
    if (!given.contains(option.name)) continue;
    throw Error{Code::bad_argument, fmt::format("--{} is given, {}", option.name, why), "leave it out"};
  }
}

std::string text_of(const Given& given, const BudgetView& view, std::uint64_t record, bool made) {
  const ledger::Budget& budget = view.budget;
  Facts facts;
  facts.push_back({"ledger", printable(ledger_path(given)) +
                                 (made ? fmt::format(", made now; its key is {}", printable(key_path(given))) : "")});
  facts.push_back({budget.kind == ledger::BudgetKind::dataset ? "data set" : std::string(budget_kind_name(budget.kind)),
                   printable(budget.path)});
  facts.push_back({"protects", printable(neighbours_in_words(view.dataset))});
  facts.push_back({"limit", fmt::format("{} ({})", limit_text(budget.terms.rule), rule_name(budget.terms.rule))});
  facts.push_back({"record", fmt::format("{}", record)});
  return facts_text(facts);
}

}  // namespace

void budget_create(const Words& words) {
  const auto options = joined(
      {kDataset, kBelow, amount_options(), terms_options(), source_options(), decision_options(), ledger_options()});
  const Given given = read_options("budget create", options, words);
  if (given.contains("help")) return write_answer("", help());
  const bool dataset = given.contains("dataset");
  if (dataset == given.contains("budget")) {
    throw Error{Code::bad_argument, dataset ? "--dataset and --budget are both given" : "nothing is named to create",
                "write --dataset visits, or --budget visits/study for a budget below it"};
  }
  refuse_options(given, dataset ? std::span<const Option>(kBelow) : kDataset,
                 dataset ? "which belongs to budgets below a data set" : "which belongs to data sets");
  if (!dataset) refuse_options(given, source_options(), "which belongs to data sets");
  const ledger::Decision decision = read_decision(given);
  const std::string path = dataset ? given.at("dataset") : given.at("budget");
  const bool made = dataset && !std::filesystem::exists(ledger_path(given));
  std::uint64_t record = 0;
  std::optional<Ledger> ledger;
  if (dataset) {
    const ledger::DatasetTerms terms = read_dataset(given);
    rehearse(terms, decision);
    ledger.emplace(open_or_make(given, made));
    record = ledger->create_dataset(terms, decision);
  } else {
    const auto kind = ledger::budget_kind_from(required(given, "kind", "project"));
    ledger.emplace(open_to_change(given));
    const ledger::Budget root = ledger->budget(ledger::dataset_of(path));
    record = ledger->create_budget(path, kind, read_terms(given, read_limits(given, root.terms.rule)), decision);
  }
  const BudgetView view = view_of(*ledger, path);
  warn(given, warnings_of(view));
  const show::Json json = {
      {"ledger", ledger_path(given)}, {"made", made}, {"record", record}, {"budget", budget_json(view)}};
  answer(given, text_of(given, view, record, made), show::json_pretty(json));
}

}  // namespace dither::cli
