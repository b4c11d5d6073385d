// What a statement would cost, for people: facts, a tree, tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/explanation.h"
#include "cli/numbers.h"
#include "ledger/outlook.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using show::Align;
using Rows = std::vector<std::vector<std::string>>;

std::string typed_price(const session::StatementPrice& price) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : price_facts(price)) parts.push_back(fmt::format("{} {}", name, amount));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Behind whatever names a price: whom it is for, where that is less than the declared unit.
std::string for_whom(const Explanation& explanation) {
  if (!explanation.plan.weaker) return "";
  return fmt::format(" (for one {}: {})", printable(explanation.plan.unit.name), explanation.weaker());
}

// What costs nothing says so, whatever was typed.
std::string price_text(const Explanation& explanation) {
  if (explanation.plan.events.empty()) return "nothing (typed: " + typed_price(explanation.plan.price) + ")";
  return typed_price(explanation.plan.price) + for_whom(explanation);
}

std::string protects(const Explanation& explanation) {
  ledger::Dataset dataset;
  dataset.unit = explanation.plan.unit;
  dataset.neighbours = explanation.project.neighbours;
  return fmt::format("{} ({}){}", printable(neighbours_in_words(dataset)), neighbours_name(dataset.neighbours),
                     explanation.plan.weaker ? ", " + explanation.weaker() : "");
}

std::string error_text(const std::optional<double>& error) { return error ? digits_up(*error, 4) : "-"; }

// The steps about rows come first, then one for each number.
std::size_t row_steps(const session::PricedPlan& plan) { return plan.chain.size() - plan.exact.measures.size(); }

show::TreeNode numbers_node(const Explanation& explanation) {
  const session::PricedPlan& plan = explanation.plan;
  show::TreeNode node{"numbers, each with noise of its own", {}, {}};
  for (const session::Part& part : plan.parts) {
    const PartWords words = in_words(explanation, part);
    const session::StabilityStep& step = plan.chain[row_steps(plan) + part.measure];
    node.lines.push_back(fmt::format("{}: {}", words.number, step.step));
    node.lines.push_back(fmt::format("- {} (from {})", words.moves, step.why));
    node.lines.push_back(part.noise == session::Noise::none ? "- no noise: it is the same for all neighbours"
                                                            : fmt::format("- {}: {}, {:.1f}% of the price", words.noise,
                                                                          words.price, 100 * words.share));
  }
  if (plan.keys) node.lines.push_back("keys: " + keys_in_words(plan));
  return node;
}

std::string errors_table(const session::PricedPlan& plan) {
  Rows rows;
  for (std::size_t i = 0; i < plan.errors.size(); ++i) {
    const session::PredictedError& error = plan.errors[i];
    const bool cut = i < plan.cut_by.size() && !plan.cut_by[i].empty();
    const std::string between = cut && !error.note.empty() ? "; " : "";
    rows.push_back({error.column, error_text(error.standard_error), error_text(error.within95),
                    (cut ? "after cuts" : "") + between + error.note});
  }
  return show::text_table(
      {{"column", Align::left}, {"standard error", Align::right}, {"95% within", Align::right}, {"note", Align::left}},
      rows);
}

std::string curve_table(const Explanation& explanation) {
  Rows rows;
  for (const PriceAt& point : explanation.curve) {
    rows.push_back({digits_up(point.delta, 6), point.as_typed ? digits_up(*explanation.plan.price.epsilon, 17)
                                                              : digits_up(point.epsilon, kDigits)});
  }
  return show::text_table({{"at delta", Align::left}, {"epsilon" + for_whom(explanation), Align::left}}, rows);
}

std::string budgets_table(const session::Quote& quote) {
  Rows rows;
  for (const session::BudgetState& payer : quote.payers) {
    rows.push_back({payer.path, limit_text(payer.rule), left_text(payer.rule, payer.spent),
                    spent_text(payer.rule, quote.cost), payer.in_ledger ? payer.closed : "not used yet"});
  }
  return show::text_table({{"budget", Align::left},
                           {"limit", Align::left},
                           {"left", Align::left},
                           {"this costs", Align::left},
                           {"note", Align::left}},
                          rows);
}

std::string verdict(const Explanation& explanation) {
  const session::Quote& quote = explanation.quote;
  const std::string whom =
      explanation.plan.weaker ? fmt::format("What it costs is the price{}.\n", for_whom(explanation)) : "";
  if (!quote.fits()) return whom + "IT DOES NOT FIT: the statement would be refused now.\n";
  if (quote.how_many == ledger::kUnlimited) return whom + "It fits: it costs nothing.\n";
  return whom + fmt::format("It fits: {} such {} could be asked now.\n", quote.how_many,
                            quote.how_many == 1 ? "statement" : "statements");
}

}  // namespace

show::TreeNode explanation_tree(const Explanation& explanation) {
  const session::PricedPlan& plan = explanation.plan;
  std::vector<show::TreeNode> standing;  // what nothing stands on yet
  for (std::size_t i = 0; i < row_steps(plan); ++i) {
    const session::StabilityStep& step = plan.chain[i];
    show::TreeNode node{step.step, {fmt::format("distance {} ({}): {}", step.distance, step.metric, step.why)}, {}};
    const auto first = standing.end() - static_cast<std::ptrdiff_t>(step.inputs);
    node.below.assign(first, standing.end());
    standing.erase(first, standing.end());
    standing.push_back(std::move(node));
  }
  show::TreeNode numbers = numbers_node(explanation);
  numbers.below = std::move(standing);
  show::TreeNode answer{fmt::format("answer: {}", fmt::join(plan.names, ", ")), {}, {}};
  answer.lines.push_back("price: " + price_text(explanation));
  answer.below.push_back(std::move(numbers));
  return answer;
}

std::string explanation_text(const Explanation& explanation) {
  const session::PricedPlan& plan = explanation.plan;
  std::string text = facts_text({{"protects", protects(explanation)},
                                 {"price", price_text(explanation)},
                                 {"keys", keys_in_words(plan)},
                                 {"plan", explanation.plan_hash}});
  text += "\n" + show::text_tree(explanation_tree(explanation));
  text += "\n" + errors_table(plan);
  if (!explanation.curve.empty()) text += "\n" + curve_table(explanation);
  text += "\n" + budgets_table(explanation.quote) + verdict(explanation);
  text += "\n";
  for (const std::string& note : explanation.plan.notes) text += fmt::format("note: {}\n", printable(note));
  return text;
}

std::string explanation_svg(const Explanation& explanation) {
  return show::svg_tree("What the statement would cost",
                        fmt::format("From the answer down to the tables. Protects {}. Price: {}.",
                                    protects(explanation), price_text(explanation)),
                        explanation_tree(explanation));
}

}  // namespace dither::cli
