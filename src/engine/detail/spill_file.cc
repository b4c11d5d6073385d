#include "engine/detail/spill_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "engine/engine.h"

namespace dither::engine::detail {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{4} << 20;  // so much of the room a spill file takes at a time

}  // namespace

std::string folder_for_files(const std::string& folder) {
  std::error_code error;
  return folder.empty() ? std::filesystem::temp_directory_path(error).string() : folder;
}

int nameless_file(const std::string& given) {
  const std::string folder = folder_for_files(given);
  int file = ::open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string path = folder + "/dither-XXXXXX";  // file systems that have no files without a name
  file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) run_failed();
  ::unlink(path.c_str());
  return file;
}

bool holds_room(const std::string& folder) {
  struct statfs system {};
  return ::statfs(folder_for_files(folder).c_str(), &system) == 0 && system.f_type != TMPFS_MAGIC;
}

std::atomic<HeldRoom*> HeldRoom::newest = nullptr;

// A lock would be held in a child if another thread was here; so rooms are only ever put before others.
HeldRoom& HeldRoom::of(const std::string& folder) {
  auto mine = std::unique_ptr<HeldRoom>(new HeldRoom(folder_for_files(folder)));
  HeldRoom* first = newest.load();
  do {
    for (HeldRoom* room = first; room != nullptr; room = room->older_) {
      if (room->folder_ == mine->folder_) return *room;
    }
    mine->older_ = first;
  } while (!newest.compare_exchange_strong(first, mine.get()));
  return *mine.release();
}

// The file is the parent's: it keeps its length. Nothing else of these rooms is used any more, their locks may be held.
void HeldRoom::forget_all() noexcept {
  for (const HeldRoom* room = newest.exchange(nullptr); room != nullptr; room = room->older_) {
    if (room->file_ >= 0) ::close(room->file_);
  }
}

[[maybe_unused]] const int HeldRoom::forget_in_children = pthread_atfork(nullptr, nullptr, forget_all);

void HeldRoom::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(guard_);
  if (!holds_room(folder_)) return;
  if (file_ < 0) file_ = nameless_file(folder_);
  reserved_ += bytes;
  if (fit()) return;
  reserved_ -= bytes;
  fit();
  run_failed();
}

void HeldRoom::give_back(std::uint64_t bytes) noexcept {
  const std::lock_guard lock(guard_);
  reserved_ -= std::min(bytes, reserved_);
  fit();
}

void HeldRoom::grow(std::uint64_t bytes) {
  const std::lock_guard lock(guard_);
  taken_ += bytes;
  fit();
}

void HeldRoom::shrink(std::uint64_t bytes) noexcept {
  const std::lock_guard lock(guard_);
  taken_ -= std::min(bytes, taken_);  // in a child of fork, the file may be its parent's
  fit();
}

bool HeldRoom::fit() noexcept {
  if (file_ < 0) return true;
  const std::uint64_t wanted = reserved_ - std::min(reserved_, taken_);
  if (wanted < length_ && ::ftruncate(file_, static_cast<off_t>(wanted)) == 0) length_ = wanted;
  if (reserved_ == 0) {
    ::close(std::exchange(file_, -1));  // first forgotten: a child of fork closes only what is open
    length_ = 0;
  }
  if (wanted <= length_) return true;
  if (::fallocate(file_, 0, 0, static_cast<off_t>(wanted)) == 0) return length_ = wanted, true;
  const int error = errno;
  if (::ftruncate(file_, static_cast<off_t>(length_)) != 0) length_ = 0;  // what was reserved of it
  return error != ENOSPC && error != EDQUOT && error != EFBIG;
}

SpillFile::~SpillFile() {
  if (file_ >= 0) ::close(file_);
  if (taken_ > 0) HeldRoom::of(folder_).shrink(taken_);
}

void SpillFile::take_room(std::uint64_t end) {
  if (end <= taken_) return;
  const std::lock_guard lock(guard_);
  if (end <= taken_) return;
  const std::uint64_t more = (end - taken_ + kStep - 1) / kStep * kStep;
  HeldRoom::of(folder_).grow(more);
  taken_ += more;
}

void SpillFile::write(std::uint64_t place, const void* bytes, std::size_t size) {
  std::call_once(opened_, [this] { file_ = nameless_file(folder_); });
  take_room(place + size);
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::pwrite(file_, at, size, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) run_failed();
    at += done;
    place += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void SpillFile::read(std::uint64_t place, void* bytes, std::size_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::pread(file_, at, size, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) run_failed();
    at += done;
    place += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

}  // namespace dither::engine::detail
