#include "cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither::cli {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& option, const std::string& why) {
  throw Error{Code::cannot_read, fmt::format("{} is {}, which cannot be read: {}", option, echo(path), why),
              "name a file that is there"};
}

std::string why_not() { return std::generic_category().message(errno); }

class File {
 public:
  explicit File(const std::string& path) : fd_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string read_bytes(const std::string& path, const std::string& option) {
  const File file(path);
  struct stat about = {};
  if (file.fd() < 0 || fstat(file.fd(), &about) != 0) refuse(path, option, why_not());
  if (S_ISDIR(about.st_mode)) refuse(path, option, "it is a folder");
  // A device such as /dev/zero has no end.
  if (path != "-" && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))) refuse(path, option, "it is a device");
  std::string bytes;
  std::array<char, 1 << 16> block{};
  for (;;) {
    const ssize_t got = read(file.fd(), block.data(), block.size());
    if (got == 0) return bytes;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, option, why_not());
    bytes.append(block.data(), static_cast<std::size_t>(got));
  }
}

std::string without_mark(std::string text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

}  // namespace dither::cli
