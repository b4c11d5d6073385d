#include "ledger/local_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/descriptor.h"

namespace dither::ledger {
namespace {

struct Kind {
  std::uint32_t type;
  std::string_view name;
};

// From the kernel's magic.h and from the file systems' own sources. Those that several machines, or a machine and its
// guests, see at once.
constexpr std::array kShared = {
    Kind{0x6969, "NFS"},
    Kind{0x517B, "SMB"},
    Kind{0xFF534D42, "CIFS"},
    Kind{0xFE534D42, "SMB2"},
    Kind{0x5346414F, "AFS"},
    Kind{0x6B414653, "AFS"},
    Kind{0x73757245, "Coda"},
    Kind{0x00C36400, "Ceph"},
    Kind{0x01021997, "9P"},
    Kind{0x0BD00BD0, "Lustre"},
    Kind{0x01161970, "GFS2"},
    Kind{0x7461636F, "OCFS2"},
    Kind{0x564C, "NCP"},
    Kind{0x47504653, "GPFS"},
    Kind{0x19830326, "BeeGFS"},
    Kind{0x20030528, "OrangeFS"},
    Kind{0xAAD7AAEA, "PanFS"},
    Kind{0xBACBACBC, "VMware folders"},
    Kind{0x786F4256, "VirtualBox folders"},
};
constexpr std::uint32_t kFuse = 0x65735546;

// The next word of a line, which is taken off it.
std::string_view next_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  return word;
}

std::string read_mountinfo() {
  const detail::Descriptor file(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!file.open()) return "";  // then FUSE counts as shared
  return detail::read_up_to(file, 1 << 22, "/proc/self/mountinfo");
}

std::string kind_of(const std::string& path, const struct stat& about) {
  struct statfs system = {};
  while (statfs(path.c_str(), &system) != 0) {
    if (errno != EINTR) detail::throw_cannot_read(path, errno);
  }
  const auto type = static_cast<long>(system.f_type);
  if (static_cast<std::uint32_t>(type) != kFuse) return network_kind(type, "");
  const std::string device = fmt::format("{}:{}", major(about.st_dev), minor(about.st_dev));
  return network_kind(type, mount_type_of(read_mountinfo(), device));
}

void require_local_system(const std::string& path, const struct stat& about, const std::string& ledger) {
  const std::string kind = kind_of(path, about);
  if (kind.empty()) return;
  throw Error{Code::network_file,
              fmt::format("{} is on a shared file system ({}), where locks and syncs may fail", echo(ledger), kind),
              "put the ledger on a disk of this machine"};
}

[[noreturn]] void throw_not_a_file(const std::string& path, std::string_view what) {
  throw Error{Code::cannot_read, fmt::format("{} is {}, not a file", echo(path), what),
              "name the file of a ledger, or one that does not exist yet"};
}

std::string_view what_it_is(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "a pipe or socket";
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void require_folder(const std::string& path) {
  const std::string folder = folder_of(path);
  struct stat about = {};
  if (stat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) {
    throw Error{Code::cannot_write,
                fmt::format("{} cannot be created: there is no folder {}", echo(path), echo(folder)),
                fmt::format("make it first with `mkdir -p {}`, or name a file elsewhere", echo(folder))};
  }
  require_local_system(folder, about, path);
}

}  // namespace

std::string network_kind(long type, std::string_view mount_type) {
  const auto bits = static_cast<std::uint32_t>(type);  // some kernels give it with a sign
  if (bits == kFuse) {
    if (mount_type == "fuseblk" || mount_type == "fuse.fuse-overlayfs") return "";
    return mount_type.empty() ? "fuse" : std::string(mount_type);
  }
  for (const Kind& kind : kShared) {
    if (kind.type == bits) return std::string(kind.name);
  }
  return "";
}

std::string mount_type_of(std::string_view mountinfo, std::string_view device) {
  while (!mountinfo.empty()) {
    std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(mountinfo.size(), line.size() + 1));
    next_word(line);  // ids of the mount and of the one above
    next_word(line);
    if (next_word(line) != device) continue;
    const std::size_t dash = line.find(" - ");  // optional fields end here
    if (dash == std::string_view::npos) continue;
    line.remove_prefix(dash + 3);
    return std::string(next_word(line));
  }
  return "";
}

void require_local(const std::string& path) {
  if (path.empty() || path.ends_with('/')) throw_not_a_file(path, path.empty() ? "an empty name" : "a folder");
  struct stat about = {};
  if (stat(path.c_str(), &about) == 0) {
    if (!S_ISREG(about.st_mode)) throw_not_a_file(path, what_it_is(about.st_mode));
    return require_local_system(path, about, path);
  }
  const int error = errno;
  if (lstat(path.c_str(), &about) == 0) throw_not_a_file(path, "a symbolic link that leads nowhere");
  if (error != ENOENT && error != ENOTDIR) detail::throw_cannot_read(path, error);
  require_folder(path);
}

}  // namespace dither::ledger
