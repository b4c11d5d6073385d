// A secret cannot be compared.
// Expect: deleted
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  (void)(plain == 1);
  (void)secret;
#else
  (void)(secret == 1);
  (void)plain;
#endif
}
