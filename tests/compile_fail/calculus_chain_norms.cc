// Numbers measured in L1 do not go to noise for L2.
// Expect: no matching function for call to .chain
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Transformation<Symmetric, L1>& count, const Measurement<L1, Pure>& same,
         const Measurement<L2, Zcdp>& other) {
#ifdef CONTROL
  (void)chain(count, same);
  (void)other;
#else
  (void)chain(count, other);
  (void)same;
#endif
}
