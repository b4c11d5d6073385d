// A local bound decides no branch.
// Expect: could not convert|not contextually convertible
#include "calculus/local_bound.h"

using namespace dither::calculus;

void use(const LocalBound& bound, bool plain) {
#ifdef CONTROL
  if (plain) return;
  (void)bound;
#else
  if (bound) return;
  (void)plain;
#endif
}
