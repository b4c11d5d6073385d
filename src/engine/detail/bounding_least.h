// The nth least of some numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dither::engine::detail {

class NthLeast {
 public:
  explicit NthLeast(std::size_t nth);  // from 1

  // Of `count` numbers, at least so many.
  std::uint64_t of(const std::uint64_t* numbers, std::size_t count) {
    return quick_ != nullptr ? quick_(numbers, count) : of_many(numbers, count);
  }

 private:
  std::uint64_t of_many(const std::uint64_t* numbers, std::size_t count);

  std::size_t nth_;
  std::uint64_t (*quick_)(const std::uint64_t*, std::size_t);  // where nth is small
  std::vector<std::uint64_t> room_;
};

}  // namespace dither::engine::detail
