// A file for what does not fit in memory, without a name from the moment it exists.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace dither::engine::detail {

// The folder that a name of one means: "" is the system's for temporary files.
std::string folder_for_files(const std::string& folder);
// A new file in it that goes when it is closed. Refuses a folder in which none can be made (run-failed).
int nameless_file(const std::string& folder);

// Bytes that are appended by any thread and read back by any. Readable by this user alone while it is open (mode 0600), gone when it
// is closed or the process dies.
//
// Refuses    a folder in which no file can be made, a full disk, a read that fails: run-failed.
class SpillFile {
 public:
  explicit SpillFile(std::string folder) : folder_(std::move(folder)) {}  // made when the first bytes come
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  // Room for so many bytes: where it begins.
  std::uint64_t reserve(std::uint64_t bytes) { return size_.fetch_add(bytes); }
  void write(std::uint64_t place, const void* bytes, std::size_t size);
  void read(std::uint64_t place, void* bytes, std::size_t size) const;
  std::uint64_t size() const { return size_; }

 private:
  std::string folder_;
  std::once_flag opened_;
  int file_ = -1;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace dither::engine::detail
