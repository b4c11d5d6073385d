// How far a function moves near the data at hand: a fact about private data, and as secret as they are.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/secret.h"
#include "calculus/transformation.h"

namespace dither::calculus {

// A bound that was computed from private data, together with them. It can be given to a measurement that was made for
// one (AnyMeasurement::release) and to nobody else: it has no accessor, no comparison, no copy and no text. Noise that
// follows the bound of one table and is added to another would prove nothing, so the two cannot be separated.
// Spec W-15, W-77.
class LocalBound {
 public:
  // What is public of it. Without a smoothness the bound may fall from one table to its neighbour as it likes.
  const Domain& domain() const { return domain_; }
  const Metric& metric() const { return metric_; }
  const Recipe& about() const { return about_; }  // the function whose moves are bounded
  const Metric& norm() const { return norm_; }    // in which they are measured
  const std::optional<Rational>& smoothness() const { return smoothness_; }

 private:
  friend class AnyMeasurement;
  friend LocalBound local_sensitivity(const AnyTransformation&, const std::vector<Row>&, const Private&);
  friend LocalBound smooth_bound(const AnyTransformation&, const std::vector<Row>&, const Rational&, int,
                                 const Private&);
  LocalBound(const AnyTransformation& f, std::optional<Rational> smoothness, Private data, Secret<double> bound)
      : domain_(f.input()),
        metric_(f.from()),
        about_(f.recipe()),
        norm_(f.to()),
        smoothness_(std::move(smoothness)),
        data_(std::move(data)),
        bound_(std::move(bound)) {}

  Domain domain_;
  Metric metric_;
  Recipe about_;
  Metric norm_;
  std::optional<Rational> smoothness_;
  Private data_;
  Secret<double> bound_;
};

// LS(x): how far f moves from the data to any of their neighbours, in the metric of f's output (l2: not squared). A
// neighbour is one step away: by a row of the public `universe` added or a row removed (symmetric), or by a row replaced
// by one of it (change-one). Rounded up.
//
// Refuses    other metrics than these two in, and than l1, l2 or linf out; rows added or removed where their number is
//            fixed (no-theorem); a universe that is not all rows of f's input (bad-argument): a row that is left out
//            would be a neighbour that the bound does not see.
// Cost       f on every neighbour: |universe| + n tables, or |universe| n of them.
// Spec       F-40, W-15.
LocalBound local_sensitivity(const AnyTransformation& f, const std::vector<Row>& universe, const Private& data);

// A smooth bound: the largest LS(y) e^(-beta d(x, y)) over the tables y within `steps` steps, and what f's own map says of
// all beyond, e^(-beta (steps + 1)) map(1). It is at least LS(x), and at neighbours it differs by a factor of at most
// e^beta, also after rounding.
//
// Proof      what is k <= steps from x is k + 1 from its neighbour x', and loses the factor e^-beta at most; if k = steps
//            then map(1) e^(-beta (steps + 1)), which the bound at x' is not below, takes its place. Rounding: the numbers
//            are computed for beta - 1e-12, and lie within 1e-14 relative of those.
// Refuses    as above, and beta outside [1e-9, 100] (bad-scale), steps outside 0..8 (bad-count).
// Cost       f on all tables within steps + 1: small universes only; a mechanism for large ones brings its own formula.
// Spec       F-40, R-46.
LocalBound smooth_bound(const AnyTransformation& f, const std::vector<Row>& universe, const Rational& beta, int steps,
                        const Private& data);

}  // namespace dither::calculus
