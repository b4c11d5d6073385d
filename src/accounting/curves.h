// Guarantees in every measure, as values that can be stored: what a ledger keeps of a release.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accounting/cost.h"
#include "accounting/loss.h"
#include "accounting/renyi.h"
#include "accounting/tradeoff.h"
#include "base/rational.h"

namespace dither::accounting {

// delta-approximate Renyi DP at some orders, increasing; between two the larger one holds.
struct RenyiTable {
  std::vector<OrderBound> bounds;
  double delta = 0;
  bool operator==(const RenyiTable&) const = default;
};

// Gaussian DP: mu squared.
struct GaussianDp {
  Rational squared_mu;
  bool operator==(const GaussianDp&) const = default;
};

// f-DP: a trade-off function by the lines below it, each an (epsilon, delta) that holds (B-10).
struct TradeoffCurve {
  std::vector<ProfilePoint> lines;
  bool operator==(const TradeoffCurve&) const = default;
};

// The privacy loss itself, in one view; the views of a relation are kept apart (B-13).
struct LossCurve {
  enum class Side { pessimistic, optimistic };
  View view;
  Side side;
  AtomLoss loss;
};

// (epsilon, delta)-DP with delta 0 is pure DP.
using Curve = std::variant<ApproximateDp, ConcentratedDp, RenyiTable, GaussianDp, TradeoffCurve, LossCurve>;

// The least epsilon at this delta that the curve proves, and the least delta at this epsilon; rounded up.
// Refuses    a delta outside [0, 1] (bad-probability), a negative epsilon (out-of-range), an optimistic loss, which
//            proves no upper bound (no-theorem).
// Spec      , B-10.
double epsilon_up(const Curve& curve, double delta);
double delta_up(const Curve& curve, double epsilon);

// What is known of a release, curve by curve; Renyi curves at the default orders. Refuses batches that may be cut
// (no-theorem).
std::vector<Curve> curves_of(const Cost& cost);

// Canonical JSON, version 1: keys in fixed order, no spaces, exact fractions, doubles as hexadecimal floats. It reads back
// equal, bit for bit, and prints again the same bytes. Reading refuses what is not a curve: bad-syntax, missing-key,
// unknown-key, wrong-type, and bad-number, bad-probability or bad-weights for values that no curve has.
std::string canonical_json(const Curve& curve);
Curve curve_from_json(std::string_view text);

}  // namespace dither::accounting
