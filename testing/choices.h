// What random tests and fuzzers draw from.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace dither::testing {

// Where choices come from: a seed, or the bytes of a fuzzer and then what they seed.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : random_(seed) {}
  explicit Choices(std::span<const std::uint8_t> bytes) : random_(mixed(bytes)), bytes_(bytes) {}

  std::uint64_t word() {
    if (bytes_.size() < sizeof(std::uint64_t)) return random_();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8 | byte();
    return value;
  }
  std::uint64_t below(std::uint64_t n) {
    if (bytes_.size() < 2) return random_() % n;
    const std::uint64_t first = byte();
    return (n <= 256 ? first : first << 8 | byte()) % n;
  }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  static std::uint64_t mixed(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = bytes.size();
    for (const std::uint8_t one : bytes) value = value * 0x100000001B3U + one;
    return value;
  }
  std::uint8_t byte() {
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  std::mt19937_64 random_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace dither::testing
