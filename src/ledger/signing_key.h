// The key with which an installation signs how far its ledgers have come (Ed25519, RFC 8032).
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;  // OpenSSL's

namespace dither::ledger {

// A private key and its public half. Copies share one key; its bytes are overwritten when the last of them goes.
// Nothing here prints the private half; it leaves only into a key file.
class SigningKey {
 public:
  // A fresh one, from the system's randomness; only in memory.
  static SigningKey make();

  // From a key file: unencrypted PEM (PKCS 8), as `openssl genpkey -algorithm ed25519` writes it. Refuses what is not
  // there (cannot-read), and a file that others may read or write, that is encrypted, damaged or holds another kind of
  // key (bad-key).
  static SigningKey read(const std::string& path);

  // The same, after making the file where there is none: mode 0600, durable, in folders that are made for it (0700). Of
  // several processes that do so at once one makes the key and all read it. A key that is there is never replaced.
  static SigningKey read_or_make(const std::string& path);

  // 32 bytes, as 64 hexadecimal digits.
  const std::string& public_key() const { return public_key_; }

  // 64 bytes, as 128 hexadecimal digits; always the same for the same message. Safe from several threads at once.
  std::string sign(std::string_view message) const;

 private:
  explicit SigningKey(std::shared_ptr<evp_pkey_st> key);

  std::shared_ptr<evp_pkey_st> key_;
  std::string public_key_;
};

// Whether the owner of the public key signed these bytes. Keys and signatures that are no such text verify nothing.
bool verifies(std::string_view public_key, std::string_view message, std::string_view signature);

// Where this installation keeps its key: $DITHER_KEY, else $XDG_CONFIG_HOME/dither/ledger.key, else
// $HOME/.config/dither/ledger.key. Variables that are empty, or folders that are not absolute, count as not set; when
// none is left, bad-key.
std::string default_key_path();

}  // namespace dither::ledger
