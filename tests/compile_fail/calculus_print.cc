// Private data cannot be printed.
// Expect: no match for .operator|invalid operands to binary expression
#include <iostream>
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Private& data, const Release<int>& released) {
#ifdef CONTROL
  std::cout << released.value();
  (void)data;
#else
  std::cout << data;
  (void)released;
#endif
}
