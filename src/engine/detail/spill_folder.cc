#include "engine/detail/spill_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = "dither-spill-";
constexpr std::string_view kLock = ".lock";
constexpr int kMostTries = 100;

[[noreturn]] void refuse(const fs::path& parent, std::error_code why) {
  throw Error{Code::cannot_write,
              fmt::format("cannot make a folder for temporary files in {}: {}", echo(parent.string()), why.message()),
              "let TMPDIR name a folder that may be written and has room"};
}

bool is_own(const struct stat& found) { return found.st_uid == geteuid(); }

fs::path folder_of(const fs::path& lock) { return fs::path(lock).replace_extension(); }

// Takes the lock of a file that is still there; somebody who took it for a left one may have been faster.
bool take(int lock) {
  struct stat found {};
  return flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &found) == 0 && found.st_nlink > 0;
}

// The lock lies beside the folder: it is there before the folder is, and goes after it, so that no folder is without one. Whoever
// holds it alone decides about both.
void remove_left(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kBegins) || !name.ends_with(kLock)) continue;
    const int lock = open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;
    struct stat file {
    }, folder{};
    if (fstat(lock, &file) == 0 && is_own(file) && take(lock)) {
      const fs::path left = folder_of(entry.path());
      const bool is_there = lstat(left.c_str(), &folder) == 0;
      if (is_there && S_ISDIR(folder.st_mode) && is_own(folder)) fs::remove_all(left, error);
      if (!is_there || !fs::exists(left)) fs::remove(entry.path(), error);
    }
    close(lock);
  }
}

}  // namespace

SpillFolder::SpillFolder(const std::string& parent) {
  std::error_code error;
  const fs::path place = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  if (error) refuse("TMPDIR", error);
  remove_left(place);
  for (int tries = 0; tries < kMostTries; ++tries) {
    lock_path_ = (place / (std::string(kBegins) + "XXXXXX" + std::string(kLock))).string();
    lock_ = mkostemps(lock_path_.data(), static_cast<int>(kLock.size()), O_CLOEXEC);
    if (lock_ < 0) refuse(place, {errno, std::generic_category()});
    path_ = folder_of(lock_path_).string();
    if (take(lock_) && mkdir(path_.c_str(), 0700) == 0) return;
    error.assign(errno, std::generic_category());
    close(lock_);
    unlink(lock_path_.c_str());
  }
  refuse(place, error);
}

SpillFolder::~SpillFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
  unlink(lock_path_.c_str());
  close(lock_);
}

}  // namespace dither::engine::detail
