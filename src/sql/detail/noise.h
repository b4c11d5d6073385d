// Noise for a price: which law, how wide, and how keys that nobody listed are chosen.
#pragma once

#include <optional>
#include <vector>

#include "session/priced_plan.h"
#include "sql/detail/measures.h"
#include "sql/detail/stability.h"

namespace dither::sql::detail {

// The numbers of a statement with how far neighbours move them.
struct Moves {
  BoundedRows rows;
  std::vector<calculus::AnyTransformation> exact;  // one for each measure
  std::vector<calculus::CellsDistance> distances;
  std::optional<calculus::AnyTransformation> units;  // by key, where keys are private
  std::optional<calculus::CellsDistance> unit_distance;
};
Moves moves_of(const plan::Project& project, const Counting& counting);

struct Noisy {
  std::vector<session::Part> parts;
  std::optional<session::KeyChoice> keys;
  double objective = 0;  // weighted sum of variances, to compare laws by
};

// Noise within the price. Numbers that do not move get none. Under epsilon: discrete Laplace noise, or, with a delta, normal
// noise where the weighted sum of variances is smaller (half of delta for it where keys need the other half); under rho:
// discrete Gaussian noise.
// Private keys are chosen by the noisy numbers of units where the statement shows those, else by a selection that is one
// more equal part of the price.
//
// A budget in mu is paid by normal noise alone: with `normal` there is no other.
//
// Refuses    private keys without a delta, and normal noise for an epsilon without one (needs-delta); what mechanisms refuse.
Noisy noise_for(const Counting& counting, const Moves& moves, const session::StatementPrice& price,
                const std::optional<std::vector<double>>& weights, bool normal);

// Standard error and half of the 95% interval of a law, in steps.
struct NoiseError {
  double standard_error = 0, within95 = 0;
};
NoiseError noise_error(session::Noise noise, const Rational& scale);

}  // namespace dither::sql::detail
