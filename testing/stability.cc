#include "testing/stability.h"

#include <cstdlib>

#include "calculus/detail/access.h"
#include "testing/seed.h"

namespace dither::testing {

using namespace calculus;  // NOLINT: planted mistakes are written in the words of the calculus

int stability_pairs() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 100'000 : 1500; }

bool is_caught(const AnyTransformation& planted) { return !check_stability(planted, run_seed()).holds(); }

AnyTransformation with_map(const AnyTransformation& step, AnyTransformation::Map map) {
  return with_metric(step, step.to(), std::move(map));
}

AnyTransformation with_metric(const AnyTransformation& step, const Metric& to, AnyTransformation::Map map) {
  AnyTransformation::Parts parts = CombinatorAccess::parts(step);
  parts.to = to;
  parts.map = std::move(map);
  return AnyTransformation(std::move(parts));
}

AnyTransformation with_function(const AnyTransformation& step, AnyTransformation::Function function) {
  AnyTransformation::Parts parts = CombinatorAccess::parts(step);
  parts.function = std::move(function);
  return AnyTransformation(std::move(parts));
}

}  // namespace dither::testing
