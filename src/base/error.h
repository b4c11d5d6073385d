// What a person is told when a request cannot be carried out.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dither {

// Stable words. Each has a page of the same name in docs/errors/, and a test keeps the two lists equal.
enum class Code {
  bad_argument,        // an option or argument of a command that does not exist or cannot be read
  bad_bounds,          // bounds that are reversed, or missing where a proof needs them
  bad_bracket,         // an interval given to the root finder that does not bracket a root
  bad_count,           // a number of draws, trials or items outside its range
  bad_distance,        // a distance that is negative or belongs to another metric
  bad_grid,            // a grid step that is not positive, or a value that does not lie on the grid
  bad_limit,           // a limit per unit, or a number of units or rows, that is 0 or too large
  bad_number,          // text that is not a number, or NaN or an infinity where a number is needed
  bad_probability,     // a probability outside [0, 1], or (0, 1) where the ends make no sense
  bad_scale,           // a scale, sigma, rate or shape that is not positive or is too large
  bad_syntax,          // a file that is not the strict YAML or JSON we read
  bad_weights,         // weights that are empty, negative or all zero
  below_floor,         // a delta smaller than the numbers behind it can certify
  cannot_read,         // a file that cannot be read
  cannot_write,        // a file, pipe or device that cannot be written
  division_by_zero,    // an exact division by zero
  duplicate_key,       // a key that a file gives twice in one place
  frozen,              // a question to a queryable that newer ones, or its owner, have closed
  missing_key,         // a key that a file must give and does not
  mixed_domains,       // a step that may give what the next one does not take
  mixed_metrics,       // steps, or a step and a loss, of different metrics or measures
  mixed_neighbours,    // guarantees or events of different neighbour relations in one sum
  no_theorem,          // a combination for which no privacy theorem is known here
  out_of_range,        // a number that does not fit where it should go
  over_budget,         // a charge that a filter refuses
  unknown_key,         // a key that a file may not have in this place
  unknown_law,         // a law of noise that does not exist
  unknown_measure,     // a privacy measure that does not exist
  unknown_mechanism,   // a mechanism that does not exist
  unknown_metric,      // a metric that does not exist
  unknown_neighbours,  // a neighbour relation that does not exist
  unreachable,         // a target that no value of the unknown reaches
  wrong_type,          // a value of a file that has another type than its key needs
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
