// A value with memory elsewhere cannot be wiped.
// Expect: only plain values can be wiped
#include <vector>
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  dither::Secret<int> held(plain);
  (void)held;
  (void)secret;
#else
  dither::Secret<std::vector<int> > held(std::vector<int>{1});
  (void)held;
  (void)plain;
#endif
}
