// Deterministic steps before the noise.
#pragma once

#include <functional>
#include <memory>

#include "calculus/domain.h"
#include "calculus/metric.h"
#include "calculus/recipe.h"
#include "calculus/release.h"

namespace dither::calculus {

// A function with a stability map: inputs at distance d give outputs at distance at most map(d).
//
// Promise    map is monotone, not just a factor (W-06). The function is total on its domain and depends on nothing else.
// Cost       copying shares everything; building and chaining read no data.
class AnyTransformation {
 public:
  using Map = std::function<Distance(const Distance&)>;
  using Function = std::function<Data(const Data&)>;

  struct Parts {
    Recipe recipe;
    Domain input, output;
    Metric from, to;
    Map map;
    Function function;
  };
  explicit AnyTransformation(Parts parts);  // refuses domains that are none: require_domain

  const Recipe& recipe() const { return parts_->recipe; }
  const Domain& input() const { return parts_->input; }
  const Domain& output() const { return parts_->output; }
  const Metric& from() const { return parts_->from; }
  const Metric& to() const { return parts_->to; }

  // bad-distance when d is not of the metric `from`. Distance zero stays zero.
  Distance map(const Distance& d) const;
  // Whether inputs within d_in give outputs within d_out.
  bool check(const Distance& d_in, const Distance& d_out) const;

  Private operator()(const Private& data) const;

 private:
  friend struct CombinatorAccess;  // in calculus/detail: combinators run their parts on data that is inside

  std::shared_ptr<const Parts> parts_;
};

// First one, then the other: maps compose. Refuses metrics that differ (mixed-metrics, for tables mixed-neighbours) and
// a first that may give what the second does not take (mixed-domains), and more than 1000 steps (bad-count). Associative.
// Spec W-07.
AnyTransformation chain(const AnyTransformation& first, const AnyTransformation& second);

}  // namespace dither::calculus
