#include "ledger/signing_key.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "base/digest.h"
#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using check::bytes_of;
using check::Folder;
using testing::refusal;

void put_key(const std::string& path, const std::string& text, int mode = 0600) {
  check::put_bytes(path, text);
  std::filesystem::permissions(path, std::filesystem::perms(mode));
}

std::string armoured(const std::string& label, const std::string& der) {
  std::string text(4 * (der.size() + 2) / 3 + 1, '\0');
  text.resize(static_cast<std::size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                                       reinterpret_cast<const unsigned char*>(der.data()),
                                                       static_cast<int>(der.size()))));
  return fmt::format("-----BEGIN {0}-----\n{1}\n-----END {0}-----\n", label, text);
}

// RFC 8410: the fixed bytes around the 32 of an Ed25519 key in PKCS 8.
std::string key_file_of(const std::string& secret) {
  return armoured("PRIVATE KEY", bytes_from_hex("302e020100300506032b657004220420" + secret));
}

struct Vector {
  std::string secret, public_key, message, signature;
};

// RFC 8032, section 7.1: tests 1, 2, 3 and SHA(abc).
const std::vector<Vector> kVectors = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
     "d25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
     "387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
     "4a7c15e9716ed28dc027beceea1ec40a"},
    {"833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
     "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
     "454d4423643ce80e2a9ac94fa54ca49f",
     "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
     "3dca179c138ac17ad9bef1177331a704"},
};

TEST(SigningKey, SignsAsRfc8032Says) {
  const Folder folder;
  for (const Vector& vector : kVectors) {
    put_key(folder / "key", key_file_of(vector.secret));
    const SigningKey key = SigningKey::read(folder / "key");
    const std::string message = bytes_from_hex(vector.message);
    EXPECT_EQ(key.public_key(), vector.public_key);
    EXPECT_EQ(key.sign(message), vector.signature);
    EXPECT_TRUE(verifies(vector.public_key, message, vector.signature));
    EXPECT_FALSE(verifies(vector.public_key, message + "x", vector.signature));
  }
}

TEST(SigningKey, AnyFlippedBitIsNoSignature) {
  const SigningKey key = SigningKey::make();
  const std::string signature = key.sign("spent 0.1");
  const auto flipped = [](std::string bytes, std::size_t bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    return bytes;
  };
  for (std::size_t bit = 0; bit < 512; ++bit) {
    EXPECT_FALSE(verifies(key.public_key(), "spent 0.1", to_hex(flipped(bytes_from_hex(signature), bit)))) << bit;
  }
  for (std::size_t bit = 0; bit < 72; ++bit) {
    EXPECT_FALSE(verifies(key.public_key(), flipped("spent 0.1", bit), signature)) << bit;
  }
  EXPECT_TRUE(verifies(key.public_key(), "spent 0.1", signature));
}

TEST(SigningKey, OtherKeysAndOtherTextVerifyNothing) {
  const SigningKey key = SigningKey::make();
  const std::string signature = key.sign("m");
  EXPECT_NE(SigningKey::make().public_key(), key.public_key());
  EXPECT_FALSE(verifies(SigningKey::make().public_key(), "m", signature));
  EXPECT_FALSE(verifies("", "m", signature));
  EXPECT_FALSE(verifies(key.public_key().substr(2), "m", signature));
  EXPECT_FALSE(verifies(key.public_key(), "m", ""));
  EXPECT_FALSE(verifies(key.public_key(), "m", signature + "00"));
  EXPECT_FALSE(verifies(key.public_key(), "m", std::string(127, '0') + "g"));
  EXPECT_FALSE(verifies(std::string(64, 'f'), "m", signature));  // no point of the curve
  EXPECT_EQ(key.sign("m"), signature);
}

TEST(SigningKey, ACopySignsTheSame) {
  std::optional<SigningKey> key = SigningKey::make();
  const SigningKey copy = *key;
  const std::string signature = key->sign("m");
  key.reset();
  EXPECT_EQ(copy.sign("m"), signature);
}

TEST(SigningKeyFile, IsMadeOnceForTheOwnerAlone) {
  const Folder folder;
  const std::string path = folder / "config/dither/ledger.key";
  const mode_t before = umask(0);
  const SigningKey made = SigningKey::read_or_make(path);
  umask(before);
  struct stat about = {};
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
  ASSERT_EQ(stat((folder / "config").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0700u);
  const std::string text = bytes_of(path);
  EXPECT_TRUE(text.starts_with("-----BEGIN PRIVATE KEY-----\n")) << "not PKCS 8";
  EXPECT_EQ(SigningKey::read_or_make(path).public_key(), made.public_key());
  EXPECT_EQ(SigningKey::read(path).sign("m"), made.sign("m"));
  EXPECT_EQ(bytes_of(path), text);
}

// Eight processes at once, many times over: all use one key, and none ever sees half of a file.
TEST(SigningKeyFile, RacingProcessesShareOneKey) {
  const Folder folder;
  for (int round = 0; round < 10; ++round) {
    const std::string path = folder / fmt::format("key{}", round);
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(check::in_child(
          [&] { check::put_bytes(folder / fmt::format("seen{}", i), SigningKey::read_or_make(path).public_key()); }));
    }
    for (const pid_t child : children) EXPECT_EQ(check::ended(child), 0);
    const std::string key = SigningKey::read(path).public_key();
    for (int i = 0; i < 8; ++i) EXPECT_EQ(bytes_of(folder / fmt::format("seen{}", i)), key);
  }
  EXPECT_EQ(folder.names().size(), 18u) << "a file was left behind";
}

TEST(SigningKeyFile, RefusesAKeyThatOthersCanUse) {
  const Folder folder;
  const std::string path = folder / "key";
  put_key(path, key_file_of(kVectors[0].secret));
  for (const int mode : {0640, 0604, 0610, 0622, 0644, 0666, 0700 | 07}) {
    std::filesystem::permissions(path, std::filesystem::perms(mode));
    EXPECT_EQ(refusal([&] { SigningKey::read(path); }), Code::bad_key) << mode;
    EXPECT_EQ(refusal([&] { SigningKey::read_or_make(path); }), Code::bad_key) << mode;
  }
  try {
    SigningKey::read(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("chmod 600 "), std::string::npos) << error.str();
  }
  std::filesystem::permissions(path, std::filesystem::perms(0400));
  EXPECT_EQ(SigningKey::read(path).public_key(), kVectors[0].public_key);
}

std::string pem_of(EVP_PKEY* key, const EVP_CIPHER* cipher) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, cipher, "word", cipher == nullptr ? 0 : 4, nullptr, nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  std::string pem(text, static_cast<std::size_t>(size));
  EVP_PKEY_free(key);
  return pem;
}

// What is no Ed25519 key file, and never a word of it in the message.
TEST(SigningKeyFile, RefusesWhatIsNoKey) {
  const std::string good = key_file_of(kVectors[0].secret);
  const std::map<std::string, std::string> files = {
      {"empty", ""},
      {"text", "hello\n"},
      {"bytes", std::string(1000, '\0')},
      {"long", std::string(1'000'000, 'x')},
      {"cut", good.substr(0, good.size() / 2)},
      {"short", armoured("PRIVATE KEY", bytes_from_hex("302d020100300506032b65700421041f" + std::string(62, 'a')))},
      {"public", armoured("PUBLIC KEY", bytes_from_hex("302a300506032b6570032100" + kVectors[0].public_key))},
      {"encrypted", pem_of(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_aes_256_cbc())},
      {"x25519", pem_of(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"), nullptr)},
      {"ed448", pem_of(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED448"), nullptr)},
      {"ec", pem_of(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), nullptr)},
  };
  const Folder folder;
  for (const auto& [name, text] : files) {
    const std::string path = folder / name;
    put_key(path, text);
    EXPECT_EQ(refusal([&] { SigningKey::read(path); }), Code::bad_key) << name;
    EXPECT_EQ(refusal([&] { SigningKey::read_or_make(path); }), Code::bad_key) << name;
    EXPECT_EQ(bytes_of(path), text) << name << " was changed";
  }
}

TEST(SigningKeyFile, RefusesWhatIsNoFile) {
  const Folder folder;
  EXPECT_EQ(refusal([&] { SigningKey::read(folder / "none"); }), Code::cannot_read);
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(refusal([&] { SigningKey::read_or_make(folder / "folder"); }), Code::bad_key);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal([&] { SigningKey::read_or_make(folder / "pipe"); }), Code::bad_key);  // and does not wait
  EXPECT_EQ(refusal([&] { SigningKey::read_or_make("/proc/none/key"); }), Code::cannot_write);
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_EQ(refusal([&] { SigningKey::read_or_make(folder / "link"); }), Code::cannot_read);
  const check::FullDisk full(10);
  EXPECT_EQ(refusal([&] { SigningKey::read_or_make(folder / "new"); }), Code::cannot_write);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"folder", "link", "pipe"}));
}

// Variables as they should be, and back at the end.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::optional<std::string>>& wanted) {
    for (const auto& [name, value] : wanted) {
      const char* const old = std::getenv(name.c_str());
      before_[name] = old == nullptr ? std::nullopt : std::optional<std::string>(old);
      put(name, value);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : before_) put(name, value);
  }

 private:
  static void put(const std::string& name, const std::optional<std::string>& value) {
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

TEST(DefaultKeyPath, IsTheFirstThatIsSet) {
  {
    const Environment all({{"DITHER_KEY", "my.key"}, {"XDG_CONFIG_HOME", "/x"}, {"HOME", "/h"}});
    EXPECT_EQ(default_key_path(), "my.key");
  }
  {
    const Environment two({{"DITHER_KEY", ""}, {"XDG_CONFIG_HOME", "/x"}, {"HOME", "/h"}});
    EXPECT_EQ(default_key_path(), "/x/dither/ledger.key");
  }
  {
    const Environment relative({{"DITHER_KEY", std::nullopt}, {"XDG_CONFIG_HOME", "x"}, {"HOME", "/h"}});
    EXPECT_EQ(default_key_path(), "/h/.config/dither/ledger.key");
  }
  const Environment none({{"DITHER_KEY", std::nullopt}, {"XDG_CONFIG_HOME", std::nullopt}, {"HOME", ""}});
  EXPECT_EQ(refusal([] { default_key_path(); }), Code::bad_key);
}

}  // namespace
}  // namespace dither::ledger
