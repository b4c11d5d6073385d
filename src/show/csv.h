// Tables for spreadsheets and programs.
#pragma once

#include <string>
#include <vector>

namespace dither::show {

// The table as RFC 4180 has it: a line of titles, a line a row, each ended by CR LF. A cell with a comma, a quote, a
// line break, or a blank at either end is put in quotes, with its quotes doubled; so is the only cell of a line when it
// is empty. A row has one cell per title.
//
// Cells are written as they are: what a program reads back is what was given. A spreadsheet takes a cell that begins
// with =, +, - or @ for a formula, so text that others chose (keys of groups, names) should not be opened there
// unchecked; prefixing such cells here would change negative numbers and keys.
std::string csv_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

// The shortest digits that read back as this double, 0 for -0.0; nan, inf and -inf for those.
std::string csv_real(double value);

}  // namespace dither::show
