// A secret cannot be copied.
// Expect: deleted
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  int copy = plain;
  (void)copy;
  (void)secret;
#else
  dither::Secret<int> copy = secret;
  (void)copy;
  (void)plain;
#endif
}
