// An answer: for people, for programs, for spreadsheets, and as a drawing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/answer.h"
#include "show/json.h"
#include "show/table.h"

namespace dither::cli {

// Of each column, whether an interval or a standard error is known of some value.
std::vector<bool> columns_with_errors(const session::Answer& answer);

// Whether bounds may keep data out of a column: its intervals are then for what they leave.
bool is_cut(const session::Answer& answer, std::size_t column);

// The rows with intervals, rounded as far as the noise leaves digits. Intervals are rounded outward.
struct ShownTable {
  std::vector<show::Column> titles;  // a column with errors has its interval behind it
  std::vector<std::vector<std::string>> rows;
};
ShownTable shown_table(const session::Answer& answer);
// That table; then notes.
std::string rows_text(const session::Answer& answer);
// What it cost, or that it was stored; and every payer with a bar of what is used and what is left.
std::string price_text(std::span<const session::Answer> answers);

// The members columns, types, rows, intervals, standard_errors, cut_by, epsilon, delta, rho (as asked; null where not used),
// cost, stored, left, release_id, notes. docs/query.md describes each.
show::Json answer_json(const session::Answer& answer);
// All of them but rows, intervals and standard_errors.
show::Json answer_facts_json(const session::Answer& answer);

// Behind each column with errors stand two more: its name and _low, its name and _high. No two have the same name.
struct FlatAnswer {
  std::vector<std::string> names;
  std::vector<plan::Type> types;
  std::vector<std::vector<Cell>> rows;
};
FlatAnswer flat(const session::Answer& answer);
std::vector<std::string> flat_names(const std::vector<std::string>& names, const std::vector<bool>& measured);
std::string answer_csv(const session::Answer& answer);

// Which columns are drawn, and which say what a row is.
struct ChartShape {
  std::vector<std::size_t> values, labels;
  bool line = false;  // numbers are the keys: many of them make a line
};
inline constexpr std::size_t kMostBars = 200;
// Drawn are numbers with noise; where there are none, every number behind the first column, or that one.
// Refuses    an answer without numbers, and one that is known to have more rows than there is room for: listed keys of
//            which none is left out, and no line (not-supported).
ChartShape chart_shape(const session::PricedPlan& plan);

// Bars with intervals, or a line with a band where many numbers are the keys.
// Refuses    more than kMostBars rows that are no line (not-supported).
std::string answer_svg(const session::Answer& answer, const ChartShape& shape);

}  // namespace dither::cli
