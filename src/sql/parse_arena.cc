#include <algorithm>

#include "sql/detail/arena.h"

namespace dither::sql {

void* Arena::take(std::size_t bytes) {
  constexpr std::size_t kUnit = sizeof(std::max_align_t);
  const std::size_t units = bytes / kUnit + 1;
  if (units * kUnit > left_) {
    const std::size_t block = std::max<std::size_t>(units, 4096 / kUnit << std::min<std::size_t>(blocks_.size(), 8));
    blocks_.push_back(std::make_unique<std::max_align_t[]>(block));
    next_ = reinterpret_cast<char*>(blocks_.back().get());
    left_ = block * kUnit;
  }
  void* taken = next_;
  next_ += units * kUnit;
  left_ -= units * kUnit;
  return taken;
}

}  // namespace dither::sql
