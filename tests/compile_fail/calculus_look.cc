// Private data cannot be looked at.
// Expect: is private|private member
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Private& data, const Release<Data>& released) {
#ifdef CONTROL
  (void)released.value();
  (void)data;
#else
  (void)data.data_;
  (void)released;
#endif
}
