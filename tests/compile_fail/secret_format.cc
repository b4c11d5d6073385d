// A secret cannot be formatted.
// Expect: Cannot format an argument|call to deleted constructor
#include <fmt/format.h>
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  fmt::print("{}", plain);
  (void)secret;
#else
  fmt::print("{}", secret);
  (void)plain;
#endif
}
