// The sparse vector technique with its parts open to mistakes.
#pragma once

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

// A cell of the output is 0 below the threshold, above it 1 or a number, and absent after the last answer above.
struct SparseVector {
  Rational threshold_scale;
  Rational answer_scale;  // 0 for no noise
  Rational threshold = 1;
  std::size_t most_above = 1;
  bool shows_value = false;
  Rational value_scale = 0;  // 0: the number that was compared
};
Mechanism sparse_vector(const SparseVector& form);

}  // namespace dither::audit::zoo
