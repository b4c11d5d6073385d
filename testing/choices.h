// What random tests and fuzzers draw from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dither::testing {

// Choices as they were made, each a number below how many there were.
using Made = std::vector<std::uint64_t>;

// Where choices come from: a seed; the bytes of a fuzzer and then what they seed; or choices that were made before, and then
// the first of every list.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : random_(seed) {}
  explicit Choices(std::span<const std::uint8_t> bytes) : random_(mixed(bytes)), bytes_(bytes) {}
  explicit Choices(Made again) : again_(std::move(again)) {}

  std::uint64_t word() { return remembered(again_ ? next_again() : new_word()); }
  std::uint64_t below(std::uint64_t n) { return remembered(again_ ? std::min(next_again(), n - 1) : new_below(n)); }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  const Made& made() const { return made_; }

 private:
  std::uint64_t remembered(std::uint64_t choice) {
    made_.push_back(choice);
    return choice;
  }
  std::uint64_t next_again() const { return made_.size() < again_->size() ? (*again_)[made_.size()] : 0; }
  std::uint64_t new_word() {
    if (bytes_.size() < sizeof(std::uint64_t)) return random_();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8 | byte();
    return value;
  }
  std::uint64_t new_below(std::uint64_t n) {
    if (bytes_.size() < 2) return random_() % n;
    const std::uint64_t first = byte();
    return (n <= 256 ? first : first << 8 | byte()) % n;
  }
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
  std::optional<Made> again_;
  Made made_;
};

}  // namespace dither::testing
