// Where random bytes come from.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dither::random {

class Entropy;

// A stream of secret random bytes: ChaCha20 keyed by the kernel, with the key erased after every block.
//
// Promise    bytes once handed out are wiped here, and the key that made them is gone. A forked child starts from a
//            fresh key (its pages are wiped by the kernel), so parent and child never share a byte. The kernel
//            gives a new key every 32 MiB. Without entropy the process aborts: nothing is released on bad noise.
// Cost       about 2 ns per 8 bytes. One object a thread; `this_thread` gives the caller its own.
// Spec       W-74, D-69, D-72.
class Source {
 public:
  Source();
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  static Source& this_thread();

  // 64 uniform bits.
  std::uint64_t word() {
    std::uint64_t result;
    with_bytes(sizeof result, [&](const std::uint8_t* bytes) { std::memcpy(&result, bytes, sizeof result); });
    return result;
  }

  // `count` uniform bits in the low end, 0 <= count <= 64. Takes eight bytes whatever the count, none for zero.
  std::uint64_t bits(int count) { return count == 0 ? 0 : word() >> (64 - count); }

  // Overwrites the span with uniform bytes.
  void fill(std::span<std::uint8_t> out);

  // Calls use(bytes) with `size` fresh bytes in place, 8 <= size <= kBlockBytes, and wipes them afterwards, also when
  // `use` throws. `use` must not take from this source.
  template <std::invocable<const std::uint8_t*> Use>
  void with_bytes(std::size_t size, Use&& use) {
    if (state_->remaining < size) [[unlikely]]
      refill(size);
    const Taken taken{state_->block + kBlockBytes - state_->remaining, size};
    state_->remaining -= size;
    used_ += size;
    use(static_cast<const std::uint8_t*>(taken.bytes));
  }

  // Bytes handed out so far.
  std::uint64_t bytes_used() const { return used_; }

  // With the next key's 32 bytes a whole number of ChaCha20's blocks of 64, so that the cipher holds nothing back.
  static constexpr std::size_t kBlockBytes = 127 * 64 - 32;

 private:
  friend struct SourceTestAccess;  // seeded sources and failing entropy, defined in testing/ only
  explicit Source(Entropy& entropy);

  // Lies in pages that the kernel wipes in a forked child: all zero there means nothing left and no key.
  struct State {
    std::uint64_t remaining;  // unread bytes, at the end of `block`; the read ones are zero
    std::uint64_t blocks_until_reseed;
    alignas(32) std::uint8_t key[32];  // of the next block; made in one stream with the block
    std::uint8_t block[kBlockBytes];
  };
  static_assert(sizeof(State) <= 8192 && offsetof(State, block) == offsetof(State, key) + 32);

  // Overlapping fixed-size stores for a scalar draw's few bytes, memset for blocks.
  static void wipe(std::uint8_t* bytes, std::size_t size) {
    constexpr std::uint64_t zero = 0;
    if (size > 24) {
      std::memset(bytes, 0, size);
      return;
    }
    std::memcpy(bytes, &zero, 8);
    if (size > 16) std::memcpy(bytes + 8, &zero, 8);
    std::memcpy(bytes + size - 8, &zero, 8);
  }

  // Bytes that were handed out, wiped when their use is over.
  struct Taken {
    std::uint8_t* bytes;
    std::size_t size;
    ~Taken() { wipe(bytes, size); }
  };

  void refill(std::size_t wanted);
  void set_key(std::span<const std::uint8_t, 32> key);

  Entropy& entropy_;
  State* state_;
  void* cipher_;  // EVP_CIPHER_CTX
  std::uint64_t used_ = 0;
};

// What samplers draw from: a Source, or in tests a tape of given bits.
template <typename S>
concept BitSource = requires(S& source, int count) {
  { source.bits(count) } -> std::same_as<std::uint64_t>;
};

}  // namespace dither::random
