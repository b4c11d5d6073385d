// A local bound has no value outside a measurement.
// Expect: is private|private member
#include "calculus/local_bound.h"

using namespace dither::calculus;

void use(const LocalBound& bound) {
#ifdef CONTROL
  (void)bound.smoothness();
#else
  (void)bound.bound_;
#endif
}
