// A secret cannot be hashed.
// Expect: deleted|private destructor
#include <functional>
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  (void)std::hash<int>{}(plain);
  (void)secret;
#else
  (void)std::hash<dither::Secret<int> >{}(secret);
  (void)plain;
#endif
}
