// Rows replaced are not rows added or removed.
// Expect: no matching function for call to .chain
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Transformation<Symmetric, ChangeOne>& first, const Transformation<ChangeOne, L1>& same,
         const Transformation<Symmetric, L1>& other) {
#ifdef CONTROL
  (void)chain(first, same);
  (void)other;
#else
  (void)chain(first, other);
  (void)same;
#endif
}
