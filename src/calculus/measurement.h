// Randomised steps: the only way out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/secret.h"
#include "calculus/measure.h"
#include "calculus/release.h"
#include "calculus/transformation.h"

namespace dither::random {
class Source;  // where the noise comes from; this room passes it on and draws nothing
}

namespace dither::calculus {

class LocalBound;  // how far a function moves near the data, as a secret: calculus/local_bound.h

// How far a released number may be from the exact one, from public parameters and the number itself alone (rule 8).
struct ErrorBar {
  std::optional<double> standard_error;  // of the noise, in steps; nothing where the law has none
  Rational low, high;                    // 95% interval for the exact value, in steps
};

// A randomised function with a privacy map: the laws of the answers on inputs at distance d are within loss(d).
class AnyMeasurement {
 public:
  using LossMap = std::function<Loss(const Distance&)>;
  using EventsMap = std::function<std::vector<accounting::Event>(const Distance&)>;
  using Function = std::function<Data(const Data&, random::Source&)>;
  using ErrorFunction = std::function<ErrorBar(Int128 released)>;

  // Of a measurement whose noise follows a local bound: the largest smoothness it was proven for (nothing: any bound will
  // do), the function that the bound must be about and the norm of its moves, and what it does to the data and the opened
  // bound.
  struct Bounded {
    std::optional<Rational> smoothness;
    Recipe about;
    Metric norm;
    std::function<Data(const Data&, double bound, random::Source&)> function;
  };

  struct Parts {
    Recipe recipe;
    Domain input;
    Metric from;
    Measure measure;
    LossMap loss;      // in the measure, exact or rounded up; monotone
    EventsMap events;  // the same release as accounting describes it: what an accountant composes and a ledger keeps
    Function function;
    ErrorFunction error = {};             // of one released number; empty where no bar is known
    std::optional<Bounded> bounded = {};  // instead of `function`
  };
  // Refuses domains that are none: require_domain.
  explicit AnyMeasurement(Parts parts);

  const Recipe& recipe() const { return parts_->recipe; }
  const Domain& input() const { return parts_->input; }
  const Metric& from() const { return parts_->from; }
  const Measure& measure() const { return parts_->measure; }

  // What inputs at distance d cost; zero at distance zero. bad-distance when d is not of the metric `from`.
  Loss loss(const Distance& d) const;
  std::vector<accounting::Event> events(const Distance& d) const;
  bool check(const Distance& d_in, const Loss& d_out) const { return measure().at_most(loss(d_in), d_out); }

  // One release: draws once. Does not charge anybody: that is for a queryable, a filter or a session.
  Release<Data> release(const Private& data, random::Source& source) const;
  // The same for exact values as an engine hands them over.
  Release<Data> release(std::span<const Secret<Int128>> exact, random::Source& source) const;
  // Of a measurement that is `bounded`: on the data that the bound is about. Nothing else opens a local bound (W-15).
  // Refuses a bound for another metric (mixed-metrics) or domain (mixed-domains), one that is about another function or less
  // smooth than the proof needs (no-theorem), and a measurement that uses none (wrong-type), as the two above refuse one
  // that does.
  Release<Data> release(const LocalBound& bound, random::Source& source) const;

  // Standard error and 95% interval of a released number; nothing when the measurement has none.
  std::optional<ErrorBar> error(Int128 released) const;

 private:
  friend struct CombinatorAccess;

  std::shared_ptr<const Parts> parts_;
};

// First the transformation, then the measurement: loss(map(d)). Refuses as chain of two transformations, and a measurement
// that is released from a local bound (wrong-type). Spec W-07.
AnyMeasurement chain(const AnyTransformation& first, const AnyMeasurement& second);

}  // namespace dither::calculus
