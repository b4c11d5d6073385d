// What the columns of an answer are expected to be off by, before anything is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/priced_plan.h"
#include "sql/detail/measures.h"

namespace dither::sql::detail {

// Public sizes behind one number of the answer.
struct Size {
  std::optional<double> rows, units;
};
// The rows of `expect`, or of `expected:` of the first private table, shared equally among public keys. Of private keys nobody
// knows how many there are: there `expect` is the rows of one key, and nothing is known without it.
Size expected_size(const plan::Project& project, const Counting& counting, const std::optional<std::uint64_t>& expect);

// Of the noise alone. COUNT and SUM: exact, from the law. AVG, VAR and STDDEV: to first order, at the expected number of rows and
// at values spread evenly between their bounds; nothing without that number.
std::vector<session::PredictedError> predicted_errors(const Counting& counting, const std::vector<session::Part>& parts,
                                                      const Size& size, const std::vector<std::string>& names);

// What each column is expected to be, in the same order; nothing where the size is not known.
std::vector<std::optional<double>> magnitudes(const Counting& counting, const Size& size);

}  // namespace dither::sql::detail
