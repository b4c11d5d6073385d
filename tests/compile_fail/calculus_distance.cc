// A distance in L1 is none in L2.
// Expect: could not convert|no known conversion|no viable conversion|cannot convert|no matching function
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Transformation<L2, L2>& step, const L2::Distance& same, const L1::Distance& other) {
#ifdef CONTROL
  (void)step.map(same);
  (void)other;
#else
  (void)step.map(other);
  (void)same;
#endif
}
