#include "engine/detail/spill_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = "dither-spill-";

[[noreturn]] void refuse(const fs::path& parent, std::error_code why) {
  throw Error{Code::cannot_write,
              fmt::format("cannot make a folder for temporary files in {}: {}", echo(parent.string()), why.message()),
              "let TMPDIR name a folder that may be written and has room"};
}

// A folder gets its lock under another name first, so that nobody finds one that is not locked yet and takes it for a left one.
void remove_left(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kBegins)) continue;
    const int lock = open((entry.path() / "lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
    close(lock);
  }
}

}  // namespace

SpillFolder::SpillFolder(const std::string& parent) {
  std::error_code error;
  const fs::path place = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  if (error) refuse("TMPDIR", error);
  remove_left(place);
  path_ = (place / (std::string(kBegins) + "XXXXXX")).string();
  if (mkdtemp(path_.data()) == nullptr) refuse(place, {errno, std::generic_category()});
  const std::string early = path_ + "/early";
  lock_ = open(early.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) refuse(place, {errno, std::generic_category()});
  fs::rename(early, path_ + "/lock", error);
  if (error) refuse(place, error);
}

SpillFolder::~SpillFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
  close(lock_);
}

}  // namespace dither::engine::detail
