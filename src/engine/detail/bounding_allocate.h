// The rows of one unit that count, given out to its keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/int128.h"

namespace dither::engine::detail {

class Allocation {
 public:
  // `rows`: of each key, how many would count. Where they are more than `most` in all, they become what is allocated to the key by
  // largest remainder (docs/bounding.md), and true is returned. `before` says of two keys, given by their places, whether the first
  // comes first where remainders are equal.
  //
  // Promise    each becomes at most what it was, and `most` is their sum. Exact, for sums below 2^63.
  template <class Before>
  bool allocate(std::span<std::int64_t> rows, std::int64_t most, const Before& before) {
    const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
    if (all <= most) return false;
    const std::ptrdiff_t left = all < kFew ? share<std::int64_t>(rows, most, all) : share<Int128>(rows, most, all);
    // What is left is the sum of the remainders divided by `all`: fewer keys get one more than have a remainder.
    const auto end = remainders_.begin() + left;
    std::nth_element(remainders_.begin(), end, remainders_.end(), [&](const Remainder& a, const Remainder& b) {
      return a.remainder != b.remainder ? a.remainder > b.remainder : before(a.place, b.place);
    });
    for (auto one = remainders_.begin(); one != end; ++one) ++rows[one->place];
    return true;
  }

 private:
  static constexpr std::int64_t kFew = std::int64_t{1} << 31;  // products of two are below 2^62

  struct Remainder {
    std::int64_t remainder;
    std::size_t place;
  };

  // Whole shares; Number holds most * all. Returns how many rows are left.
  template <class Number>
  std::int64_t share(std::span<std::int64_t> rows, std::int64_t most, std::int64_t all) {
    std::int64_t left = most;
    remainders_.clear();
    for (std::size_t place = 0; place < rows.size(); ++place) {
      const Number product = Number{most} * rows[place];
      rows[place] = static_cast<std::int64_t>(product / all);
      left -= rows[place];
      if (const auto rest = static_cast<std::int64_t>(product % all); rest > 0) remainders_.push_back({rest, place});
    }
    return left;
  }

  std::vector<Remainder> remainders_;
};

}  // namespace dither::engine::detail
