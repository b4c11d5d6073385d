// Opening needs a key, which only a measurement can make.
// Expect: private
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  (void)plain;
  (void)secret;
#else
  (void)secret.open(dither::SecretKey());
  (void)plain;
#endif
}
