#include "random/truncated_geometric.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "random/detail/mask.h"

namespace dither::random {

namespace detail {

namespace {

Int128 clamped(Int128 x, Int128 low, Int128 high) {
  x = select(mask_if_less(x, low), low, x);
  return select(mask_if_less(high, x), high, x);
}

}  // namespace

// The noise is moved into -x .. n - x, so that nothing overflows.
Int128 truncated(Int128 x, Int128 noise, Int128 n) {
  x = clamped(x, 0, n);
  return x + clamped(noise, -x, n - x);
}

}  // namespace detail

TruncatedGeometric::TruncatedGeometric(const Rational& scale, Int128 n) : noise_(scale), n_(n) {
  if (n < 0) {
    throw Error{Code::bad_count, "n is " + to_string(n) + ", but the range 0 .. n needs n >= 0",
                "give the largest possible count"};
  }
}

void TruncatedGeometric::fill(Int128 x, std::span<Int128> out, Source& source) const {
  noise_.fill(out, source);
  for (Int128& value : out) value = detail::truncated(x, value, n_);
}

void TruncatedGeometric::fill(Int128 x, std::span<std::int64_t> out, Source& source) const {
  to_int64_checked(n_);
  std::array<Int128, 256> block;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, block.size());
    fill(x, std::span(block).first(count), source);
    for (std::size_t i = 0; i < count; ++i) out[done + i] = static_cast<std::int64_t>(block[i]);
    done += count;
  }
}

}  // namespace dither::random
