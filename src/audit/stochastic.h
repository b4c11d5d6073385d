// The stochastic tester on functions of small databases.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "audit/effort.h"
#include "audit/report.h"
#include "audit/target.h"

namespace dither::audit {

// An aggregate over a few rows, one number each; neighbours differ by one row more. An error is an output: a word.
struct SmallAggregate {
  std::string name;
  Promise promise;  // under add/remove
  Shape shape;
  double low = 0, high = 1;  // of the rows; values come up to a tenth of the range beyond, which an aggregate must bear
  std::function<void(std::span<const double> rows, Outputs& out, std::int64_t runs, random::Source& source)> draw;
};

// Small databases of up to three rows, spread evenly by Halton's sequences; then every subset of each, depth first, with
// runs kept from one comparison to the next, and every subset against itself with one row more. The two most suspicious
// comparisons go to `stochastic`, with runs of their own.
//
// False alarm  that of `stochastic`: which databases are looked at is chosen on other runs.
// Cost         effort.search runs for each different subset (about 4 a database), then the test.
// Spec         T-48, W-62.
Report stochastic_on_databases(const SmallAggregate& aggregate, int databases, const Effort& effort);

// Number `index` of the sequence in base `base`: 1/2, 1/4, 3/4, ... in base 2.
double halton(std::uint64_t index, std::uint64_t base);

}  // namespace dither::audit
