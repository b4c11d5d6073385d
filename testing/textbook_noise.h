// The noise of textbooks, in doubles: by a logarithm, or after Box and Muller. Its low bits tell what it was added to.
#pragma once

#include <cmath>

#include "random/source.h"

namespace dither::testing {

inline double textbook_uniform(random::Source& source) { return static_cast<double>(source.word() >> 11) * 0x1p-53; }
inline double textbook_laplace(random::Source& source) {
  const double u = textbook_uniform(source) - 0.5;
  return u < 0 ? std::log1p(2 * u) : -std::log1p(-2 * u);
}
inline double textbook_normal(random::Source& source) {
  return std::sqrt(-2 * std::log(1 - textbook_uniform(source))) *
         std::cos(6.283185307179586 * textbook_uniform(source));
}

}  // namespace dither::testing
