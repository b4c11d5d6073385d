#include "ledger/detail/new_ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/descriptor.h"
#include "ledger/ledger.h"

namespace dither::ledger::detail {
namespace {

namespace fs = std::filesystem;

void require_free(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  throw Error{Code::cannot_write, fmt::format("{} is there already", echo(path)), "choose another place"};
}

std::string hidden_name(const std::string& path) {
  static std::atomic<int> count = 0;
  const fs::path place(path);
  return (place.parent_path() / fmt::format(".{}.{}-{}.part", place.filename().string(), getpid(), count++)).string();
}

// Moves a file or folder to a name that must be free. Not every file system knows that; those that do not get a plain
// rename.
void move_to_free(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EINVAL) {
    require_free(to);
    if (rename(from.c_str(), to.c_str()) == 0) return;
  }
  throw_cannot_write(to, "could not be created", errno);
}

void sync_folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.open() || fsync(opened.get()) != 0) throw_cannot_write(path, "could not be made durable", errno);
}

}  // namespace

NewLedger::NewLedger(const std::string& path) : path_(path), part_(hidden_name(path)) {
  // A log that another ledger left there would be written into this one.
  const std::string log = path_ + "-wal";
  const std::string journal = path_ + "-journal";
  for (const std::string& taken : {path_, head_file_of(path_), answers_folder_of(path_), log, journal}) {
    require_free(taken);
  }
}

NewLedger::~NewLedger() {
  if (placed_) return;
  std::error_code ignored;
  for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(part_ + end, ignored);
  fs::remove_all(placed_answers_ ? answers_folder_of(path_) : answers_folder(), ignored);
}

std::string NewLedger::answers_folder() const { return answers_folder_of(part_); }

void NewLedger::place() {
  if (fs::exists(part_ + "-wal")) {  // closing writes it into the file, unless the disk refuses
    throw Error{Code::cannot_write, fmt::format("{} could not be completed", echo(path_)), "make room on the disk"};
  }
  if (fs::exists(answers_folder())) {
    move_to_free(answers_folder(), answers_folder_of(path_));
    placed_answers_ = true;
  }
  move_to_free(part_, path_);
  placed_ = true;
  sync_folder_of(path_);
}

}  // namespace dither::ledger::detail
