// Files that are there in full or not at all, also after a power cut.
#pragma once

#include <string>
#include <string_view>

namespace dither::ledger {

// Writes a file in full and waits until the disk has it, replacing what had the name.
//
// Promise    whatever happens, the name leads to the old file or to the whole new one; on return, to the new one.
// Holds if   the disk keeps what it said it had written.
// Refuses    a folder that does not exist or may not be written, a full disk (cannot-write); leaves no other file then.
// Cost       two waits for the disk: the file, then its folder.
void write_durable_file(const std::string& path, std::string_view bytes, unsigned mode = 0666);

// The same for a name that must be new: false, and nothing written, when a file has it already. Of several processes
// exactly one is told true. The mode is cut by the process's umask, as everywhere.
bool create_durable_file(const std::string& path, std::string_view bytes, unsigned mode = 0666);

// The folder of this file, kept from all others who lock it, in this process and others, until it goes.
// Refuses    a folder that is not there (cannot-write).
class FolderLock {
 public:
  explicit FolderLock(const std::string& path);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  // Gives a file of this folder another name there, durably, replacing what had it.
  void take_place(const std::string& from, const std::string& to) const;

 private:
  int folder_;
};

// Makes a folder and those above it that are missing, for the owner alone (mode 0700), durably.
void make_private_folder(const std::string& path);

}  // namespace dither::ledger
