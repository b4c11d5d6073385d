// Whether a ledger is what was written: every record, every sum, every answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ledger/head_file.h"
#include "ledger/store.h"

namespace dither::ledger {

// Something that is not as it was written. Record 0 where no single record is to blame.
struct Finding {
  std::uint64_t record = 0;
  std::string what;
  bool operator==(const Finding&) const = default;
};

struct VerifyOptions {
  // The key that must have signed. Without it the one that the first record names: then a ledger that was written anew
  // with another key passes.
  std::optional<std::string> public_key;
  std::string answers_folder;     // where long answers lie; "": they are not looked at
  std::vector<SignedHead> noted;  // heads that were noted elsewhere
  Progress* progress = nullptr;   // counts records
};

// Reads the whole ledger in one transaction and compares it with itself: numbers without gaps, the hash of each record,
// the signature over the head, the heads noted elsewhere; then every table, entry by entry, with what replaying the
// records gives; and every stored answer with its hash. Nothing is changed.
//
// Promise    no finding for a ledger that only this program wrote. A byte changed in a record, a table, an answer
//            or the signature, and records that were taken out, put in or moved, are found; the first finding names the
//            first record concerned, for an entry of a table the record that last wrote it. A chain that somebody
//            without the key computed anew is found by the signature, which can only name the last record; and, with a
//            head noted elsewhere, by that head. Records cut off at the end together with their effect and their
//            signature are found by a head noted elsewhere alone.
// Refuses    nothing that the ledger holds; only what cannot be read throws (cannot-read, ledger-busy).
// Cost       about 35 us a record; memory for all tables.
// Spec       P-26.
std::vector<Finding> verify(Store& store, const VerifyOptions& options);

// The same for a file, also for one whose pages were damaged or were changed by other programs: that is a finding
// besides. The head file beside it, its anchor and its folder of answers are looked at too.
// Refuses    a file that does not look like a ledger at all (not-a-ledger), or is of a newer version (ledger-newer).
std::vector<Finding> verify_file(const std::string& path, VerifyOptions options);

// How two copies of a ledger relate.
struct Comparison {
  enum class Kind { same, behind, ahead, forked };  // of the first, against the second
  Kind kind = Kind::same;
  std::uint64_t records = 0;  // how many the shorter one lacks
  std::uint64_t fork = 0;     // the first record that differs; 1: they are different ledgers
  bool operator==(const Comparison&) const = default;
};
// Compares record by record. It does not look at whether either of them is sound: see verify.
Comparison compare(Store& first, Store& second);

}  // namespace dither::ledger
