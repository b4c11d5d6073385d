// Whether one step can stand behind another.
#pragma once

#include <string_view>

#include "calculus/domain.h"
#include "calculus/metric.h"
#include "calculus/recipe.h"

namespace dither::calculus::detail {

// One end of a step: its name, metric and domain there.
struct End {
  std::string_view name;
  const Metric& metric;
  const Domain& domain;
};

// mixed-neighbours for two metrics between tables of different relations, mixed-metrics for others that differ,
// mixed-domains when what comes out may not go in.
void require_fit(const End& out, const End& in);

// The recipe of one after the other. Chains are flat, so that chaining is associative to the letter, and have at most
// 1000 steps (bad-count): each step is one call inside another.
Recipe chained(const Recipe& first, const Recipe& second);

}  // namespace dither::calculus::detail
