#include "random/uniform.h"

#include <algorithm>
#include <vector>

namespace dither::random {

namespace detail {

void refuse_empty_range() {
  throw Error{Code::bad_count, "n is 0, but a number below n needs n >= 1", "give the number of possible values"};
}

}  // namespace detail

void fill_uniform_below(std::uint64_t n, std::span<std::uint64_t> out, Source& source) {
  if (n == 0) detail::refuse_empty_range();
  const std::uint64_t thrown_away = (0 - n) % n;  // 2^64 mod n
  std::vector<std::size_t> again;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, Source::kBlockBytes / 8);
    source.with_bytes(8 * count, [&](const std::uint8_t* bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t x;
        std::memcpy(&x, bytes + 8 * i, 8);
        const UInt128 product = static_cast<UInt128>(x) * n;
        out[done + i] = static_cast<std::uint64_t>(product >> 64);
        if (static_cast<std::uint64_t>(product) < thrown_away) [[unlikely]]
          again.push_back(done + i);
      }
    });
    done += count;
  }
  for (std::size_t i : again) out[i] = uniform_below(n, source);
}

}  // namespace dither::random
