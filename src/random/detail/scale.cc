#include "random/detail/scale.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::random::detail {

namespace {

const char* kHint = "give a number from 1/1000 to 2^60 (about 1.15e18)";

}  // namespace

void require_scale(const char* name, const Rational& value) {
  if (value.sign() <= 0) {
    throw Error{Code::bad_scale, fmt::format("{} is {}, but noise needs {} > 0", name, value.str(), name), kHint};
  }
  // Most numbers are surely inside by their lengths alone; this stands before every draw with fresh parameters.
  const auto bits = [](mpz_srcptr x) { return static_cast<long>(mpz_sizeinbase(x, 2)); };
  const long log2 = bits(mpq_numref(value.get())) - bits(mpq_denref(value.get()));  // 2^(log2-1) < value < 2^(log2+1)
  if (log2 > -8 && log2 < 59) return;
  if (mpq_cmp_ui(value.get(), 1, 1000) < 0 || mpq_cmp_ui(value.get(), std::uint64_t{1} << 60, 1) > 0) {
    throw Error{Code::bad_scale, fmt::format("{} is {}, outside the range from 1/1000 to 2^60", name, value.str()),
                kHint};
  }
}

bool fits_int64(const Rational& scale) { return mpq_cmp_ui(scale.get(), std::uint64_t{1} << 52, 1) <= 0; }

void require_int64(const char* name, bool fits) {
  if (fits) return;
  throw Error{Code::out_of_range, fmt::format("{} is above 2^52, where the noise does not fit in 64 bits", name),
              "use the 128-bit form, or a coarser grid"};
}

}  // namespace dither::random::detail
