#include "ledger/detail/descriptor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace dither::ledger::detail {

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

void throw_cannot_read(const std::string& path, int error) {
  throw Error{Code::cannot_read, fmt::format("{} cannot be read: {}", echo(path), std::strerror(error)),
              "name a file that exists and that you may read"};
}

void throw_cannot_write(const std::string& path, std::string_view what, int error) {
  const char* const hint = error == ENOSPC || error == EDQUOT || error == EFBIG
                               ? "free some space or raise the limit; nothing was changed"
                               : "name a file in a folder that exists and that you may write to";
  throw Error{Code::cannot_write, fmt::format("{} {}: {}", echo(path), what, std::strerror(error)), hint};
}

std::string read_up_to(const Descriptor& file, std::size_t most, const std::string& path) {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t got = pread(file.get(), bytes.data() + size, most - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_cannot_read(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

int write_at(const Descriptor& file, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::size_t>(put);
  }
  return 0;
}

}  // namespace dither::ledger::detail
