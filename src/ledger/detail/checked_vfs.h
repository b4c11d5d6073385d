// A checksum in every page of the ledger's database file, so that a flipped bit is found when its page is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct sqlite3;

namespace dither::ledger::detail {

// Every file has pages of this one size, so a damaged page size in a header cannot mislead the reader.
inline constexpr std::size_t kPageBytes = 4096;
// At the end of each page, out of SQLite's use, stands the page's checksum.
inline constexpr std::size_t kChecksumBytes = 8;

using Page = std::span<const std::uint8_t, kPageBytes>;
using PageChecksum = std::array<std::uint8_t, kChecksumBytes>;

// The checksum of what stands before the last kChecksumBytes of page `number` (from 1).
// A change inside one aligned 8-byte word, so every single flipped bit, always gives another checksum; other damage,
// swapped pages among it, slips through with chance about 2^-64. It does not stop a person: the chain does.
PageChecksum page_checksum(std::uint32_t number, Page page);

// The name of a SQLite VFS, registered on first use, that stands on the VFS named `underlying` (empty: the default)
// and puts a checksum into every page written to a main database file, and checks every page read from it.
//
// Promises   a page with a wrong checksum is never given to SQLite: the read fails with SQLITE_IOERR_DATA. So does the
//            read of a page that the file is too short for (SQLite itself would take zeros), of half a last page, and
//            of page 1 of any other file, be it text or a database made without this VFS.
// Holds if   the database has kPageBytes a page and kChecksumBytes reserved in each (`reserve_page_bytes`), and is in
//            WAL mode, where every page is written before it is read (in the other modes SQLite may leave out a free
//            page, which a backup then cannot read). A page 1 with another page size or reservation is not written
//            (SQLITE_IOERR_WRITE): a forgotten reservation, or a backup of another file into this one, fails in its
//            first transaction. VACUUM, VACUUM INTO and sqlite3_backup keep the reservation; the target of a backup
//            must be opened through this VFS too, else its checksums are stale.
// Lets pass  write-ahead log, shared memory, journals and temporary files, unchanged. A log has checksums of its own,
//            which SQLite looks at when it recovers but not when it reads: a bit that flips in a log in use is copied
//            by the next checkpoint, with a fresh checksum. An empty file is a new database, as ever. Header bytes (the
//            first 100) that SQLite asks for alone are not checked; it reads page 1 before it relies on them.
// Refuses    an underlying VFS that does not exist (bad-argument); one that has no shared memory, such as
//            "unix-none" (SQLITE_CANTOPEN at open).
// Cost       under a microsecond a page. Memory-mapped reading is off. Thread safe; the name lives for ever.
const char* checked_vfs_name(std::string_view underlying = {});

// Asks SQLite to leave room for the checksums. Call on a new database after opening and before anything is written;
// on an old one it changes nothing.
void reserve_page_bytes(sqlite3* database);

}  // namespace dither::ledger::detail
