// A ledger as text: JSON Lines, for keeping, for reading with other programs, and for moving.
#pragma once

#include <iosfwd>
#include <string>

#include "ledger/store.h"

namespace dither::ledger {

// The version of the text that is written here.
inline constexpr int kTextVersion = 1;

// Writes one line that says what this is, one for each record, one for each stored answer, and the signed head:
//   {"format":"dither-ledger","version":1,"ledger":"5f..","public_key":"a0.."}
//   {"record":1,"body":"{\"kind\":\"ledger\",..}","hash":"e3.."}
//   {"answer":"9b..","bytes":"34322e"}               in the order of hashes, bytes in hexadecimal digits
//   {"head":{"hash":"..","ledger":"..","number":7,"signature":".."}}
//
// Promise    one state of the ledger, whoever writes meanwhile; all that replay needs, to the byte.
// Refuses    records, answers or a head that would be refused when read again (ledger-damaged); a stream that fails
//            (cannot-write).
void export_ledger(Store& store, const std::string& answers_folder, std::ostream& to);
void export_file(const std::string& path, std::ostream& to);

// Reads such a text into an empty store by replaying the records, so that every sum comes out again, bit for bit.
//
// Promise    every hash, the signature and every answer is checked before anything stays; when it throws, nothing does,
//            but for files that import_ledger wrote into the folder. The result is marked as a copy: nothing can be
//            spent from it until Ledger::restore takes it up.
// Refuses    a text of a newer version (ledger-newer); any line that would not be written exactly so, members that are
//            not known, an order that is not this one, an end without a head (bad-syntax); what does not fit together
//            (ledger-damaged); a store that is not empty, or a place that is taken (cannot-write). The line is named.
void import_ledger(std::istream& from, Store& into, const std::string& answers_folder);
void import_file(std::istream& from, const std::string& path);

}  // namespace dither::ledger
