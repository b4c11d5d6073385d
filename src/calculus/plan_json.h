// Whole plans as text: what is stored of a release, and made again from there.
#pragma once

#include <string>
#include <string_view>

#include "calculus/makers.h"

namespace dither::calculus {

// {"input":<domain>,"from":"symmetric","measure":"pure","recipe":{...}}; of a transformation "to" instead of "measure".
// No data, no maps: those follow from the recipe.
std::string canonical_json(const AnyMeasurement& measurement);
std::string canonical_json(const AnyTransformation& transformation);

// Made again by these makers. Strict: refuses text that canonical_json of the result does not give back (bad-syntax),
// a measure or metric that the recipe does not lead to (mixed-metrics), and whatever the makers refuse.
AnyMeasurement measurement_from_json(std::string_view text, const Makers& makers);
AnyTransformation transformation_from_json(std::string_view text, const Makers& makers);

}  // namespace dither::calculus
