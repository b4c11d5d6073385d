// The steward's look at the sources: what they hold, and what the declarations will do to it. INTERNAL: reads data, adds no noise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/project.h"

namespace dither::engine {

// A column as a source names it, with a guess of its type: never of bounds, keys or values.
struct FoundColumn {
  std::string name;
  std::optional<plan::Type> guess;  // nothing where no type of ours fits
};

// Refuses    cannot-read, bad-source.
std::vector<FoundColumn> columns_of(const plan::Source& source, const std::string& folder);

// What enforcing the declarations does to a column.
struct ColumnSurvey {
  std::string column;
  std::uint64_t null = 0;        // NULL in the source
  std::uint64_t unreadable = 0;  // become NULL: not of the declared type, or of a record that is damaged
  std::uint64_t outside = 0;     // clamped, NULL or `other`, as declared
};

// What limits on a unit do to the mean and the sum of a column, without noise.
struct CutSurvey {
  std::string column;
  double mean = 0, sum = 0;                    // of all rows whose unit is known
  double answered_mean = 0, answered_sum = 0;  // where units are cut
};
// One key of a GROUP BY.
struct KeyCut {
  Cell key;
  std::uint64_t rows = 0, units = 0;                    // of known units
  std::uint64_t answered_rows = 0, answered_units = 0;  // rows: 0 where no bound says how many count
  std::uint64_t cut_units = 0;         // of those answered: with rows that do not count, here or in dropped keys
  std::vector<CutSurvey> values = {};  // of numbers that can be summed
};
// What they do to GROUP BY of a column whose keys are declared.
struct KeySurvey {
  std::string column;
  plan::Type type = plan::Type::text;
  std::uint64_t over_keys = 0;  // units with more keys than keys_per_unit (rows_per_unit, where that is less)
  std::uint64_t over_rows =
      0;  // units with more rows in some key than rows_per_key (rows_per_unit, where that is less)
  std::vector<KeyCut> keys = {};  // in which something is cut
};
struct TableSurvey {
  std::string table;
  std::uint64_t rows = 0;
  std::uint64_t damaged = 0;                // records that cannot be read, or are too long: rows of NULL
  std::uint64_t without_unit = 0;           // rows whose unit is NULL or NaN, or not found through a foreign key
  std::uint64_t cut_units = 0;              // units with more rows than rows_per_unit
  std::optional<std::uint64_t> not_unique;  // rows that share columns declared unique, or exceed a multiplicity
  std::vector<ColumnSurvey> columns;
  std::vector<CutSurvey> cut;     // of numbers with bounds, without GROUP BY, where units are cut
  std::vector<KeySurvey> by_key;  // where units are cut
};

// Refuses    cannot-read, bad-source.
std::vector<TableSurvey> survey(const plan::Project& project);

}  // namespace dither::engine
