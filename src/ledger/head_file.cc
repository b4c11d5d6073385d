#include "ledger/head_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/descriptor.h"
#include "ledger/durable_file.h"

namespace dither::ledger {
namespace {

using detail::Descriptor;
using nlohmann::json;
using std::chrono::milliseconds;

// The file is two slots of one block of a disk each. A slot is a line: a hash of the text, a space, the text, spaces.
constexpr std::size_t kSlot = 4096;
constexpr std::size_t kMostText = 389;  // of hash and text; from there on a slot is spaces, whatever head it holds
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kSignatureDigits = 128;
constexpr std::size_t kLongestId = 64;

constexpr std::string_view kUnreadable = "holds no head of a ledger that can be read";

constexpr milliseconds kPatience{10'000};
constexpr int kReadAttempts = 20;

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

bool is_a_head(const SignedHead& head) {
  return !head.ledger.empty() && head.ledger.size() <= kLongestId && head.ledger.size() % 2 == 0 &&
         is_hex(head.ledger) && head.signature.size() == kSignatureDigits && is_hex(head.signature);
}

// A head from its one text, or nothing from any other.
std::optional<SignedHead> parsed(std::string_view text) {
  try {
    const json read = json::parse(text);
    if (!read.at("number").is_number_unsigned()) return std::nullopt;
    SignedHead head{read.at("ledger").get<std::string>(),
                    {read.at("number").get<std::uint64_t>(), Digest::from_hex(read.at("hash").get<std::string>())},
                    read.at("signature").get<std::string>()};
    if (is_a_head(head) && head_text(head) == text) return head;
  } catch (const json::exception&) {  // no JSON, or other members
  } catch (const Error&) {            // no hash
  }
  return std::nullopt;
}

std::string slot_of(const SignedHead& head) {
  const std::string text = head_text(head);
  std::string slot = fmt::format("{} {}", sha256(text).hex(), text);
  slot.resize(kSlot - 1, ' ');
  return slot + '\n';
}

// The head in a slot, or nothing when the slot is not as it was written.
std::optional<SignedHead> head_in(std::string_view slot) {
  const std::size_t last = slot.find_last_not_of(' ', slot.size() < kSlot ? 0 : kSlot - 2);
  if (slot.size() != kSlot || slot.back() != '\n' || last <= kHashDigits) return std::nullopt;
  const std::string_view text = slot.substr(kHashDigits + 1, last - kHashDigits);
  if (slot.substr(0, kHashDigits + 1) != sha256(text).hex() + ' ') return std::nullopt;
  return parsed(text);
}

// Where every head leaves the same bytes, so that a write which is cut short changes nothing. What differs was damaged otherwise,
// and must not pass for such a write, after which the head before counts.
bool padding_is_damaged(std::string_view slot) {
  static const std::string padding = std::string(kSlot - kMostText - 1, ' ') + '\n';
  return !std::string_view(padding).starts_with(slot.substr(std::min(kMostText, slot.size())));
}

struct Slots {
  std::array<std::optional<SignedHead>, 2> heads;
  bool whole;  // as long as it should be

  bool one_is_damaged() const { return !heads[0] || !heads[1]; }

  bool second_is_newest() const { return heads[1] && (!heads[0] || heads[1]->head.number > heads[0]->head.number); }
  const std::optional<SignedHead>& newest() const { return heads[second_is_newest() ? 1 : 0]; }
};

[[noreturn]] void throw_damaged(const std::string& path, std::string_view how) {
  throw Error{Code::ledger_damaged, fmt::format("{} {}", echo(path), how),
              "bring the file back from a backup; without one, check the ledger against a head noted elsewhere, then "
              "remove the file"};
}

Slots read_slots(const Descriptor& file, const std::string& path) {
  const std::string bytes = detail::read_up_to(file, 2 * kSlot + 1, path);
  const std::string_view all = bytes;
  const std::string_view first = all.substr(0, kSlot), second = all.substr(std::min(kSlot, all.size()));
  Slots slots{{{head_in(first), head_in(second)}}, all.size() == 2 * kSlot};
  const bool is_one = slots.heads[0] || slots.heads[1];
  if (is_one && (second.size() > kSlot || padding_is_damaged(first) || padding_is_damaged(second))) {
    throw_damaged(path, "was changed where no head is written");
  }
  return slots;
}

// Waits for its turn to write. The lock ends with the descriptor, or with the process.
void lock(const Descriptor& file, const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) detail::throw_cannot_write(path, "cannot be locked", errno);
    if (std::chrono::steady_clock::now() > end) {
      throw Error{Code::ledger_busy, fmt::format("{} is kept locked by another process", echo(path)),
                  "see which process uses the ledger, and end it if it hangs"};
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void require_same_ledger(const SignedHead& noted, const SignedHead& head, const std::string& path) {
  if (noted.ledger != head.ledger) {
    throw Error{Code::other_ledger,
                fmt::format("{} vouches for ledger {}, but this is ledger {}", echo(path), noted.ledger, head.ledger),
                "name another file for the heads of this ledger"};
  }
  if (noted.head.number == head.head.number && noted.head.hash != head.head.hash) {
    throw Error{
        Code::ledger_behind,
        fmt::format("record {} of this ledger is not the one that {} vouches for", head.head.number, echo(path)),
        "go on with the ledger that wrote that file; this one is a copy that was brought back and written to"};
  }
}

Descriptor opened(const std::string& path, int flags) { return Descriptor(open(path.c_str(), flags | O_CLOEXEC)); }

// Open to read and write; made with this head when it is missing.
Descriptor open_or_make(const std::string& path, const SignedHead& head) {
  Descriptor file = opened(path, O_RDWR);
  if (!file.open() && errno == ENOENT) {
    const std::string slot = slot_of(head);
    create_durable_file(path, slot + slot);  // or another process has just done so
    file = opened(path, O_RDWR);
  }
  if (!file.open()) detail::throw_cannot_write(path, "cannot be opened", errno);
  return file;
}

}  // namespace

std::string head_message(const std::string& ledger, const Head& head) {
  return fmt::format("dither ledger head\n{}\n{}\n{}\n", ledger, head.number, head.hash.hex());
}

SignedHead sign_head(const SigningKey& key, const std::string& ledger, const Head& head) {
  return {ledger, head, key.sign(head_message(ledger, head))};
}

bool head_verifies(const SignedHead& head, std::string_view public_key) {
  return verifies(public_key, head_message(head.ledger, head.head), head.signature);
}

std::string head_text(const SignedHead& head) {
  return fmt::format(R"({{"hash":"{}","ledger":"{}","number":{},"signature":"{}"}})", head.head.hash.hex(), head.ledger,
                     head.head.number, head.signature);
}

SignedHead head_from_text(std::string_view text) {
  if (auto head = parsed(text)) return *std::move(head);
  throw Error{Code::bad_syntax, fmt::format("{} is not the head of a ledger", echo(text)),
              "give the line as it was printed, from the first brace to the last"};
}

void write_head_file(const std::string& path, const SignedHead& head, bool sync) {
  const Descriptor file = open_or_make(path, head);
  lock(file, path);
  const Slots slots = read_slots(file, path);
  if (!slots.newest()) throw_damaged(path, kUnreadable);
  require_same_ledger(*slots.newest(), head, path);
  int error = 0;
  if (slots.newest()->head.number < head.head.number) {
    error = detail::write_at(file, slot_of(head), slots.second_is_newest() ? 0 : kSlot);
  }
  if (error == 0 && sync && fdatasync(file.get()) != 0) error = errno;
  if (error != 0) detail::throw_cannot_write(path, "could not be written", error);
}

std::optional<SignedHead> read_head_file(const std::string& path) {
  const Descriptor file = opened(path, O_RDONLY | O_NONBLOCK);
  if (!file.open() && errno == ENOENT) return std::nullopt;
  if (!file.open()) detail::throw_cannot_read(path, errno);
  Slots slots = read_slots(file, path);
  // A copy that cannot be read may only be half written: what it will say is newer than what the other says.
  for (int attempt = 0; attempt < kReadAttempts && slots.whole && slots.one_is_damaged(); ++attempt) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    slots = read_slots(file, path);
  }
  if (!slots.newest()) throw_damaged(path, kUnreadable);
  return slots.newest();
}

}  // namespace dither::ledger
