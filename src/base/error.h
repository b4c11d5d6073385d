// What a person is told when a request cannot be carried out.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dither {

// Stable words. Each has a page of the same name in docs/errors/, and a test keeps the two lists equal.
enum class Code {
  ambiguous_name,       // a column name that more than one table of the statement has
  answer_lost,          // an answer that was paid for and lost before it was stored
  bad_argument,         // an option or argument of a command that does not exist or cannot be read
  bad_bounds,           // bounds that are reversed, or missing where a proof needs them
  bad_bracket,          // an interval given to the root finder that does not bracket a root
  bad_count,            // a number of draws, trials or items outside its range
  bad_distance,         // a distance that is negative or belongs to another metric
  bad_grid,             // a grid step that is not positive, or a value that does not lie on the grid
  bad_key,              // a file that is not a signing key of this installation, or is open to others
  bad_limit,            // a limit per unit, or a number of units or rows, that is 0 or too large
  bad_name,             // a name, path or label that cannot be used
  bad_number,           // text that is not a number, or NaN or an infinity where a number is needed
  bad_probability,      // a probability outside [0, 1], or (0, 1) where the ends make no sense
  bad_scale,            // a scale, sigma, rate or shape that is not positive or is too large
  bad_source,           // a source that does not hold what the project file declares
  bad_sql,              // a statement that is not SQL
  bad_syntax,           // a file that is not the strict YAML or JSON we read
  bad_weights,          // weights that are empty, negative or all zero
  below_floor,          // a delta smaller than the numbers behind it can certify
  budget_differs,       // a ledger whose budget is not the one that the project file declares
  cancelled,            // work that somebody stopped before it was done
  cannot_read,          // a file that cannot be read
  cannot_write,         // a file, pipe or device that cannot be written
  cyclic_keys,          // foreign keys that lead back to where they began
  division_by_zero,     // an exact division by zero
  duplicate_key,        // a key that a file gives twice in one place
  expired,              // a budget whose time is over
  foreign_key,          // a ledger that belongs to another key
  frozen,               // a question to a queryable that newer ones, or its owner, have closed
  ledger_behind,        // a ledger that is behind a head noted elsewhere
  ledger_busy,          // a ledger that another process keeps locked
  ledger_damaged,       // a ledger whose file was changed or damaged outside Dither
  ledger_frozen,        // a copy of a ledger that waits for its last known head
  ledger_newer,         // a ledger written by a newer version
  missing_bounds,       // a column or a table without the bounds that a question needs
  missing_key,          // a key that a file must give and does not
  missing_purpose,      // a charge without a purpose where one is needed
  missing_reason,       // a decision without a person or a reason
  mixed_domains,        // a step that may give what the next one does not take
  mixed_metrics,        // steps, or a step and a loss, of different metrics or measures
  mixed_neighbours,     // guarantees or events of different neighbour relations in one sum
  needs_delta,          // a question that cannot be answered without a delta
  needs_expected_size,  // a relative error without a public size to compare it with
  needs_grid,           // a sum of real numbers that lie on no declared grid
  needs_memory,         // a memory limit too small for what is public about the work
  nested_aggregate,     // an aggregate of an aggregate
  network_file,         // a ledger on a file system that other machines share
  no_engine,            // the database library is missing or another version
  no_theorem,           // a combination for which no privacy theorem is known here
  not_a_ledger,         // a file that is not a ledger
  not_a_query,          // a statement that is not one SELECT
  not_allowed,          // a statistic that the purpose of a budget does not list
  not_grouped,          // a column outside an aggregate that is not grouped by
  not_supported,        // SQL that is not on the list of what is answered
  other_ledger,         // a head or a copy that belongs to another ledger
  out_of_range,         // a number that does not fit where it should go
  over_budget,          // a charge that a filter refuses
  private_join,         // a join that would mix the rows of several units
  private_rows,         // a statement that would show rows instead of aggregates
  review_overdue,       // a renewal that waits for a review
  revoked,              // a budget that was taken back
  run_failed,           // a run that ended early: a file, a disk or a server was lost
  too_deep,             // an expression or a statement that is nested too deeply
  too_long,             // a statement that is longer than is read
  two_owners,           // rows that belong to two units
  unknown_budget,       // a budget or data set that does not exist
  unknown_column,       // a column that does not exist
  unknown_function,     // a function that is not on the list
  unknown_key,          // a key that a file may not have in this place
  unknown_law,          // a law of noise that does not exist
  unknown_measure,      // a privacy measure that does not exist
  unknown_mechanism,    // a mechanism that does not exist
  unknown_metric,       // a metric that does not exist
  unknown_neighbours,   // a neighbour relation that does not exist
  unknown_release,      // a release that does not exist
  unknown_table,        // a table that the project file does not declare
  unknown_type,         // a type of columns that does not exist
  unreachable,          // a target that no value of the unknown reaches
  wrong_state,          // a step of a release that its state does not allow
  wrong_type,           // a value of a file that has another type than its key needs
  wrong_unit,           // a statement about another unit than the one that is protected
};

// The stable word of a code, such as "bad-scale".
std::string_view code_name(Code code);

// Every code, in the order of the enumeration.
std::span<const Code> all_codes();

// Thrown for public mistakes. The message names the parameter, its value and the rule; the hint says what to write
// instead. Private data never appears in either.
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message, std::string hint)
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  Code code() const { return code_; }
  const std::string& hint() const { return hint_; }

  // The two lines a person sees: "error: code: message" and "hint:  ...".
  std::string str() const;

 private:
  Code code_;
  std::string hint_;
};

}  // namespace dither
