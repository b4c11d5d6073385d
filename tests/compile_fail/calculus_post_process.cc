// Post-processing takes releases, never private data.
// Expect: no member named .then
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Private& data, const Release<Data>& released) {
#ifdef CONTROL
  (void)released.then([](const Data&) { return 1; });
  (void)data;
#else
  (void)data.then([](const Data&) { return 1; });
  (void)released;
#endif
}
