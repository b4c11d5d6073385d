#include "random/source.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "random/detail/entropy.h"

namespace dither::random {

namespace {

constexpr std::uint64_t kBlocksPerSeed = (32u << 20) / Source::kBlockBytes;

class KernelEntropy final : public Entropy {
 public:
  bool read(std::span<std::uint8_t> out) override {
    while (!out.empty()) {
      const ssize_t got = getrandom(out.data(), out.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }
};

KernelEntropy kernel_entropy;

// Noise that cannot be trusted must not be released: there is nothing to catch and go on with.
[[noreturn]] void fail_closed(const char* what) {
  std::fprintf(stderr, "dither: %s; stopping before any noise is drawn\n", what);
  std::abort();
}

}  // namespace

Source::Source() : Source(kernel_entropy) {}

Source::Source(Entropy& entropy) : entropy_(entropy), cipher_(EVP_CIPHER_CTX_new()) {
  void* pages = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || cipher_ == nullptr) fail_closed("no memory for the random source");
  // The cipher is named once: naming it again at every key would have all threads count references to it.
  if (EVP_EncryptInit_ex2(static_cast<EVP_CIPHER_CTX*>(cipher_), EVP_chacha20(), nullptr, nullptr, nullptr) != 1) {
    fail_closed("ChaCha20 is not available");
  }
  if (madvise(pages, sizeof(State), MADV_WIPEONFORK) != 0) fail_closed("the kernel cannot wipe memory on fork");
  madvise(pages, sizeof(State), MADV_DONTDUMP);  // keeps unread noise out of core files where the kernel can
  state_ = static_cast<State*>(pages);           // zero pages: nothing left, no key
}

Source::~Source() {
  OPENSSL_cleanse(state_, sizeof(State));
  munmap(state_, sizeof(State));
  EVP_CIPHER_CTX_free(static_cast<EVP_CIPHER_CTX*>(cipher_));  // wipes the key it holds
}

Source& Source::this_thread() {
  thread_local Source source;
  return source;
}

void Source::fill(std::span<std::uint8_t> out) {
  while (out.size() >= 8) {
    const std::size_t size = std::min(out.size(), kBlockBytes);
    with_bytes(size, [&](const std::uint8_t* bytes) { std::memcpy(out.data(), bytes, size); });
    out = out.subspan(size);
  }
  if (out.empty()) return;
  const std::uint64_t last = word();
  std::memcpy(out.data(), &last, out.size());
}

void Source::set_key(std::span<const std::uint8_t, 32> key) {
  static constexpr std::array<std::uint8_t, 16> kCounterAndNonce{};  // a key makes one block, so zero is never reused
  if (EVP_EncryptInit_ex2(static_cast<EVP_CIPHER_CTX*>(cipher_), nullptr, key.data(), kCounterAndNonce.data(),
                          nullptr) != 1) {
    fail_closed("ChaCha20 failed");
  }
}

// One ChaCha20 stream per block: its first 32 bytes become the next key, the rest is the block. On schedule the key comes
// from the kernel instead. The cipher's own memory is not wiped on fork, so it forgets every key it has used at once: the
// only key is the one in the state, and a forked child has none.
void Source::refill(std::size_t wanted) {
  static constexpr std::array<std::uint8_t, 32> kNoKey{};
  if (wanted > kBlockBytes) fail_closed("more than a block of random bytes was asked for at once");
  if (state_->blocks_until_reseed == 0) {  // new, due, or a forked child
    if (!entropy_.read(state_->key)) fail_closed("the kernel gave no entropy");
    state_->blocks_until_reseed = kBlocksPerSeed;
  }
  set_key(state_->key);
  auto* cipher = static_cast<EVP_CIPHER_CTX*>(cipher_);
  int written = 0;
  std::uint8_t* const stream = state_->key;  // and the block behind it
  constexpr std::size_t size = sizeof state_->key + kBlockBytes;
  std::memset(stream, 0, size);  // a short rest of the block may be left unread; it is dropped
  if (EVP_EncryptUpdate(cipher, stream, &written, stream, static_cast<int>(size)) != 1) fail_closed("ChaCha20 failed");
  set_key(kNoKey);
  --state_->blocks_until_reseed;
  state_->remaining = kBlockBytes;
}

}  // namespace dither::random
