// An answer: for people, for programs, for spreadsheets, and as a drawing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/answer.h"
#include "show/json.h"

namespace dither::cli {

// Of each column, whether an interval or a standard error is known of some value.
std::vector<bool> columns_with_errors(const session::Answer& answer);

// The rows with intervals, rounded as far as the noise leaves digits; then notes. Intervals are rounded outward.
std::string rows_text(const session::Answer& answer);
// What it cost, or that it was stored; and every payer with a bar of what is used and what is left.
std::string price_text(std::span<const session::Answer> answers);

// The members columns, types, rows, intervals, standard_errors, epsilon, delta, rho (as asked; null where not used),
// cost, stored, left, release_id, notes. docs/query.md describes each.
show::Json answer_json(const session::Answer& answer);

// Behind each column with errors stand two more: its name and _low, its name and _high. No two have the same name.
struct FlatAnswer {
  std::vector<std::string> names;
  std::vector<plan::Type> types;
  std::vector<std::vector<Cell>> rows;
};
FlatAnswer flat(const session::Answer& answer);
std::string answer_csv(const session::Answer& answer);

// Bars with intervals, or a line with a band where many numbers are the keys.
// Refuses    an answer without numbers, or of more than kMostBars rows that are no numbers (not-supported).
inline constexpr std::size_t kMostBars = 200;
std::string answer_svg(const session::Answer& answer);

}  // namespace dither::cli
