// For tests: a folder for temporary files on a disk of a few MiB.
#pragma once

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/exact_check.h"

namespace dither::engine {

// Mounted where this thread, and those that it starts from now on, see it alone. Where the system lets nobody mount, may_be_made()
// is false.
class SmallFolder {
 public:
  explicit SmallFolder(std::uint64_t mebibytes) : path_(folder_.file("small")) {
    std::filesystem::create_directory(path_);
    const std::string size = fmt::format("size={}m,mode=0700", mebibytes);
    mounted_ = may_mount() && ::mount("tmpfs", path_.c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  SmallFolder(const SmallFolder&) = delete;
  SmallFolder& operator=(const SmallFolder&) = delete;
  ~SmallFolder() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }

  static bool may_be_made() { return SmallFolder(1).mounted_; }
  const std::string& path() const { return path_; }

 private:
  static bool may_mount() {
    static const bool own = has_own_mounts() && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return own;
  }
  // A user other than root has them in a namespace where it is root.
  static bool has_own_mounts() {
    if (::unshare(CLONE_NEWNS) == 0) return true;
    const uid_t user = ::getuid();
    const gid_t group = ::getgid();
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
    return ::getuid() == 0;
  }

  TestFolder folder_;
  std::string path_;
  bool mounted_ = false;
};

}  // namespace dither::engine
