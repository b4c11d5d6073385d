#include "ledger/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "ledger/detail/descriptor.h"

namespace dither::ledger {
namespace {

using detail::Descriptor;
using detail::throw_cannot_write;

constexpr int kNameAttempts = 1000;

// Up to and with the last slash; empty for a name in the working folder.
std::string folder_part(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Makes what was done to the names in a folder durable.
void sync_folder(const std::string& path) {
  const std::string folder = folder_part(path);
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.open() || fsync(opened.get()) != 0) throw_cannot_write(path, "could not be made durable", errno);
}

// A complete, synced file under a hidden name beside the one it is for; it goes again unless that took its place.
class PartFile {
 public:
  PartFile(const std::string& path, std::string_view bytes, unsigned mode) : path_(path) {
    const Descriptor file = open_fresh(mode);
    int error = detail::write_at(file, bytes, 0);
    if (error == 0 && fsync(file.get()) != 0) error = errno;
    if (error != 0) {
      unlink(name_.c_str());  // no destructor runs for what was not constructed
      throw_cannot_write(path_, "could not be written", error);
    }
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (!placed_) unlink(name_.c_str());
  }

  void replace() {
    if (rename(name_.c_str(), path_.c_str()) != 0) throw_cannot_write(path_, "could not be replaced", errno);
    placed_ = true;
  }

  // False when the name is taken. Not every file system knows this rename; those that do not know links instead.
  bool place() {
    if (renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) {
      placed_ = true;
      return true;
    }
    if (errno == EINVAL && link(name_.c_str(), path_.c_str()) == 0) return true;
    if (errno == EEXIST) return false;
    throw_cannot_write(path_, "could not be created", errno);
  }

 private:
  Descriptor open_fresh(unsigned mode) {
    const std::string folder = folder_part(path_);
    for (int attempt = 0;; ++attempt) {
      // Cut, since with the ending a long name would be too long.
      name_ = fmt::format("{}.{}.{}-{}.part", folder, path_.substr(folder.size(), 200), getpid(), attempt);
      Descriptor file(open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (file.open()) return file;
      if (errno != EEXIST || attempt == kNameAttempts) throw_cannot_write(path_, "cannot be created", errno);
    }
  }

  std::string path_;
  std::string name_;
  bool placed_ = false;
};

}  // namespace

void write_durable_file(const std::string& path, std::string_view bytes, unsigned mode) {
  PartFile(path, bytes, mode).replace();
  sync_folder(path);
}

bool create_durable_file(const std::string& path, std::string_view bytes, unsigned mode) {
  if (!PartFile(path, bytes, mode).place()) return false;
  sync_folder(path);
  return true;
}

FolderLock::FolderLock(const std::string& path) {
  const std::string folder = folder_part(path);
  folder_ = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) throw_cannot_write(path, "could not be made", errno);
  while (flock(folder_, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int error = errno;
    close(folder_);
    throw_cannot_write(path, "could not be made", error);
  }
}

FolderLock::~FolderLock() { close(folder_); }

void FolderLock::take_place(const std::string& from, const std::string& to) const {
  if (rename(from.c_str(), to.c_str()) != 0) throw_cannot_write(to, "could not be made", errno);
  if (fsync(folder_) != 0) throw_cannot_write(to, "could not be made durable", errno);
}

void make_private_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return sync_folder(path);
  if (errno == ENOENT && !folder_part(path).empty()) {
    const std::string above = folder_part(path);
    make_private_folder(above.substr(0, above.find_last_not_of('/') + 1));
    if (mkdir(path.c_str(), 0700) == 0) return sync_folder(path);
  }
  struct stat there = {};
  const int error = errno;
  if (error == EEXIST && stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) return;
  throw_cannot_write(path, "cannot be made a folder", error == EEXIST ? ENOTDIR : error);
}

}  // namespace dither::ledger
