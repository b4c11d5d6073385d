#include "base/secret.h"

#include <cstring>

namespace dither::detail {

void zeroise(void* memory, std::size_t size) {
  if (size == 0) return;  // an empty vector has no memory
  std::memset(memory, 0, size);
  asm volatile("" : : "r"(memory) : "memory");  // the store is observable, so it stays
}

}  // namespace dither::detail
