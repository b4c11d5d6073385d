// For combinators of this room (and testing/): what their parts do to data that is already inside.
#pragma once

#include "calculus/measurement.h"

namespace dither::calculus {

struct CombinatorAccess {
  static const AnyTransformation::Parts& parts(const AnyTransformation& one) { return *one.parts_; }
  static const AnyMeasurement::Parts& parts(const AnyMeasurement& one) { return *one.parts_; }
  static const Data& look(const Private& data) { return *data.data_; }
};

}  // namespace dither::calculus
