// Budgets, data sets and releases as the JSON of tables and records.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/budget.h"
#include "ledger/release.h"

namespace dither::ledger::detail {

using Json = nlohmann::ordered_json;

// Whether JSON is nested so deeply that reading it part by part could use up the stack. Nothing written here is.
bool is_too_deep(std::string_view text);
// Reads JSON that was written here; ledger-damaged for anything else.
Json parse(std::string_view text);
// Runs what reads members of such JSON: a missing member, or one of another type, is ledger-damaged.
template <class Read>
auto reading(const Read& read);

std::string to_text(const Budget& budget);
Budget budget_from(std::string_view text);
std::string to_text(const Dataset& dataset);
Dataset dataset_from(std::string_view text);
std::string to_text(const Release& release);
Release release_from(std::string_view text);

// Parts that records hold as well.
Json rule_json(const accounting::FilterRule& rule);
accounting::FilterRule rule_from(const Json& json);
Json spent_json(const accounting::Spent& spent);
accounting::Spent spent_from(const Json& json);
void add_terms(Json& json, const BudgetTerms& terms);
BudgetTerms terms_from(const Json& json);
void add_price(Json& json, const Price& price);
Price price_from(const Json& json);
Json owner_json(const Owner& owner);
Owner owner_from(const Json& json);

[[noreturn]] void throw_damaged(std::string_view what);

template <class Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const Json::exception&) {
    throw_damaged("a record or table entry is not what was written");
  }
}

// A member that may be missing.
template <class T>
T value_or(const Json& json, const char* key, T otherwise) {
  const auto found = json.find(key);
  return found == json.end() ? otherwise : found->get<T>();
}

}  // namespace dither::ledger::detail
