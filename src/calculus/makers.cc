#include "calculus/makers.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::calculus {

namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& name) {
  throw Error{Code::unknown_mechanism, fmt::format("nobody here makes the {} \"{}\"", what, name),
              "write a name that `dither mechanisms` lists"};
}

// The steps of a chain but the last, as one; a chain has two steps at least.
AnyTransformation all_but_last(const Recipe& chain, const Domain& input, const Metric& from, const Makers& makers) {
  if (chain.parts.size() < 2) refuse("chain of fewer than two steps", chain.name);
  AnyTransformation all = make_transformation(*chain.parts[0], input, from, makers);
  for (std::size_t i = 1; i + 1 < chain.parts.size(); ++i) {
    all = calculus::chain(all, make_transformation(*chain.parts[i], all.output(), all.to(), makers));
  }
  return all;
}

}  // namespace

AnyTransformation make_transformation(const Recipe& recipe, const Domain& input, const Metric& from,
                                      const Makers& makers) {
  if (recipe.name == "chain") {
    const AnyTransformation before = all_but_last(recipe, input, from, makers);
    return chain(before, make_transformation(*recipe.parts.back(), before.output(), before.to(), makers));
  }
  const auto maker = makers.transformations.find(recipe.name);
  if (maker == makers.transformations.end()) refuse("transformation", recipe.name);
  return maker->second(recipe, input, from, makers);
}

AnyMeasurement make_measurement(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  if (recipe.name == "chain") {
    const AnyTransformation before = all_but_last(recipe, input, from, makers);
    return chain(before, make_measurement(*recipe.parts.back(), before.output(), before.to(), makers));
  }
  const auto maker = makers.measurements.find(recipe.name);
  if (maker == makers.measurements.end()) refuse("measurement", recipe.name);
  return maker->second(recipe, input, from, makers);
}

}  // namespace dither::calculus
