// An answer for programs and spreadsheets.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/answer_output.h"
#include "cli/budget_output.h"
#include "cli/cell_output.h"
#include "cli/numbers.h"
#include "ledger/outlook.h"
#include "show/csv.h"

namespace dither::cli {

namespace {

using session::Answer;
using session::ValueError;
using show::Json;

constexpr int kPriceDigits = 17;

Json real_or_null(const std::optional<double>& value) { return value ? show::json_real(*value) : Json(); }

Json price_or_null(const std::optional<Rational>& price) {
  return price ? Json(digits_up(*price, kPriceDigits)) : Json();
}

Json rows_json(const Answer& answer) {
  Json rows = Json::array();
  for (const auto& cells : answer.rows) {
    Json row = Json::array();
    for (std::size_t i = 0; i < cells.size(); ++i) row.push_back(cell_json(answer.types[i], cells[i]));
    rows.push_back(row);
  }
  return rows;
}

template <class What>
Json errors_json(const Answer& answer, const What& what) {
  Json rows = Json::array();
  for (const auto& errors : answer.errors) {
    Json row = Json::array();
    for (const ValueError& error : errors) row.push_back(what(error));
    rows.push_back(row);
  }
  return rows;
}

Json interval_json(const ValueError& error) {
  if (!error.low || !error.high) return nullptr;
  return Json::array({show::json_real(*error.low), show::json_real(*error.high)});
}

Json left_json(const Answer& answer) {
  Json all = Json::array();
  for (const session::BudgetState& payer : answer.payers) {
    Json left = {{"budget", payer.path}};
    left.update(amounts_json(ledger::shown_left(payer.rule, payer.spent)));
    all.push_back(left);
  }
  return all;
}

Json types_json(const Answer& answer) {
  Json types = Json::array();
  for (const plan::Type type : answer.types) types.push_back(plan::type_name(type));
  return types;
}

std::string small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// The name, or with a number behind it what nobody has yet, whatever its capitals.
std::string free_name(const std::string& name, const std::vector<std::string>& taken) {
  const auto is_taken = [&](const std::string& candidate) {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const std::string& one) { return small_letters(one) == small_letters(candidate); });
  };
  std::string candidate = name;
  for (int number = 2; is_taken(candidate); ++number) candidate = fmt::format("{}_{}", name, number);
  return candidate;
}

Cell real_cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

}  // namespace

Json answer_facts_json(const Answer& answer) {
  Json json = {{"columns", answer.names},
               {"types", types_json(answer)},
               {"cut_by", answer.cut_by},
               {"epsilon", price_or_null(answer.price.epsilon)},
               {"delta", answer.price.delta == 0 ? Json() : price_or_null(answer.price.delta)},
               {"rho", price_or_null(answer.price.rho)}};
  json["cost"] = answer.payers.empty() || answer.release.empty()
                     ? Json()
                     : amounts_json(ledger::shown(answer.payers.back().rule, answer.cost));
  json["stored"] = answer.stored;
  json["charged"] = answer.charged;
  json["left"] = left_json(answer);
  json["release_id"] = answer.release.empty() ? Json() : Json(answer.release);
  json["notes"] = answer.notes;
  return json;
}

Json answer_json(const Answer& answer) {
  Json json = {{"columns", answer.names},
               {"types", types_json(answer)},
               {"rows", rows_json(answer)},
               {"intervals", errors_json(answer, interval_json)},
               {"standard_errors",
                errors_json(answer, [](const ValueError& error) { return real_or_null(error.standard_error); })}};
  json.update(answer_facts_json(answer));
  return json;
}

std::vector<std::string> flat_names(const std::vector<std::string>& names, const std::vector<bool>& measured) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = all.emplace_back(free_name(names[i], all));
    if (!measured[i]) continue;
    all.push_back(free_name(name + "_low", all));
    all.push_back(free_name(name + "_high", all));
  }
  return all;
}

FlatAnswer flat(const Answer& answer) {
  FlatAnswer result;
  const std::vector<bool> measured = columns_with_errors(answer);
  result.names = flat_names(answer.names, measured);
  for (std::size_t i = 0; i < answer.names.size(); ++i) {
    result.types.push_back(answer.types[i]);
    if (measured[i]) result.types.insert(result.types.end(), 2, plan::Type::real);
  }
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    std::vector<Cell>& row = result.rows.emplace_back();
    for (std::size_t i = 0; i < answer.names.size(); ++i) {
      row.push_back(answer.rows[r][i]);
      if (!measured[i]) continue;
      row.push_back(real_cell(answer.errors[r][i].low));
      row.push_back(real_cell(answer.errors[r][i].high));
    }
  }
  return result;
}

std::string answer_csv(const Answer& answer) {
  const FlatAnswer all = flat(answer);
  std::vector<std::vector<std::string>> rows;
  for (const auto& cells : all.rows) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row.push_back(cell_text(all.types[i], cells[i]));
  }
  return show::csv_table(all.names, rows);
}

}  // namespace dither::cli
