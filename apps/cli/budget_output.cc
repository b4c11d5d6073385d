#include "cli/budget_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/rational.h"
#include "base/text.h"

namespace dither::cli {

namespace {

using accounting::FilterRule;
using accounting::Spent;
using ledger::Budget;
using ledger::Shown;

// Which of many orders says most: of renyi-all the one that is used up most, of renyi-any least.
std::size_t telling_order(const FilterRule& rule, const Spent& sums) {
  const Shown spent = ledger::shown(rule, sums);
  const Shown limits = ledger::shown_limits(rule);
  std::vector<Rational> shares;
  for (std::size_t i = 0; i + 1 < spent.size(); ++i) {
    const Rational limit = Rational::parse(limits[i].second);
    shares.push_back(limit.sign() > 0 ? Rational::parse(spent[i].second) / limit : Rational(1'000'000));
  }
  const bool any = std::holds_alternative<accounting::RenyiAnyRule>(rule);
  const auto found =
      any ? std::min_element(shares.begin(), shares.end()) : std::max_element(shares.begin(), shares.end());
  return static_cast<std::size_t>(found - shares.begin());
}

std::string short_text(const FilterRule& rule, const Spent& sums, Shown amounts) {
  const bool renyi =
      std::holds_alternative<accounting::RenyiAllRule>(rule) || std::holds_alternative<accounting::RenyiAnyRule>(rule);
  if (renyi) {
    const std::size_t order = telling_order(rule, sums);
    amounts = {amounts[order], amounts.back()};
  }
  if (amounts.size() > 1 && amounts.back() == std::pair<std::string, std::string>("delta", "0")) amounts.pop_back();
  return ledger::in_words(amounts);
}

std::vector<Budget> line_of(ledger::Ledger& ledger, const std::string& path, ledger::Time now) {
  std::vector<Budget> line;
  for (const std::string& above : ledger::lineage(path)) line.push_back(ledger::as_of(ledger.budget(above), now));
  return line;
}

show::Json declared_json(const ledger::BudgetTerms& terms) {
  show::Json json = {{"renews", ledger::period_name(terms.renews)}};
  if (terms.expires) json["expires"] = ledger::time_text(*terms.expires);
  if (terms.review) json["review"] = ledger::time_text(*terms.review);
  if (terms.reserve) json["reserve"] = amounts_json(ledger::shown_limits(*terms.reserve));
  if (!terms.purpose.empty()) json["purpose"] = terms.purpose;
  if (!terms.allows.empty()) json["allows"] = terms.allows;
  return json;
}

}  // namespace

BudgetView view_of(ledger::Ledger& ledger, const std::string& path) {
  const ledger::Time now = ledger.now();
  std::vector<Budget> line = line_of(ledger, path, now);
  Budget budget = line.empty() ? ledger.budget(path) : line.front();
  return {ledger.dataset(ledger::dataset_of(path)), std::move(budget), std::move(line), now};
}

std::vector<BudgetView> views_of(ledger::Ledger& ledger, const std::string& path) {
  std::vector<BudgetView> views;
  for (const Budget& budget : ledger.budgets(path)) views.push_back(view_of(ledger, budget.path));
  return views;
}

show::Json amounts_json(const Shown& amounts) {
  show::Json json = show::Json::object();
  for (const auto& [name, amount] : amounts) json[name] = amount;
  return json;
}

std::string spent_text(const FilterRule& rule, const Spent& sums) {
  return short_text(rule, sums, ledger::shown(rule, sums));
}

std::string left_text(const FilterRule& rule, const Spent& sums) {
  return short_text(rule, sums, ledger::shown_left(rule, sums));
}

std::string limit_text(const FilterRule& rule) {
  return short_text(rule, accounting::nothing_spent(rule), ledger::shown_limits(rule));
}

std::string neighbours_in_words(const ledger::Dataset& dataset) {
  const std::string& unit = dataset.unit.name;
  switch (dataset.neighbours) {
    case accounting::Neighbours::add_remove:
      return fmt::format("one {} more or less", unit);
    case accounting::Neighbours::replace_one:
      return fmt::format("one {} replaced by another", unit);
    default:
      return fmt::format("one {} more or less, or replaced by another", unit);
  }
}

std::string percent(double share) {
  if (!(share <= 9.99)) return "over 999%";
  // A share was rounded up to a double, and so is 100 times it: 6 of 100 must not become 7%.
  constexpr double kRounded = 4 * std::numeric_limits<double>::epsilon();
  return fmt::format("{:.0f}%", std::ceil(100 * share * (1 - kRounded)));
}

std::string share_bar(double share) {
  const auto full = static_cast<std::size_t>(std::clamp(std::floor(10 * share), 0.0, 10.0));
  return fmt::format("[{}{}] {:>4}", std::string(full, '#'), std::string(10 - full, '.'), percent(share));
}

std::vector<std::string> warnings_of(const BudgetView& view) {
  const Budget& budget = view.budget;
  std::vector<std::string> warnings;
  if (const double share = ledger::share_spent(budget.terms.rule, budget.spent); share >= 0.8) {
    warnings.push_back(fmt::format("{} of {} is spent", percent(share), budget.path) +
                       (share > 1 ? ": more than was promised, so what its limit promises does not hold" : ""));
  }
  if (ledger::review_is_overdue(budget, view.now)) {
    warnings.push_back(fmt::format("REVIEW OVERDUE: {} was to be reviewed by {}; it does not renew until it is",
                                   budget.path, ledger::time_text(*budget.terms.review)));
  }
  if (budget.kind == ledger::BudgetKind::dataset && view.dataset.changed_source) {
    warnings.push_back(
        fmt::format("{} was asked about other data, \"{}\", and refused; if its data changed, declare a version",
                    budget.path, *view.dataset.changed_source));
  }
  for (const std::string& phrase : ledger::vague_phrases(budget.terms.purpose)) {
    warnings.push_back(fmt::format("the purpose of {} says \"{}\", which could mean anything", budget.path, phrase));
  }
  return warnings;
}

show::Json budget_json(const BudgetView& view) {
  const Budget& budget = view.budget;
  const FilterRule& rule = budget.terms.rule;
  show::Json json = {{"budget", budget.path},
                     {"kind", ledger::budget_kind_name(budget.kind)},
                     {"unit", view.dataset.unit.name},
                     {"unit_has_period", view.dataset.unit_has_period},
                     {"neighbours", accounting::neighbours_name(view.dataset.neighbours)},
                     {"version", view.dataset.version().label},
                     {"rule", accounting::rule_name(rule)},
                     {"limit", amounts_json(ledger::shown_limits(rule))},
                     {"spent", amounts_json(ledger::shown(rule, budget.spent))},
                     {"left", amounts_json(ledger::shown_left(rule, budget.spent))},
                     {"lifetime", amounts_json(ledger::shown(rule, budget.lifetime))},
                     {"share", show::json_real(ledger::share_spent(rule, budget.spent))},
                     {"charges", budget.charges},
                     {"standing", ledger::standing_name(budget.standing)}};
  if (const auto* advanced = std::get_if<accounting::AdvancedRule>(&rule)) json["slack"] = advanced->slack.str();
  if (!budget.standing_why.empty()) json["standing_why"] = budget.standing_why;
  if (!budget.period.empty()) json["period"] = budget.period;
  json["periods"] = budget.periods;
  json.update(declared_json(budget.terms));
  json["warnings"] = warnings_of(view);
  return json;
}

}  // namespace dither::cli
