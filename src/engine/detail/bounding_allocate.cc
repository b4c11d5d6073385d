#include "engine/detail/bounding_allocate.h"

#include <algorithm>
#include <numeric>

#include "base/int128.h"

namespace dither::engine::detail {

bool Allocation::allocate(std::span<std::int64_t> rows, std::int64_t most, const Before& before) {
  const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  if (all <= most) return false;
  std::int64_t left = most;
  remainders_.clear();
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const Int128 product = Int128{most} * rows[place];
    rows[place] = static_cast<std::int64_t>(product / all);
    left -= rows[place];
    if (const auto remainder = static_cast<std::int64_t>(product % all); remainder > 0)
      remainders_.push_back({remainder, place});
  }
  // What is left is the sum of the remainders divided by `all`: fewer keys get one more than have a remainder.
  const auto end = remainders_.begin() + left;
  std::nth_element(remainders_.begin(), end, remainders_.end(), [&](const Remainder& a, const Remainder& b) {
    return a.remainder != b.remainder ? a.remainder > b.remainder : before(a.place, b.place);
  });
  for (auto one = remainders_.begin(); one != end; ++one) ++rows[one->place];
  return true;
}

}  // namespace dither::engine::detail
