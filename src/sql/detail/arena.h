// Memory for a parse tree of many small parts, given back at once.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace dither::sql {

class Arena {
 public:
  void* take(std::size_t bytes);

 private:
  std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace dither::sql
