// Files made of the ends of Parquet files, with and without their pages.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/parquet_footer.h"

namespace dither::engine::detail {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::size_t kTail = 8;          // the length of the footer, and the magic word
constexpr std::size_t kPiece = 1u << 20;  // bytes

class OpenFile {
 public:
  OpenFile(const std::string& path, int how, Code code)
      : path_(path), code_(code), file_(open(path.c_str(), how | O_CLOEXEC, 0600)) {
    if (file_ < 0) refuse();
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(file_); }

  std::uint64_t size() const {
    struct stat found {};
    if (fstat(file_, &found) != 0) refuse();
    return static_cast<std::uint64_t>(found.st_size);
  }
  std::string bytes(std::uint64_t from, std::size_t count) const {
    std::string read(count, '\0');
    std::size_t done = 0;
    while (done < count) {
      const ssize_t now = pread(file_, read.data() + done, count - done, static_cast<off_t>(from + done));
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) refuse();
      if (now == 0) throw BadFooter();  // it is shorter than it was
      done += static_cast<std::size_t>(now);
    }
    return read;
  }
  void write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t now = write(file_, bytes.data(), bytes.size());
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) refuse();
      bytes.remove_prefix(static_cast<std::size_t>(now));
    }
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error{code_, fmt::format("{}: {}", echo(path_), std::generic_category().message(errno)),
                "look whether it is there, may be used, and the disk has room"};
  }

  std::string path_;
  Code code_;
  int file_;
};

struct End {
  std::uint64_t pages = 0;  // bytes before the footer
  std::string footer;
};

End end_of(const OpenFile& file) {
  const std::uint64_t size = file.size();
  if (size < kMagic.size() + kTail) throw BadFooter();
  const std::string tail = file.bytes(size - kTail, kTail);
  if (tail.substr(4) != kMagic) throw BadFooter();
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::uint64_t{static_cast<unsigned char>(tail[i])} << (8 * i);
  if (length > size - kMagic.size() - kTail) throw BadFooter();
  const std::uint64_t pages = size - kTail - length;
  return {pages, file.bytes(pages, length)};
}

void write_end(const OpenFile& file, std::string_view footer) {
  std::string tail(footer);
  for (std::size_t i = 0; i < 4; ++i) tail += static_cast<char>(footer.size() >> (8 * i) & 255);
  file.write_all(tail.append(kMagic));
}

}  // namespace

ParquetFooter read_footer(const std::string& file) {
  return parse_footer(end_of(OpenFile(file, O_RDONLY, Code::cannot_read)).footer);
}

void write_look(const std::string& to, std::string_view footer) {
  const OpenFile file(to, O_WRONLY | O_CREAT | O_TRUNC, Code::cannot_write);
  file.write_all(kMagic);
  write_end(file, footer);
}

void write_raw_copy(const std::string& file, const std::string& to, const CancelToken& token) {
  const OpenFile from(file, O_RDONLY, Code::cannot_read);
  const End end = end_of(from);
  const ParquetFooter footer = parse_footer(end.footer);
  const OpenFile copy(to, O_WRONLY | O_CREAT | O_TRUNC, Code::cannot_write);
  try {
    for (std::uint64_t at = 0; at < end.pages; at += kPiece) {
      token.check();
      copy.write_all(from.bytes(at, static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, end.pages - at))));
    }
    write_end(copy, footer.raw);
  } catch (...) {
    unlink(to.c_str());  // room for others
    throw;
  }
}

}  // namespace dither::engine::detail
