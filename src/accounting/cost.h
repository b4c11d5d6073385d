// What one event costs: everything that is proven about its privacy loss.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accounting/event.h"
#include "accounting/loss.h"
#include "base/rational.h"

namespace dither::accounting {

// Which of two neighbours is the first. A pair of neighbours keeps its view through all events, so views are composed
// apart and the worst one counts (B-13, C-10).
enum class View { remove, add, replace };

// The views of a relation: remove and add; replace; or all three.
std::vector<View> views(Neighbours neighbours);

// (epsilon, delta)-DP.
struct ApproximateDp {
  Rational epsilon;
  Rational delta;
  bool operator==(const ApproximateDp&) const = default;
};

// delta-approximately rho-zCDP.
struct ConcentratedDp {
  Rational rho;
  Rational delta;
  bool operator==(const ConcentratedDp&) const = default;
};

// delta-approximate Renyi DP: an upper bound at every order above 1, infinity where none is known.
struct RenyiDp {
  std::function<double(double order)> epsilon;
  double delta = 0;
};

// One release of an event. Each member that is present is a valid bound by itself.
struct Cost {
  std::optional<ApproximateDp> approximate;  // delta 0: pure
  std::optional<ConcentratedDp> concentrated;
  std::optional<RenyiDp> renyi;
  std::optional<Rational> squared_mu;       // Gaussian DP, mu squared
  std::map<View, std::vector<Step>> pairs;  // dominating pairs by view, empty when none is known
  bool attained = false;                    // whether some release of this kind is as bad as its pair says
  bool rounded = false;                     // whether the epsilon above is not exact but rounded up
  bool extremal = false;                    // whether its pair is the worst with its epsilon and delta
  double overflow = 0;                      // probability that a cut batch differs from an uncut one (B-18)
  std::string theorem;                      // where the bounds come from, in words
};

// The cost of one release of `event` (its `times` is for the caller), for groups of `group` units.
//
// Refuses    invalid parameters; combinations of sampler, mechanism, relation and group for which no theorem is known
//            (no-theorem), with the name of what is missing and of a combination that has one.
// Spec      , B-13 to B-19, B-24 to B-27, B-31.
Cost cost(const Event& event, Neighbours neighbours, std::uint64_t group = 1);

}  // namespace dither::accounting
