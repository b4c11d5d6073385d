// The chain of records: everything that ever happened to a ledger, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace dither::ledger {

// One thing that happened. The body is one line of JSON, kept byte for byte.
struct Record {
  std::uint64_t number = 0;  // from 1, without gaps
  std::string body;
  Digest hash;
  bool operator==(const Record&) const = default;
};

// How far a ledger has come: its last record, which vouches for all before it. Number 0 is before the first.
struct Head {
  std::uint64_t number = 0;
  Digest hash;
  bool operator==(const Head&) const = default;
};

// SHA-256 over the hash before, the number (8 bytes, the largest first) and the body. Whoever changes, drops or moves a
// record has to change every hash after it, and the head, which is signed.
Digest chained(const Digest& before, std::uint64_t number, std::string_view body);

// The record that follows `head`.
Record next_record(const Head& head, std::string body);
inline Head head_at(const Record& record) { return {record.number, record.hash}; }

}  // namespace dither::ledger
