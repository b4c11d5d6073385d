// dither budget show: what is spent and what is left.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/numbers.h"
#include "cli/outlook_output.h"
#include "cli/output.h"
#include "cli/releases.h"
#include "cli/statement_price.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Ledger;
using show::Align;

const std::array kOptions = {
    Option{"delta", "D",
           "also the largest epsilon of a Gaussian statement at this delta, and the odometer with this slack"},
    Option{"estimate", "",
           "also what all releases would cost if fixed in advance, by every accountant (needs --delta)"},
};

std::string help() {
  return R"(Show what is spent and left of every budget, in its own unit. Reads no data, spends nothing.
Usage:  dither budget [show] --ledger FILE [BUDGET] [--delta D] [--estimate] [--json]
        dither budget show --ledger FILE BUDGET --MECHANISM NUMBER ...    also what one more statement costs
)" + options_help(kOptions) +
         options_help(ledger_options()) + "One more statement, every number exact as written:\n" +
         options_help(price_options()) +
         R"(Example:  dither budget --ledger visits.ledger
          dither budget show --ledger visits.ledger visits/study --laplace 10
Exit:     0 done   2 mistake in the request   3 refused: a copy, or a ledger that was rolled back   4 failed
)";
}

// How deep in the tree, then its own name.
std::string indented(const std::string& path) {
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  return std::string(2 * depth, ' ') + (depth == 0 ? path : path.substr(path.rfind('/') + 1));
}

std::string tree_text(const std::vector<BudgetView>& views) {
  std::vector<std::vector<std::string>> rows;
  for (const BudgetView& view : views) {
    const ledger::Budget& budget = view.budget;
    const auto& rule = budget.terms.rule;
    std::string standing(standing_name(budget.standing));
    if (budget.terms.expires && view.now >= *budget.terms.expires) standing += ", expired";
    rows.push_back({indented(budget.path), std::string(budget_kind_name(budget.kind)), limit_text(rule),
                    spent_text(rule, budget.spent), left_text(rule, budget.spent), spent_text(rule, budget.lifetime),
                    share_bar(ledger::share_spent(rule, budget.spent)), standing});
  }
  return show::text_table({{"budget", Align::left},
                           {"kind", Align::left},
                           {"limit", Align::left},
                           {"spent", Align::left},
                           {"left", Align::left},
                           {"lifetime", Align::left},
                           {"used", Align::left},
                           {"standing", Align::left}},
                          rows);
}

std::string renewal(const ledger::Budget& budget) {
  if (budget.terms.renews == ledger::Period::none) return "never; limits hold for good";
  return fmt::format("every {}; this is {}, number {} since the version began", period_name(budget.terms.renews),
                     budget.period, budget.periods);
}

std::string dataset_text(const BudgetView& view) {
  const auto& rule = view.budget.terms.rule;
  return facts_text({{"data set", fmt::format("{}, version {}", printable(view.dataset.name),
                                              printable(view.dataset.version().label))},
                     {"protects", fmt::format("{}: {} ({})", printable(view.dataset.unit.name),
                                              printable(neighbours_in_words(view.dataset)),
                                              neighbours_name(view.dataset.neighbours))},
                     {"rule", fmt::format("{}: {}", rule_name(rule), rule_theorem(rule))},
                     {"renews", renewal(view.budget)}});
}

std::string text_of(const std::vector<BudgetView>& views, const std::vector<Outlook>& outlooks) {
  if (views.empty()) return "no budgets yet; `dither budget create` makes one\n";
  std::string text;
  for (std::size_t first = 0; first < views.size();) {
    std::size_t last = first + 1;
    while (last < views.size() && views[last].dataset.name == views[first].dataset.name) ++last;
    text += (first == 0 ? "" : "\n") + dataset_text(views[first]) + "\n";
    text += tree_text(
        {views.begin() + static_cast<std::ptrdiff_t>(first), views.begin() + static_cast<std::ptrdiff_t>(last)});
    first = last;
  }
  return text + "\n" + outlooks_text(views, outlooks);
}

}  // namespace

void budget_show(const Words& words) {
  const auto options = joined({kOptions, ledger_options(), price_options()});
  const Given given = read_options("budget show", options, words, "BUDGET");
  if (given.contains("help")) return write_answer("", help());
  Ledger ledger = open_to_read(given);
  const std::vector<BudgetView> views = views_of(ledger, given.contains("BUDGET") ? given.at("BUDGET") : "");
  const OutlookQuestion question = read_outlook(given);
  std::vector<Outlook> outlooks;
  for (const BudgetView& view : views) outlooks.push_back(outlook_of(ledger, view, question, given));
  const auto refused = [](const Outlook& outlook) { return outlook.no_price.has_value(); };
  if (!outlooks.empty() && std::all_of(outlooks.begin(), outlooks.end(), refused)) throw *outlooks.front().no_price;
  show::Json json = {{"ledger", ledger_path(given)}, {"id", ledger.id()}, {"records", ledger.head().head.number}};
  json["copy"] = ledger.is_copy();
  json["budgets"] = show::Json::array();
  for (std::size_t i = 0; i < views.size(); ++i) {
    show::Json budget = budget_json(views[i]);
    budget.update(outlook_json(views[i], outlooks[i]));
    json["budgets"].push_back(budget);
  }
  if (ledger.is_copy()) warn(given, {"this is a copy: nothing can be spent from it until `dither budget restore`"});
  for (const BudgetView& view : views) warn(given, warnings_of(view));
  answer(given, text_of(views, outlooks), show::json_pretty(json));
}

}  // namespace dither::cli
