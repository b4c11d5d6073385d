#include "base/bounding_hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "base/int128.h"

namespace dither {

namespace {

constexpr std::uint64_t kA = 0x243F6A8885A308D;  // pi = 3.243F6A8885A308D...
constexpr std::uint64_t kB = 0xB7E151628AED2A6;  // e = 2.B7E151628AED2A6...

// x mod 2^61 - 1 for x below 2^122: the high and the low 61 bits count alike.
std::uint64_t reduce(UInt128 x) {
  const auto folded = static_cast<std::uint64_t>(x & kHashPrime) + static_cast<std::uint64_t>(x >> 61);
  return folded >= kHashPrime ? folded - kHashPrime : folded;
}

// The algorithm and room to work, once a thread: looking both up costs more than hashing a name.
struct Sha256 {
  struct Free {
    void operator()(EVP_MD* one) const { EVP_MD_free(one); }
    void operator()(EVP_MD_CTX* one) const { EVP_MD_CTX_free(one); }
  };
  std::unique_ptr<EVP_MD, Free> md{EVP_MD_fetch(nullptr, "SHA256", nullptr)};
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

std::uint64_t first_60_bits(std::string_view bytes) {
  thread_local Sha256 sha;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  // Only want of memory makes these fail: what is hashed never does.
  if (!sha.md || !sha.context || EVP_DigestInit_ex(sha.context.get(), sha.md.get(), nullptr) != 1 ||
      EVP_DigestUpdate(sha.context.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(sha.context.get(), digest.data(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  std::uint64_t first = 0;
  for (int i = 0; i < 8; ++i) first = first << 8 | digest[static_cast<std::size_t>(i)];
  return first >> 4;
}

}  // namespace

std::uint64_t integer_digest(std::int64_t unit) {
  constexpr auto prime = static_cast<std::int64_t>(kHashPrime);
  const std::int64_t rest = unit % prime;
  const auto x = static_cast<std::uint64_t>(rest < 0 ? rest + prime : rest);
  const std::uint64_t m = reduce(UInt128{x} * kA + kB);
  return std::max<std::uint64_t>(reduce(UInt128{m} * m), 1);
}

std::uint64_t bytes_digest(std::string_view canonical_bytes) { return first_60_bits(canonical_bytes) + 1; }

std::uint64_t unit_digest(const Cell& unit) {
  const auto* whole = std::get_if<std::int64_t>(&unit);
  return whole != nullptr ? integer_digest(*whole) : bytes_digest(canonical(unit));
}

std::uint64_t bounding_hash(std::uint64_t unit, std::uint64_t key) { return reduce(UInt128{unit} * key); }

}  // namespace dither
