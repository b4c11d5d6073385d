#include "testing/seeded_source.h"

#include <openssl/evp.h>

#include <cstring>
#include <deque>
#include <mutex>

#include "random/detail/entropy.h"

namespace dither::random {

struct SourceTestAccess {
  static Source make(Entropy& entropy) { return Source(entropy); }
  static EVP_CIPHER_CTX* cipher(Source& source) { return static_cast<EVP_CIPHER_CTX*>(source.cipher_); }
};

}  // namespace dither::random

namespace dither::testing {

namespace {

// Each key is the seed and a counter, so that a reseeded stream goes on instead of starting again.
class SeededEntropy final : public random::Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : seed_(seed) {}
  bool read(std::span<std::uint8_t> out) override {
    std::memset(out.data(), 0, out.size());
    std::memcpy(out.data(), &seed_, 8);
    std::memcpy(out.data() + 8, &reads_, 8);
    ++reads_;
    return true;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t reads_ = 0;
};

class NoEntropy final : public random::Entropy {
 public:
  bool read(std::span<std::uint8_t>) override { return false; }
};

}  // namespace

random::Source seeded_source(std::uint64_t seed) {
  static std::mutex mutex;
  static std::deque<SeededEntropy> kept;
  const std::lock_guard lock(mutex);
  return random::SourceTestAccess::make(kept.emplace_back(seed));
}

void inherited_stream(random::Source& source, std::span<std::uint8_t> out) {
  int written = 0;
  std::memset(out.data(), 0, out.size());
  EVP_EncryptUpdate(random::SourceTestAccess::cipher(source), out.data(), &written, out.data(),
                    static_cast<int>(out.size()));
}

random::Source source_without_entropy() {
  static NoEntropy none;
  return random::SourceTestAccess::make(none);
}

}  // namespace dither::testing
