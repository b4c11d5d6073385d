// A secret decides no switch.
// Expect: switch quantity not an integer|requires explicit conversion
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  switch (plain) {
    default:
      return;
  }
  (void)secret;
#else
  switch (secret) {
    default:
      return;
  }
  (void)plain;
#endif
}
