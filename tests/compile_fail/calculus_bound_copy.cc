// A local bound cannot be copied away from its data.
// Expect: use of deleted|call to implicitly-deleted|deleted
#include "calculus/local_bound.h"

using namespace dither::calculus;

void use(const LocalBound& bound) {
#ifdef CONTROL
  const LocalBound& same = bound;
  (void)same;
#else
  const LocalBound copy = bound;
  (void)copy;
#endif
}
