// An answer for people: a table with intervals, and the budgets behind it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/budget_output.h"
#include "cli/cell_output.h"
#include "cli/explanation.h"
#include "ledger/outlook.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using session::Answer;
using session::ValueError;
using show::Align;
using Rows = std::vector<std::vector<std::string>>;

constexpr int kMostDecimals = 12;
constexpr double kLargest = 1e15;  // from here on doubles are shown in their shortest digits

bool has_interval(const ValueError& error) {
  return error.low && error.high && std::isfinite(*error.low) && std::isfinite(*error.high);
}

// So many digits behind the point that two of the narrowest interval's half width are seen.
int decimals_of(const Answer& answer, std::size_t column) {
  if (answer.types[column] != plan::Type::real) return 0;
  int decimals = 0;
  for (const auto& row : answer.errors) {
    const ValueError& error = row[column];
    if (!has_interval(error) || !(*error.high > *error.low)) continue;
    const double half = (*error.high - *error.low) / 2;
    decimals = std::max(decimals, std::min(kMostDecimals, static_cast<int>(std::ceil(1 - std::log10(half)))));
  }
  return decimals;
}

std::string rounded(double value, int decimals, double (*direction)(double)) {
  if (!(std::abs(value) < kLargest)) return fmt::format("{}", value);
  const double factor = std::pow(10.0, decimals);
  const double near = std::nearbyint(value * factor);
  const bool exact = std::abs(value * factor - near) < 1e-9;  // what a double makes of a decimal
  const double result = (exact ? near : direction(value * factor)) / factor;
  return fmt::format("{:.{}f}", result == 0 ? 0.0 : result, decimals);
}

double to_nearest(double value) { return std::nearbyint(value); }
double downward(double value) { return std::floor(value); }
double upward(double value) { return std::ceil(value); }

std::string value_text(plan::Type type, const Cell& cell, bool measured, int decimals) {
  if (std::holds_alternative<std::monostate>(cell)) return "NULL";
  const double* real = std::get_if<double>(&cell);
  if (real == nullptr) return cell_text(type, cell);
  return measured ? rounded(*real, decimals, to_nearest) : fmt::format("{:.10g}", *real);
}

std::string interval_text(const ValueError& error, int decimals) {
  if (!has_interval(error)) return "not available";
  return fmt::format("{} to {}", rounded(*error.low, decimals, downward), rounded(*error.high, decimals, upward));
}

std::string charged_text(const Answer& answer) {
  if (answer.stored && !answer.charged) return "stored answer, nothing charged";
  if (!answer.charged || answer.payers.empty()) return "nothing";
  return fmt::format("{}{} to {}", answer.stored ? "stored answer, " : "",
                     spent_text(answer.payers.back().rule, answer.cost), printable(answer.payers.front().path));
}

std::string asked_text(const session::StatementPrice& price) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : price_facts(price)) parts.push_back(fmt::format("{} {}", name, amount));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string budgets_table(const std::vector<session::BudgetState>& payers) {
  Rows rows;
  for (const session::BudgetState& payer : payers) {
    rows.push_back({payer.path, share_bar(ledger::share_spent(payer.rule, payer.spent)),
                    left_text(payer.rule, payer.spent), limit_text(payer.rule)});
  }
  return show::text_table(
      {{"budget", Align::left}, {"used", Align::left}, {"left", Align::left}, {"limit", Align::left}}, rows);
}

}  // namespace

std::vector<bool> columns_with_errors(const Answer& answer) {
  std::vector<bool> found(answer.names.size());
  for (const auto& row : answer.errors) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].standard_error || row[i].low) found[i] = true;
    }
  }
  return found;
}

bool is_cut(const Answer& answer, std::size_t column) {
  return column < answer.cut_by.size() && !answer.cut_by[column].empty();
}

ShownTable shown_table(const Answer& answer) {
  ShownTable table;
  std::vector<int> decimals;
  const std::vector<bool> measured = columns_with_errors(answer);
  for (std::size_t i = 0; i < answer.names.size(); ++i) {
    const bool number = plan::is_number(answer.types[i]);
    table.titles.push_back({answer.names[i], number ? Align::right : Align::left});
    if (measured[i]) {
      table.titles.push_back({is_cut(answer, i) ? "95% interval, after cuts" : "95% interval", Align::left});
    }
    decimals.push_back(decimals_of(answer, i));
  }
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    std::vector<std::string>& line = table.rows.emplace_back();
    for (std::size_t i = 0; i < answer.names.size(); ++i) {
      line.push_back(value_text(answer.types[i], answer.rows[r][i], measured[i], decimals[i]));
      if (measured[i]) line.push_back(interval_text(answer.errors[r][i], decimals[i]));
    }
  }
  return table;
}

std::string rows_text(const Answer& answer) {
  const ShownTable table = shown_table(answer);
  std::string text = show::text_table(table.titles, table.rows);
  if (table.rows.empty()) text += "(no rows)\n";
  if (!answer.notes.empty()) text += "\n";
  for (const std::string& note : answer.notes) text += fmt::format("note: {}\n", printable(note));
  return text;
}

std::string price_text(std::span<const Answer> answers) {
  Rows rows;
  for (const Answer& answer : answers) {
    rows.push_back({answer.release.empty() ? "none" : answer.release, asked_text(answer.price), charged_text(answer)});
  }
  std::string text =
      show::text_table({{"release", Align::left}, {"price", Align::left}, {"charged", Align::left}}, rows);
  const Answer& last = answers.back();
  return last.payers.empty() ? text : text + "\n" + budgets_table(last.payers);
}

}  // namespace dither::cli
