// The one door to the kernel's randomness.
#pragma once

#include <cstdint>
#include <span>

namespace dither::random {

// Fills a span with entropy, or says that it could not.
class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual bool read(std::span<std::uint8_t> out) = 0;
};

}  // namespace dither::random
