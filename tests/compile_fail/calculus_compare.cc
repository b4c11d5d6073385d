// Local bounds of private data cannot be compared.
// Expect: no match for .operator|invalid operands to binary expression
#include "calculus/local_bound.h"

using namespace dither::calculus;

bool use(const LocalBound& bound, const dither::Rational& plain) {
#ifdef CONTROL
  (void)bound;
  return plain < 1;
#else
  (void)plain;
  return bound < 1;
#endif
}
