// From recipes back to transformations and measurements.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "calculus/measurement.h"

namespace dither::calculus {

// Who can make what, by the names in recipes. Each room adds its own; nothing registers itself.
struct Makers {
  // Makes the step of a recipe that stands behind an input of this domain and metric. Combinators make their parts with
  // the makers they are given.
  using MakeTransformation = AnyTransformation (*)(const Recipe&, const Domain& input, const Metric& from,
                                                   const Makers&);
  using MakeMeasurement = AnyMeasurement (*)(const Recipe&, const Domain& input, const Metric& from, const Makers&);

  std::map<std::string, MakeTransformation, std::less<>> transformations;
  std::map<std::string, MakeMeasurement, std::less<>> measurements;
};

// Refuse a name that nobody makes (unknown-mechanism), and whatever the maker refuses.
AnyTransformation make_transformation(const Recipe& recipe, const Domain& input, const Metric& from,
                                      const Makers& makers);
AnyMeasurement make_measurement(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers);

}  // namespace dither::calculus
