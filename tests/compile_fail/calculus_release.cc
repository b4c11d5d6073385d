// Nobody but a measurement makes a release.
// Expect: private within this context|calling a private constructor|is a private member|is private
#include "calculus/typed.h"

using namespace dither::calculus;

void use(const Data& data, const std::shared_ptr<const AnyMeasurement>& plan) {
#ifdef CONTROL
  (void)Private(data);
  (void)plan;
#else
  (void)Release<Data>(data, plan);
#endif
}
