// The rows of one unit that count, given out to its keys.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dither::engine::detail {

class Allocation {
 public:
  // Whether the first of two keys, given by their places, comes first where remainders are equal.
  using Before = std::function<bool(std::size_t, std::size_t)>;

  // `rows`: of each key, how many would count. Where they are more than `most` in all, they become what is allocated to the key by
  // largest remainder (docs/bounding.md), and true is returned.
  // Promise    each becomes at most what it was, and `most` is their sum. Exact, for sums below 2^63.
  bool allocate(std::span<std::int64_t> rows, std::int64_t most, const Before& before);

 private:
  struct Remainder {
    std::int64_t remainder;
    std::size_t place;
  };
  std::vector<Remainder> remainders_;
};

}  // namespace dither::engine::detail
