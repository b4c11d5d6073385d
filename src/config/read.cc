#include "config/read.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "config/detail/parse.h"

namespace dither::config {

namespace {

[[noreturn]] void fail(const std::string& name, int error) {
  const std::string why = error == ENOENT ? "no such file" : error == EISDIR ? "it is a folder" : std::strerror(error);
  throw Error{Code::cannot_read, fmt::format("{}: {}", printable(name), why),
              "check the path; a single - reads standard input"};
}

// Everything up to the end, or one byte more than a file may have.
std::string read_all(int fd, const std::string& name) {
  std::string text;
  std::array<char, 65536> chunk;
  while (text.size() <= kMaxFileBytes) {
    const ssize_t count = read(fd, chunk.data(), std::min(chunk.size(), kMaxFileBytes + 1 - text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name, errno);
    if (count == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return text;
}

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(path, errno);
  }
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Value read_text(std::string text, const std::string& name) {
  detail::Source source(std::move(text), name);
  return detail::parse(source);
}

Value read_file(const std::string& path) {
  if (path == "-") return read_text(read_all(STDIN_FILENO, "standard input"), "standard input");
  if (path.find('\0') != std::string::npos) fail(path, ENOENT);
  return read_text(read_all(File(path).fd(), path), path);
}

}  // namespace dither::config
