#include "ledger/signing_key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <optional>

#include "base/digest.h"
#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/descriptor.h"
#include "ledger/durable_file.h"

namespace dither::ledger {
namespace {

constexpr std::size_t kPublicBytes = 32;
constexpr std::size_t kSignatureBytes = 64;
constexpr std::size_t kLongestFile = 16'384;
constexpr const char* kMakeOne =
    "name a key file, or a path where there is no file yet: Dither makes one there; $DITHER_KEY says where";

using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

template <class Pointer>
Pointer need(Pointer pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

// For steps that fail only where OpenSSL was built or set up without Ed25519.
void require_ed25519(bool done) {
  if (done) return;
  ERR_clear_error();
  throw Error{Code::bad_key, "this machine's OpenSSL does not offer Ed25519 signatures",
              "allow its default provider in openssl.cnf"};
}

std::shared_ptr<EVP_PKEY> shared(EVP_PKEY* key) { return {need(key), EVP_PKEY_free}; }  // which overwrites it

const unsigned char* as_bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::shared_ptr<EVP_PKEY> fresh_key() {
  EVP_PKEY* const key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  require_ed25519(key != nullptr);
  return shared(key);
}

std::string public_key_of(const EVP_PKEY* key) {
  std::array<unsigned char, kPublicBytes> bytes;
  std::size_t size = bytes.size();
  require_ed25519(EVP_PKEY_get_raw_public_key(key, bytes.data(), &size) == 1);
  return to_hex({reinterpret_cast<const char*>(bytes.data()), size});
}

[[noreturn]] void throw_bad_key(const std::string& path, std::string_view what, const std::string& hint) {
  throw Error{Code::bad_key, fmt::format("{} {}", echo(path), what), hint};
}

// Text that is overwritten at the end.
struct SecretText {
  std::string text;
  ~SecretText() { OPENSSL_cleanse(text.data(), text.size()); }
};

SecretText read_secret(const std::string& path) {
  const detail::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about = {};
  if (!file.open() || fstat(file.get(), &about) != 0) detail::throw_cannot_read(path, errno);
  if (!S_ISREG(about.st_mode)) throw_bad_key(path, "is not a file", kMakeOne);
  if ((about.st_mode & 077) != 0) {
    throw_bad_key(
        path, fmt::format("has mode {:04o}: others may use the key", about.st_mode & 07777),
        fmt::format("write `chmod 600 {}`; if others could read it, sign with a new key instead", echo(path)));
  }
  if (about.st_size > static_cast<off_t>(kLongestFile)) throw_bad_key(path, "is too long for a key file", kMakeOne);
  return {detail::read_up_to(file, kLongestFile, path)};
}

// OpenSSL asks this for a password; without it, it would ask at the terminal.
int no_password(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

// A fresh key in the form of a key file.
SecretText fresh_key_file() {
  const std::shared_ptr<EVP_PKEY> key = fresh_key();
  const Bio bio(need(BIO_new(BIO_s_mem())), BIO_free);  // which overwrites its memory
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    throw std::bad_alloc();
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {std::string(text, static_cast<std::size_t>(size))};
}

// So many bytes written in hexadecimal digits, or nothing when the text is something else.
std::optional<std::string> bytes_in(std::string_view text, std::size_t size) {
  const bool hex = text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!hex || text.size() != 2 * size) return std::nullopt;
  return bytes_from_hex(text);
}

bool is_there(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0;
}

// A variable's value; empty when it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

SigningKey::SigningKey(std::shared_ptr<evp_pkey_st> key)
    : key_(std::move(key)), public_key_(public_key_of(key_.get())) {}

SigningKey SigningKey::make() { return SigningKey(fresh_key()); }

SigningKey SigningKey::read(const std::string& path) {
  const SecretText file = read_secret(path);
  const Bio bio(need(BIO_new_mem_buf(file.text.data(), static_cast<int>(file.text.size()))), BIO_free);
  bool asked = false;
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, &asked);
  if (key == nullptr) {
    ERR_clear_error();
    if (asked) throw_bad_key(path, "is encrypted", "decrypt it with `openssl pkey`, or name another key file");
    throw_bad_key(path, "is not a private key", kMakeOne);
  }
  std::shared_ptr<EVP_PKEY> read = shared(key);
  if (EVP_PKEY_get_id(key) != EVP_PKEY_ED25519) {
    throw_bad_key(path, "holds another kind of key; ledgers are signed with Ed25519", kMakeOne);
  }
  return SigningKey(std::move(read));
}

SigningKey SigningKey::read_or_make(const std::string& path) {
  if (!is_there(path)) {
    const std::size_t slash = path.find_last_of('/');
    if (slash != std::string::npos && slash > 0) make_private_folder(path.substr(0, slash));
    create_durable_file(path, fresh_key_file().text, 0600);  // or another process has just done so
  }
  return read(path);
}

std::string SigningKey::sign(std::string_view message) const {
  const Context context(need(EVP_MD_CTX_new()), EVP_MD_CTX_free);
  std::array<unsigned char, kSignatureBytes> bytes;
  std::size_t size = bytes.size();
  require_ed25519(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
                  EVP_DigestSign(context.get(), bytes.data(), &size, as_bytes(message), message.size()) == 1);
  return to_hex({reinterpret_cast<const char*>(bytes.data()), size});
}

bool verifies(std::string_view public_key, std::string_view message, std::string_view signature) {
  const auto key_bytes = bytes_in(public_key, kPublicBytes);
  const auto signed_bytes = bytes_in(signature, kSignatureBytes);
  if (!key_bytes || !signed_bytes) return false;
  const auto key =
      shared(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, as_bytes(*key_bytes), key_bytes->size()));
  const Context context(need(EVP_MD_CTX_new()), EVP_MD_CTX_free);
  require_ed25519(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  const int verdict =
      EVP_DigestVerify(context.get(), as_bytes(*signed_bytes), signed_bytes->size(), as_bytes(message), message.size());
  ERR_clear_error();
  return verdict == 1;
}

std::string default_key_path() {
  std::string named = variable("DITHER_KEY");
  if (!named.empty()) return named;
  const std::string config = variable("XDG_CONFIG_HOME");
  if (config.starts_with('/')) return config + "/dither/ledger.key";
  const std::string home = variable("HOME");
  if (home.starts_with('/')) return home + "/.config/dither/ledger.key";
  throw Error{Code::bad_key, "there is no place for the signing key: DITHER_KEY, XDG_CONFIG_HOME and HOME are not set",
              "write `export DITHER_KEY=/path/to/ledger.key`; Dither makes the file"};
}

}  // namespace dither::ledger
