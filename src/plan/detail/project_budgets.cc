#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

using accounting::DeltaAmount;
using accounting::FilterRule;
using accounting::LossAmount;
using config::Entry;
using config::Fields;

enum class Kind { pure, basic, advanced, zcdp, gdp };  // in the order of kRules
const std::vector<std::string> kRules = {"pure", "basic", "advanced", "zcdp", "gdp"};

// What counts towards a limit under each rule.
const std::vector<std::vector<std::string>> kAmounts = {
    {"epsilon"}, {"epsilon", "delta"}, {"epsilon", "delta", "slack"}, {"rho", "delta"}, {"mu"}};

const std::vector<std::string>& amounts_of(Kind kind) { return kAmounts[static_cast<std::size_t>(kind)]; }
const std::string& rule_word(Kind kind) { return kRules[static_cast<std::size_t>(kind)]; }

// One budget as it stands in the file, its amounts not yet understood.
struct Draft {
  const Entry* entry;
  std::map<std::string, const Value*> amounts;
  const Value* rule = nullptr;
  const Value* parent = nullptr;
  std::string above;  // the parent's name

  const Value* amount(const std::string& name) const {
    const auto at = amounts.find(name);
    return at == amounts.end() ? nullptr : at->second;
  }
};

Draft read_draft(const Entry& entry) {
  require_name(entry.value.where(entry.position), "a budget", entry.key);
  Draft draft;
  draft.entry = &entry;
  Fields fields(entry.value, fmt::format("the budget \"{}\"", echo(entry.key)));
  fields.expect(keys_of("budget"));
  draft.parent = fields.optional("parent");
  if (draft.parent != nullptr) draft.above = draft.parent->text("\"parent\"");
  draft.rule = fields.optional("rule");
  for (const char* name : {"epsilon", "delta", "slack", "rho", "mu"}) {
    if (const Value* value = fields.optional(name)) draft.amounts.emplace(name, value);
  }
  fields.finish();
  return draft;
}

// The measure that the data set's own budget counts in.
Kind kind_of(const Draft& draft) {
  if (draft.rule != nullptr) return static_cast<Kind>(one_of(*draft.rule, "rule", kRules, Code::unknown_measure));
  if (draft.amount("rho") != nullptr) return Kind::zcdp;
  if (draft.amount("mu") != nullptr) return Kind::gdp;
  const Value* delta = draft.amount("delta");
  return delta == nullptr || delta->number("\"delta\"") == 0 ? Kind::pure : Kind::basic;
}

LossAmount loss(const Draft& draft, const std::string& name, bool square = false) {
  const Value* value = draft.amount(name);
  if (value == nullptr) {
    throw error_at(*draft.entry, Code::missing_key,
                   fmt::format("the budget \"{}\" needs \"{}\"", echo(draft.entry->key), name),
                   fmt::format("add `{}:` and its limit; there is no default", name));
  }
  const Rational number = value->number(fmt::format("\"{}\"", name));
  const Rational counted = square ? number * number : number;
  if (number > 0 && counted <= Rational(100'000'000'000'000'000) && LossAmount::down(counted) != LossAmount()) {
    return LossAmount::down(counted);
  }
  throw error_at(*value, Code::out_of_range,
                 fmt::format("\"{}\" is {}, but a limit lies between 1e-18 and 1e17", name, echo(value->written())),
                 fmt::format("write a limit such as `{}: 1`", name));
}

DeltaAmount delta(const Draft& draft, const std::string& name) {
  const Value* value = draft.amount(name);
  if (value == nullptr) return {};
  const Rational number = value->number(fmt::format("\"{}\"", name));
  if (number.sign() < 0 || number >= 1) {
    throw error_at(*value, Code::bad_probability,
                   fmt::format("\"{}\" is {}, but must be from 0 to below 1", name, echo(value->written())),
                   fmt::format("write a small probability such as `{}: 1e-8`", name));
  }
  if (number == 0 || DeltaAmount::down(number) != DeltaAmount()) return DeltaAmount::down(number);
  throw error_at(*value, Code::out_of_range,
                 fmt::format("\"{}\" is {}, below 1e-36, the smallest amount", name, echo(value->written())),
                 "write 0 or a larger one");
}

void refuse_strangers(const Draft& draft, Kind kind) {
  const std::vector<std::string>& counted = amounts_of(kind);
  for (const auto& [name, value] : draft.amounts) {
    if (std::find(counted.begin(), counted.end(), name) != counted.end()) continue;
    if (name == "delta" && kind == Kind::pure && value->number("\"delta\"") == 0) continue;
    throw error_at(*value, Code::no_theorem,
                   fmt::format("the budget \"{}\" follows the rule {}, which does not count {}", echo(draft.entry->key),
                               rule_word(kind), name),
                   fmt::format("{} counts {}", rule_word(kind), fmt::join(counted, " and ")));
  }
}

DeltaAmount slack_of(const Draft& draft, const FilterRule* parent) {
  if (draft.amount("slack") != nullptr) return delta(draft, "slack");
  if (parent != nullptr) return std::get<accounting::AdvancedRule>(*parent).slack;
  throw error_at(*draft.entry, Code::missing_key,
                 fmt::format("the budget \"{}\" follows the rule advanced and needs \"slack\"", echo(draft.entry->key)),
                 "add the probability that the rule may spend on its own proof: `slack: 1e-9`");
}

FilterRule make_rule(const Draft& draft, Kind kind, const FilterRule* parent) {
  switch (kind) {
    case Kind::pure:
      return accounting::PureRule{loss(draft, "epsilon")};
    case Kind::basic:
      return accounting::BasicRule{loss(draft, "epsilon"), delta(draft, "delta")};
    case Kind::advanced:
      return accounting::AdvancedRule{loss(draft, "epsilon"), slack_of(draft, parent), delta(draft, "delta")};
    case Kind::zcdp:
      return accounting::ZcdpRule{loss(draft, "rho"), delta(draft, "delta")};
    case Kind::gdp:
      return accounting::GdpRule{loss(draft, "mu", true)};
  }
  std::abort();
}

FilterRule read_rule(const Draft& draft, Kind kind, const FilterRule* parent) {
  if (draft.rule != nullptr && kind_of(draft) != kind) {
    throw error_at(*draft.rule, Code::no_theorem,
                   fmt::format("the budget \"{}\" follows another rule than the one above it, {}",
                               echo(draft.entry->key), rule_word(kind)),
                   "leave `rule:` out: all budgets of a project count in one measure");
  }
  refuse_strangers(draft, kind);
  FilterRule rule = make_rule(draft, kind, parent);
  try {
    accounting::require_valid(rule);
  } catch (const Error& error) {
    throw error_at(*draft.entry, error.code(), error.what(), error.hint());
  }
  return rule;
}

const Draft& only_top(const Value& value, const std::vector<Draft>& drafts) {
  const Draft* top = nullptr;
  for (const Draft& draft : drafts) {
    if (draft.parent != nullptr) continue;
    if (top != nullptr) {
      throw error_at(*draft.entry, Code::bad_count,
                     fmt::format("\"{}\" and \"{}\" both have no parent, but a project is one data set with one budget",
                                 echo(top->entry->key), echo(draft.entry->key)),
                     fmt::format("write `parent: {}`, or make two projects", echo(top->entry->key)));
    }
    top = &draft;
  }
  if (top != nullptr) return *top;
  throw error_at(value, Code::cyclic_keys, "every budget has a parent, so they lie below each other in a circle",
                 "leave `parent:` out of the data set's own budget");
}

void require_parents(const std::vector<Draft>& drafts) {
  std::vector<std::string> names;
  for (const Draft& draft : drafts) names.push_back(draft.entry->key);
  for (const Draft& draft : drafts) {
    if (draft.parent == nullptr || std::find(names.begin(), names.end(), draft.above) != names.end()) continue;
    const std::optional<std::string> near = near_enough(draft.above, names);
    throw error_at(*draft.parent, Code::unknown_budget, fmt::format("there is no budget \"{}\"", echo(draft.above)),
                   near ? fmt::format("did you mean \"{}\"?", *near) : "name a budget of this file, or declare it");
  }
}

}  // namespace

std::vector<BudgetDeclaration> read_budgets(const Value& value) {
  const std::vector<Entry>& entries = value.map("\"budgets\"");
  if (entries.empty()) {
    throw error_at(value, Code::bad_count, "there are no budgets", "declare what may be spent: `main: {epsilon: 1}`");
  }
  if (entries.size() > kMostBudgets) {
    throw error_at(entries[kMostBudgets], Code::bad_count,
                   fmt::format("from here on there are more than {} budgets", kMostBudgets),
                   "let several analysts share one, or create the rest in the ledger: `dither budget create`");
  }
  require_different(entries, "the budgets");
  std::vector<Draft> drafts;
  for (const Entry& entry : entries) drafts.push_back(read_draft(entry));
  require_parents(drafts);
  const Draft& top = only_top(value, drafts);
  const Kind kind = kind_of(top);
  std::vector<BudgetDeclaration> budgets = {{top.entry->key, "", read_rule(top, kind, nullptr)}};
  for (std::size_t i = 0; i < budgets.size(); ++i) {  // grows while it runs: those below each budget in turn
    for (const Draft& draft : drafts) {
      if (draft.parent == nullptr || draft.above != budgets[i].name) continue;
      const FilterRule above = budgets[i].rule;
      budgets.push_back({draft.entry->key, draft.above, read_rule(draft, kind, &above)});
    }
  }
  if (budgets.size() == drafts.size()) return budgets;
  for (const Draft& draft : drafts) {
    const auto is_it = [&](const BudgetDeclaration& budget) { return budget.name == draft.entry->key; };
    if (std::any_of(budgets.begin(), budgets.end(), is_it)) continue;
    throw error_at(*draft.parent, Code::cyclic_keys,
                   fmt::format("the budget \"{}\" lies below itself, or below one that does", echo(draft.entry->key)),
                   fmt::format("write `parent: {}`", echo(top.entry->key)));
  }
  std::abort();
}

}  // namespace dither::plan::detail
