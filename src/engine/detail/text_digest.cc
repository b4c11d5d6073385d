#include "engine/detail/text_digest.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/digest.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace dither::engine::detail {

namespace {

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return __builtin_bswap64(number);
}

}  // namespace

TextDigest text_digest(std::string_view text) {
  thread_local std::string bytes;
  bytes.assign(1, 't');
  bytes += text;
  const Digest digest = sha256(bytes);
  return {big_endian(digest.bytes.data()), big_endian(digest.bytes.data() + 8)};
}

#if defined(__x86_64__)

namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kShort = kBlock - 10;  // a text, the tag before it, the mark and the length behind
constexpr std::size_t kAtOnce = 64;          // blocks that are made before they are hashed

// FIPS 180-4, section 4.2.2.
alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct alignas(16) Block {
  char bytes[kBlock];
};

// A short text as the one block that SHA-256 makes of it.
void fill(Block& block, std::string_view text) {
  std::memset(block.bytes, 0, kBlock);
  block.bytes[0] = 't';
  char* to = block.bytes + 1;
  const std::size_t size = text.size();
  if (size >= 32) {  // copies of known size, which overlap
    std::memcpy(to, text.data(), 32);
    std::memcpy(to + size - 32, text.data() + size - 32, 32);
  } else if (size >= 16) {
    std::memcpy(to, text.data(), 16);
    std::memcpy(to + size - 16, text.data() + size - 16, 16);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = text[i];
  }
  to[size] = static_cast<char>(0x80);
  const std::size_t bits = 8 * (size + 1);
  block.bytes[kBlock - 2] = static_cast<char>(bits >> 8);
  block.bytes[kBlock - 1] = static_cast<char>(bits);
}

// Two blocks at a time: each round waits for the one before, so two chains keep the processor busy. State words are held as the
// instructions want them, A B E F and C D G H.
[[gnu::target("sha,sse4.1,ssse3")]] void hash_two(const Block* blocks, TextDigest* digests) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i abef =
      _mm_set_epi32(0x6a09e667, static_cast<int>(0xbb67ae85), 0x510e527f, static_cast<int>(0x9b05688c));
  const __m128i cdgh = _mm_set_epi32(0x3c6ef372, static_cast<int>(0xa54ff53a), 0x1f83d9ab, 0x5be0cd19);
  __m128i a0 = abef, c0 = cdgh, a1 = abef, c1 = cdgh;
  __m128i w0[4], w1[4];
  for (int i = 0; i < 4; ++i) {
    w0[i] = _mm_shuffle_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(blocks[0].bytes) + i), swap);
    w1[i] = _mm_shuffle_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(blocks[1].bytes) + i), swap);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {  // four rounds
    const __m128i k = _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data()) + i);
    const __m128i x0 = _mm_add_epi32(w0[i % 4], k);
    const __m128i x1 = _mm_add_epi32(w1[i % 4], k);
    c0 = _mm_sha256rnds2_epu32(c0, a0, x0);
    c1 = _mm_sha256rnds2_epu32(c1, a1, x1);
    a0 = _mm_sha256rnds2_epu32(a0, c0, _mm_shuffle_epi32(x0, 0x0e));
    a1 = _mm_sha256rnds2_epu32(a1, c1, _mm_shuffle_epi32(x1, 0x0e));
    if (i >= 12) continue;  // the words of the rounds four steps from here
    const auto next = [i](const __m128i* w) __attribute__((target("sha,sse4.1,ssse3"))) {
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                                        _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
      return _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
    };
    w0[i % 4] = next(w0);
    w1[i % 4] = next(w1);
  }
  const auto high = [](__m128i x) __attribute__((target("sse4.1"))) {
    return static_cast<std::uint64_t>(_mm_extract_epi64(x, 1));
  };
  digests[0] = {high(_mm_add_epi32(a0, abef)), high(_mm_add_epi32(c0, cdgh))};
  digests[1] = {high(_mm_add_epi32(a1, abef)), high(_mm_add_epi32(c1, cdgh))};
}

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  static const bool has =
      __builtin_cpu_supports("sse4.1") != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0;
  return has;
}

}  // namespace

void text_digests(const std::string_view* texts, std::size_t count, TextDigest* digests) {
  const bool quick = has_instructions();
  std::array<Block, kAtOnce> blocks;
  std::array<TextDigest, kAtOnce> found;
  std::array<std::size_t, kAtOnce> whose;
  for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
    std::size_t made = 0;
    for (std::size_t i = begin; i < std::min(count, begin + kAtOnce); ++i) {
      if (!quick || texts[i].size() > kShort) {
        digests[i] = text_digest(texts[i]);
        continue;
      }
      whose[made] = i;
      fill(blocks[made++], texts[i]);
    }
    if (made % 2 != 0) blocks[made] = blocks[0];
    for (std::size_t i = 0; i < made; i += 2) hash_two(&blocks[i], &found[i]);
    for (std::size_t i = 0; i < made; ++i) digests[whose[i]] = found[i];
  }
}

#else

void text_digests(const std::string_view* texts, std::size_t count, TextDigest* digests) {
  for (std::size_t i = 0; i < count; ++i) digests[i] = text_digest(texts[i]);
}

#endif

}  // namespace dither::engine::detail
