// Files and processes for the tests of this room.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dither::ledger::check {

// An empty folder that goes with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "dither-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  std::string file(std::string_view name) const { return *this / name; }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.insert(entry.path().filename().string());
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path);  // a file that is cut and written again is slow on some file systems
  std::ofstream(path, std::ios::binary) << bytes;
}

// While it lives, a write beyond so many bytes of a file is cut short and then fails, as on a full disk; for root too.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// Runs this in a child process, which ends with status 0 unless it throws; gives the child's number.
template <class Act>
pid_t in_child(Act&& act) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  try {
    act();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// How it ended, as waitpid tells.
inline int ended(pid_t pid) {
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace dither::ledger::check
