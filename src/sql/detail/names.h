// Names of one FROM: which column is meant.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sql/detail/place.h"
#include "sql/detail/rows.h"

namespace dither::sql {

// Rows with a name for each of their first columns; what stands behind them has none.
struct Bound {
  Rows rows;
  std::vector<std::string> names;
};

struct NamedColumn {
  std::string name;
  std::size_t position;  // in the rows of FROM
};

struct NamedTable {
  std::string name;  // its alias; "" for a derived table without one
  std::vector<NamedColumn> columns;
};

// Tables side by side. What USING makes one is named once, as `merged`; the columns it was made of are in `hidden`, and found
// with the name of their table alone.
struct From {
  Rows rows;
  std::vector<NamedTable> tables;
  std::vector<NamedColumn> merged;
  std::set<std::size_t> hidden = {};
};

// Common table expressions that can be seen from here.
struct Ctes {
  const Ctes* outer = nullptr;
  std::map<std::string, Bound, std::less<>> here = {};

  const Bound* find(std::string_view name) const;
};

// A column as it is written: name, or table and name.
struct Reference {
  std::vector<std::string> parts;
  std::size_t place;
};

// Equal but for the capitals of ASCII letters.
bool same_letters(std::string_view a, std::string_view b);

// unknown-table, with the nearest name.
const NamedTable& find_table(const Text& text, const From& from, std::string_view name, std::size_t place);

// What `*` stands for.
std::vector<NamedColumn> all_columns(const From& from);

// The position of a column; nothing when there is none. ambiguous-name; unknown-table.
std::optional<std::size_t> find_column(const Text& text, const From& from, const Reference& reference);

// unknown-column, with the nearest of the names in FROM and of `more`.
[[noreturn]] void refuse_unknown_column(const Text& text, const From& from, const Reference& reference,
                                        const std::vector<std::string>& more);

}  // namespace dither::sql
