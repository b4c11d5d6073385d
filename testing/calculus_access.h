// Looks inside: what transformations and measurements do to plain data, for tests alone.
#pragma once

#include "calculus/detail/access.h"

namespace dither::testing {

inline calculus::Data apply(const calculus::AnyTransformation& step, const calculus::Data& data) {
  return calculus::CombinatorAccess::parts(step).function(data);
}

// The release itself, on data that need not be a member of the domain.
inline calculus::Data run(const calculus::AnyMeasurement& step, const calculus::Data& data, random::Source& source) {
  return calculus::CombinatorAccess::parts(step).function(data, source);
}

inline const calculus::Data& look(const calculus::Private& data) { return calculus::CombinatorAccess::look(data); }

}  // namespace dither::testing
