// A SQLite VFS whose files live in memory and whose power can fail, for tests of what survives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "testing/crash_disk.h"

namespace dither::testing {

// A machine with one disk. Open databases on it through `vfs_name()`; any path will do.
//
// Behaves    as the "unix" VFS does for connections of one process: locks, shared memory for WAL, temporary files. As
//            there, the first sync of a new journal or log and a deletion with syncDir also sync the names (one more
//            sync in the count), sectors have 4096 bytes, and a write leaves the bytes beside it alone.
// Power      when it fails, the operation that meets it and every later one give SQLITE_IOERR and change nothing;
//            closing always works. `after_crash` says what a disk may hold then; call it as often as there are
//            survivals and seeds, at any moment, also while power is on. `restart` starts again with such images.
// Counting   from 1 since the construction or the last `restart`, over all files. A write is an xWrite to a named file.
//            A fault just before the (n+1)-th event covers a crash just after the n-th, so a run without faults tells
//            all points: 1 to syncs() + 1 and 1 to writes() + 1, where the last is reached by nobody.
// Holds if   no connection opened before `restart` is used after it for anything but closing (it gets SQLITE_IOERR),
//            and all are closed before the machine is destroyed. Thread safe.
class PowerLoss {
 public:
  PowerLoss();
  ~PowerLoss();
  PowerLoss(const PowerLoss&) = delete;
  PowerLoss& operator=(const PowerLoss&) = delete;

  // Unique in the process, so another VFS may be stacked on it by name.
  const char* vfs_name() const;

  void fail_at_sync(std::uint64_t n);
  void fail_at_write(std::uint64_t n);
  // The n-th write gives SQLITE_FULL and writes nothing; if `lasting`, so does every later one.
  void fill_at_write(std::uint64_t n, bool lasting);
  void fail_now();
  bool has_failed() const;

  std::uint64_t syncs() const;
  std::uint64_t writes() const;

  // What processes see now, and what the disk may hold if power fails now or has failed.
  Images now() const;
  Images after_crash(Survival survival, std::uint64_t seed) const;
  // Power returns: these files and no others, all synced; counts at 0, no faults.
  void restart(const Images& images);

  struct Machine;  // known to the source file alone

 private:
  std::unique_ptr<Machine> machine_;
};

}  // namespace dither::testing
