// A bound that is a secret number cannot be compared either.
// Expect: deleted
#include "calculus/local_bound.h"

bool use(const dither::Secret<double>& bound, double plain) {
#ifdef CONTROL
  (void)bound;
  return plain < 1.0;
#else
  (void)plain;
  return bound < 1.0;
#endif
}
