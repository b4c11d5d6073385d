// What vouches for how far a ledger has come: a signed head, and a file that never goes backwards.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ledger/record.h"
#include "ledger/signing_key.h"

namespace dither::ledger {

struct SignedHead {
  std::string ledger;  // its id, in hexadecimal digits: up to 32 bytes
  Head head;
  std::string signature;  // of head_message; 128 hexadecimal digits
  bool operator==(const SignedHead&) const = default;
};

// The bytes that are signed. They begin with what they are for, so that no other signature can pass for one of a head.
std::string head_message(const std::string& ledger, const Head& head);
SignedHead sign_head(const SigningKey& key, const std::string& ledger, const Head& head);
bool head_verifies(const SignedHead& head, std::string_view public_key);

// One line of JSON without the line's end, to print, to note down and to give to `--head`. Every head has one text:
// {"hash":"..","ledger":"..","number":7,"signature":".."}. The reverse refuses any other spelling (bad-syntax).
std::string head_text(const SignedHead& head);
SignedHead head_from_text(std::string_view text);

// Notes a head in a file, which is made if need be.
//
// Promise    the file's head never goes backwards, however many processes write at once: a lower number, or the same
//            head again, changes nothing. It holds two copies written in turn, so a write that is cut short leaves the
//            one before. With `sync` the disk has it on return; without, a power cut may bring an older head back.
// Refuses    the head of another ledger (other-ledger); the number of the file's head with another hash, so that one of
//            the two ledgers went back and then on (ledger-behind); a damaged file (ledger-damaged); one that another
//            process keeps locked for ten seconds (ledger-busy); what cannot be written (cannot-write).
// Cost       a few microseconds without `sync`; the first write of a file always waits for the disk.
void write_head_file(const std::string& path, const SignedHead& head, bool sync);

// The head that a file holds; nothing when there is no file. It checks no signature, and never waits for a writer. When
// neither copy can be read, or bytes differ that no write changes: ledger-damaged.
std::optional<SignedHead> read_head_file(const std::string& path);

}  // namespace dither::ledger
