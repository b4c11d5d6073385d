#include "random/truncated_geometric.h"

#include "base/error.h"

namespace dither::random {

namespace detail {

namespace {

// a when the condition holds, else b, as a mask: a branch would be mispredicted by value.
Int128 select(bool condition, Int128 a, Int128 b) { return b ^ ((a ^ b) & -static_cast<Int128>(condition)); }

Int128 clamped(Int128 x, Int128 n) {
  x = select(x < 0, 0, x);
  return select(x > n, n, x);
}

}  // namespace

Int128 truncated(Int128 x, Int128 noise, Int128 n) { return clamped(add_saturating(clamped(x, n), noise), n); }

}  // namespace detail

TruncatedGeometric::TruncatedGeometric(const Rational& scale, Int128 n) : noise_(scale), n_(n) {
  if (n < 0) {
    throw Error{Code::bad_count, "n is " + to_string(n) + ", but the range 0 .. n needs n >= 0",
                "give the largest possible count"};
  }
}

}  // namespace dither::random
