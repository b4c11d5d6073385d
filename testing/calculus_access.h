// Looks inside: what transformations and measurements do to plain data, for tests alone.
#pragma once

#include "calculus/detail/access.h"

namespace dither::testing {

inline calculus::Data apply(const calculus::AnyTransformation& step, const calculus::Data& data) {
  return calculus::CombinatorAccess::parts(step).function(data);
}

inline const calculus::Data& look(const calculus::Private& data) { return calculus::CombinatorAccess::look(data); }

}  // namespace dither::testing
