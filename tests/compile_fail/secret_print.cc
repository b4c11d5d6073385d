// A secret cannot be printed.
// Expect: no match for .operator|invalid operands to binary expression
#include <iostream>
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  std::cout << plain;
  (void)secret;
#else
  std::cout << secret;
  (void)plain;
#endif
}
