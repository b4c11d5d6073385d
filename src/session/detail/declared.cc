#include "session/detail/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "ledger/outlook.h"

namespace dither::session::detail {

using ledger::Budget;
using ledger::BudgetKind;
using ledger::Dataset;

namespace {

BudgetKind kind_of(const plan::Project& project, const plan::BudgetDeclaration& declared) {
  if (declared.parent.empty()) return BudgetKind::dataset;
  const auto below = [&](const plan::BudgetDeclaration& other) { return other.parent == declared.name; };
  return std::any_of(project.budgets.begin(), project.budgets.end(), below) ? BudgetKind::project : BudgetKind::analyst;
}

Budget declared_budget(const plan::Project& project, const plan::BudgetDeclaration& declared) {
  Budget budget;
  budget.path = project.budget_path(declared.name);
  budget.kind = kind_of(project, declared);
  budget.terms.rule = declared.rule;
  budget.spent = budget.corrected = budget.lifetime = accounting::nothing_spent(declared.rule);
  return budget;
}

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error{Code::budget_differs, message, hint};
}

// What must be said in the same words on both sides.
void require_same(const Dataset& dataset, std::string_view what, std::string_view file, std::string_view held) {
  if (file == held) return;
  refuse(fmt::format("the ledger keeps \"{}\" for the {} \"{}\", but the project file says \"{}\"", echo(dataset.name),
                     what, echo(held), echo(file)),
         "put the project file right, or name another ledger in it: a guarantee cannot change whom it protects");
}

ledger::DatasetTerms dataset_terms(const plan::Project& project, const Budget& top, const std::string& source) {
  ledger::DatasetTerms terms;
  terms.name = top.path;
  terms.unit = project.unit;
  terms.neighbours = project.neighbours;
  terms.version = project.data_version;
  terms.source = source;
  terms.budget = top.terms;
  return terms;
}

bool has(const std::vector<Budget>& budgets, const std::string& path) {
  return std::any_of(budgets.begin(), budgets.end(), [&](const Budget& one) { return one.path == path; });
}

// The limits of a rule by the options that grant them, in the order of the options.
using Limits = std::vector<std::pair<std::string, Rational>>;
Limits limits_of(const accounting::FilterRule& rule) {
  Limits limits;
  std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.epsilon; }) limits.emplace_back("epsilon", own.epsilon.value());
        if constexpr (requires { own.rho; }) limits.emplace_back("rho", own.rho.value());
        if constexpr (requires { own.mu_squared; }) limits.emplace_back("mu-squared", own.mu_squared.value());
        if constexpr (requires { own.delta; }) limits.emplace_back("delta", own.delta.value());
      },
      rule);
  return limits;
}

// Differences of amounts are amounts: exact.
std::string decimal(const std::string& name, const Rational& amount) {
  return name == "delta" ? accounting::DeltaAmount::down(amount).str() : accounting::LossAmount::down(amount).str();
}

accounting::DeltaAmount slack_of(const accounting::FilterRule& rule) {
  const auto* advanced = std::get_if<accounting::AdvancedRule>(&rule);
  return advanced == nullptr ? accounting::DeltaAmount() : advanced->slack;
}

std::string in_words(const accounting::FilterRule& rule) {
  const bool advanced = std::holds_alternative<accounting::AdvancedRule>(rule);
  return ledger::in_words(ledger::shown_limits(rule)) + (advanced ? ", slack " + slack_of(rule).str() : "");
}

// As a shell reads one word.
std::string word(const std::string& text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/._-", c); };
  if (!text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// A command that gives what the file says beyond the ledger, and what else must change in the file.
std::string way_to_agree(const plan::Project& project, const Budget& declared, const Budget& held) {
  const Limits file = limits_of(declared.terms.rule), kept = limits_of(held.terms.rule);
  std::string more;
  bool less = slack_of(declared.terms.rule) != slack_of(held.terms.rule);  // what no grant can change
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Rational difference = file[i].second - kept[i].second;
    if (difference.sign() > 0) more += fmt::format(" --{} {}", file[i].first, decimal(file[i].first, difference));
    less = less || difference.sign() < 0;
  }
  const std::string back =
      fmt::format("write into the project file what the ledger has: {}", in_words(held.terms.rule));
  if (more.empty()) return back + "; limits grow by grants, and do not shrink";
  const std::string grant =
      fmt::format("to give what is missing: `dither budget grant --ledger {} {}{} --why \"as the project file says\"`",
                  word(project.ledger), word(held.path), more);
  return less ? grant + "; for the rest, " + back : grant + "; otherwise " + back;
}

std::string way_to_declare(const plan::Project& project, const Dataset& dataset, std::string_view why) {
  return fmt::format(
      "`dither budget version --ledger {} {} --label NEW --why \"{}\"`, and the same data_version where the tables are "
      "declared",
      word(project.ledger), word(dataset.name), why);
}

}  // namespace

std::vector<Budget> declared_budgets(const plan::Project& project) {
  std::vector<Budget> all;
  for (const plan::BudgetDeclaration& declared : project.budgets) all.push_back(declared_budget(project, declared));
  return all;
}

void require_same_dataset(const plan::Project& project, const std::vector<Dataset>& datasets) {
  if (datasets.empty()) return;
  const std::string& name = project.budgets.front().name;
  const auto found =
      std::find_if(datasets.begin(), datasets.end(), [&](const Dataset& dataset) { return dataset.name == name; });
  if (found == datasets.end()) {
    refuse(
        fmt::format("the ledger has no data set \"{}\", as the first budget of the project file names it, but \"{}\"",
                    echo(name), echo(datasets.front().name)),
        "give the budget its old name back: under a new one everything could be spent once more; for other data name "
        "another ledger, or `dither budget create --dataset` in this one");
  }
  require_same(*found, "unit", project.unit.name, found->unit.name);
  require_same(*found, "relation", accounting::neighbours_name(project.neighbours),
               accounting::neighbours_name(found->neighbours));
  if (project.data_version == found->version().label) return;
  refuse(fmt::format("the ledger has \"{}\" at version \"{}\", but the project file says data_version \"{}\"",
                     echo(name), echo(found->version().label), echo(project.data_version)),
         fmt::format("declare it: `dither budget version --ledger {} {} --label {} --why \"as the project file says\"`",
                     word(project.ledger), word(name), word(project.data_version)));
}

Error other_content(const plan::Project& project, const Dataset& dataset) {
  return {Code::bad_source,
          fmt::format("the tables in memory are not those that data_version \"{}\" was first used with: other rows, "
                      "columns or tables; nothing was charged",
                      echo(dataset.version().label)),
          "give the tables as they were, with all their columns, or give the new content a data_version of its own: " +
              way_to_declare(project, dataset, "new content")};
}

Error content_of_earlier_build(const plan::Project& project, const Dataset& dataset) {
  return {Code::bad_source,
          fmt::format("an earlier build noted what the tables in memory of data_version \"{}\" hold, in a form that "
                      "cannot be compared with these; nothing was charged",
                      echo(dataset.version().label)),
          "its steward declares a version once, which continues the budget: " +
              way_to_declare(project, dataset, "noted by an earlier build")};
}

void require_same_limits(const plan::Project& project, const Budget& declared, const Budget& held) {
  const accounting::FilterRule& file = declared.terms.rule;
  const accounting::FilterRule& kept = held.terms.rule;
  if (file == kept) return;
  if (!accounting::same_measure(file, kept)) {
    refuse(fmt::format("the ledger keeps the budget \"{}\" by the rule {}, but the project file declares {}",
                       echo(held.path), accounting::rule_name(kept), accounting::rule_name(file)),
           "put the project file right: a rule is fixed for good");
  }
  refuse(fmt::format("the budget \"{}\" has {} in the ledger, grants included, but {} in the project file",
                     echo(held.path), in_words(kept), in_words(file)),
         way_to_agree(project, declared, held));
}

void create_missing(ledger::Ledger& ledger, const plan::Project& project, const std::string& source,
                    const ledger::Decision& decision) {
  for (const Budget& budget : declared_budgets(project)) {
    if (has(ledger.budgets(), budget.path)) continue;
    try {
      if (budget.kind == BudgetKind::dataset) {
        ledger.create_dataset(dataset_terms(project, budget, source), decision);
      } else {
        ledger.create_budget(budget.path, budget.kind, budget.terms, decision);
      }
    } catch (const Error& error) {
      // Another process made it since we looked. Whether it is the same is for the caller, who reads it again.
      if (error.code() != Code::duplicate_key) throw;
    }
  }
}

}  // namespace dither::session::detail
