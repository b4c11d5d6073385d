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

// Whether it makes sense to reserve room where these files lie: on tmpfs that would take memory.
bool holds_room(const std::string& folder);

// Room in a folder that this process holds for its runs: a file without a name, as long as what they reserved less what spill files
// take there. So these find room, and whoever looks at the disk sees as much taken, however much they grow.
class HeldRoom {
 public:
  // That of a folder, for as long as the process lives. A child of fork has rooms of its own, and changes none of its parent's.
  static HeldRoom& of(const std::string& folder);
  HeldRoom(const HeldRoom&) = delete;
  HeldRoom& operator=(const HeldRoom&) = delete;

  // Where the file system cannot reserve nothing is held. Refuses a disk that has no room (run-failed).
  void reserve(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) noexcept;
  // Spill files are about to take so many bytes, or gave them back.
  void grow(std::uint64_t bytes);
  void shrink(std::uint64_t bytes) noexcept;

 private:
  explicit HeldRoom(std::string folder) : folder_(std::move(folder)) {}
  bool fit() noexcept;  // the file, to what is to be held; false where there is no room for it
  static void forget_all() noexcept;

  static std::atomic<HeldRoom*> newest;  // of all; never destroyed: a thread may use them until the process ends
  static const int forget_in_children;

  const std::string folder_;
  HeldRoom* older_ = nullptr;
  std::mutex guard_;
  int file_ = -1;
  std::uint64_t reserved_ = 0, taken_ = 0, length_ = 0;
};

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
  void take_room(std::uint64_t end);

  std::string folder_;
  std::once_flag opened_;
  int file_ = -1;
  std::atomic<std::uint64_t> size_{0};
  std::mutex guard_;
  std::atomic<std::uint64_t> taken_{0};  // of the room that is held
};

}  // namespace dither::engine::detail
