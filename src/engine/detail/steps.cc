#include "engine/detail/steps.h"

namespace dither::engine::detail {
namespace {

Int128 whole(mpz_srcptr number) {
  Rational exact;
  mpq_set_z(exact.get(), number);
  return exact.floor();
}

}  // namespace

Int128 numerator(const Rational& step) { return whole(mpq_numref(step.get())); }
Int128 denominator(const Rational& step) { return whole(mpq_denref(step.get())); }

}  // namespace dither::engine::detail
