// A secret decides no branch.
// Expect: could not convert|deleted|not contextually convertible
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  if (plain != 0) return;
  (void)secret;
#else
  if (secret) return;
  (void)plain;
#endif
}
