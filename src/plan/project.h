// The project file: whom the data is about, what may be asked of it, and what may be spent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accounting/filter_rule.h"
#include "accounting/neighbours.h"
#include "config/value.h"
#include "plan/facts.h"

namespace dither::plan {

enum class SourceKind { csv, parquet, json, duckdb, memory };

// Where rows come from. Paths are as written, relative to the project file; globs stay globs. A table in the memory of
// a program has none.
struct Source {
  SourceKind kind = SourceKind::csv;
  std::string path;
  std::string table;  // of a database
};

// What becomes of a value outside bounds or keys, and of a text longer than declared, which `clamp` cuts. A NULL is outside a list
// of keys, but not outside the others.
enum class Outside { clamp, null, other };

struct ColumnDeclaration {
  std::string name;
  Type type = Type::text;
  std::optional<Range> bounds;
  std::optional<Rational> grid;           // needed by decimals
  std::optional<std::vector<Cell>> keys;  // public: all of them, as listed; `other` last where values outside become it
  std::optional<std::uint64_t> max_length;  // of text: characters, of which each has 4 bytes at most
  Outside outside = Outside::null;          // declared wherever bounds, keys or max_length are
  std::optional<Cell> other;                // what outside values become under Outside::other
  std::optional<Cell> null_as;              // what NULL becomes; nothing: it stays
};

// What a scan makes sure of: unreadable cells are NULL (texts of more than kLongestText bytes too, where no max_length says what
// becomes of them), then `outside` applies, then `null_as`. The ends of the range of a real
// column are the doubles nearest to the declared bounds. Values where they are listed, or follow from a short range.
Facts declared_facts(const ColumnDeclaration& column);

// Whose a row is.
struct UnitColumn {  // whose, says this column
  std::string column;
};
struct UnitRow {};  // every row is a unit of its own
struct UnitRows {   // a weaker guarantee: any `rows` rows, whoever they belong to
  std::uint64_t rows;
};
struct UnitThrough {  // whose, says the row of another table that this one refers to by a foreign key; no cycles
  std::string table;  // a private one that has units; the columns there are unique in it
  std::vector<std::pair<std::string, std::string>> equal;  // column here, column there
};
using Unit = std::variant<UnitColumn, UnitRow, UnitRows, UnitThrough>;

// What one unit may contribute; enforced by the bounding operator.
struct ContributionBounds {
  std::optional<std::uint64_t> rows_per_unit, keys_per_unit, rows_per_key;
};

// Public guesses, for predicted errors and the split of a price. Under replace-one `units` is the public size.
struct Expected {
  std::optional<std::uint64_t> rows, units;
};

struct TableDeclaration {
  std::string name;
  Source source;
  bool is_public = false;
  Unit unit = UnitRow{};  // of private tables
  ContributionBounds bounds;
  Expected expected;
  std::vector<ColumnDeclaration> columns;
  std::vector<std::vector<std::string>> unique;  // sets of columns that name a row
  std::vector<std::pair<std::vector<std::string>, std::uint64_t>>
      multiplicity;  // of public tables: most rows that share these columns
  config::Position position;

  const ColumnDeclaration* find(std::string_view column) const;
};

struct BudgetDeclaration {
  std::string name;
  std::string parent;  // "" for the data set's own
  accounting::FilterRule rule;
};

struct Project {
  std::string path;  // of the file
  std::string data_version;
  accounting::PrivacyUnit unit;
  accounting::Neighbours neighbours = accounting::Neighbours::add_remove;
  std::vector<TableDeclaration> tables;
  std::vector<BudgetDeclaration> budgets;  // the data set's own first, every other one behind its parent
  std::optional<Rational> deadline;        // seconds
  std::string ledger;  // path, ready to be opened: what the file says, else dither.ledger, in the file's folder
  std::string anchor;  // path of a head file elsewhere that must vouch for the ledger; "": none

  // unknown-table, with the nearest name.
  const TableDeclaration& table(std::string_view name) const;

  // The path of a budget in the ledger: "main/alice". unknown-budget.
  std::string budget_path(std::string_view name) const;
};

// What Project::ledger says of a ledger that is kept nowhere.
inline constexpr const char* kLedgerInMemory = ":memory:";

// More than this is refused (bad-count).
inline constexpr std::size_t kMostTables = 1000;
inline constexpr std::size_t kMostColumns = 10'000;             // of all tables
inline constexpr std::size_t kMostKeys = 100'000;               // of all columns
inline constexpr std::uint64_t kMostLength = kLongestText / 4;  // characters of a max_length
inline constexpr std::size_t kMostBudgets = 1000;

// Reads and checks a project file (docs/project-file.md). Every refusal begins with file:line:column.
//
// Refuses    what config refuses; unknown keys, types and names; bounds, grids and keys that contradict each other or do not
//            say what becomes of values outside; a private table without a unit, with two (two-owners), or whose foreign keys
//            lead in a circle (cyclic-keys) or nowhere; budgets without limits, of several measures, or without one on
//            top. A file may not have its ledger in memory (bad-name); a text may.
Project read_project(const std::string& path);
Project parse_project(std::string text, const std::string& name);

// The nearest dither.yaml in this folder or above; cannot-read with the fix when there is none.
std::string find_project(const std::string& folder);

// The tables that change when one unit of this private table is added or removed, in the order of the file: those that share
// its ids, and whatever refers to any of them by foreign keys. Nothing for a public table. Spec R-53. unknown-table.
std::vector<std::string> affected_tables(const Project& project, std::string_view table);

// The declarations that the answer to a statement depends on, as canonical JSON: those of the tables named and of those that
// their units are found through, with their sources as written, unit and relation. Budgets, expected sizes, the folder that the
// project lies in and what its files hold play no part: the version of the data stands for that.
std::string declarations_json(const Project& project, const std::vector<std::string>& tables);

}  // namespace dither::plan
