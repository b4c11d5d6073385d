#include "engine/detail/records.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 18;  // grows where a record needs it
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kBadPacking = "its packing is damaged or cut off";

[[noreturn]] void lost(const std::string& path, const std::string& why) {
  throw Error{Code::cannot_read, fmt::format("cannot read {}: {}", echo(path), why),
              "look whether it is a file on a disk, complete, and packed as its name says"};
}

std::string in_words(int error) { return std::error_code(error, std::generic_category()).message(); }

class PlainFile : public ByteSource {
 public:
  PlainFile(int file, std::string path) : file_(file), path_(std::move(path)) {}
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile() override { close(file_); }

  std::size_t read(char* to, std::size_t most) override {
    for (;;) {
      const ssize_t got = ::read(file_, to, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) lost(path_, in_words(errno));
    }
  }

  void seek(std::uint64_t position) override {
    if (lseek(file_, static_cast<off_t>(position), SEEK_SET) < 0) lost(path_, in_words(errno));
  }

 private:
  int file_;
  std::string path_;
};

class PackedFile : public ByteSource {
 public:
  PackedFile(int file, const std::string& path) : file_(gzdopen(file, "rb")), path_(path) {
    if (file_ == nullptr) {
      close(file);
      throw std::bad_alloc();
    }
    gzbuffer(file_, 1U << 17);
  }
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;
  ~PackedFile() override { gzclose(file_); }

  std::size_t read(char* to, std::size_t most) override {
    const int got = gzread(file_, to, static_cast<unsigned>(most));
    int error = Z_OK;
    if (got >= 0) gzerror(file_, &error);  // a file that was cut off ends without a complaint of gzread
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END)) lost(path_, kBadPacking);
    return static_cast<std::size_t>(got);
  }

  void seek(std::uint64_t position) override {
    if (gzseek(file_, static_cast<z_off_t>(position), SEEK_SET) < 0) lost(path_, kBadPacking);
  }

 private:
  gzFile file_;
  std::string path_;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    throw Error{Code::cannot_read, fmt::format("cannot open {}: {}", echo(path), in_words(errno)),
                "look whether the file is there and may be read"};
  }
  if (path.ends_with(".gz")) return std::make_unique<PackedFile>(file, path);
  return std::make_unique<PlainFile>(file, path);
}

RecordReader::RecordReader(const std::string& path) : source_(open_bytes(path)), buffer_(kFirstBuffer) {
  refill();
  if (std::string_view(data(), end_).starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

void RecordReader::refill() {
  std::memmove(data(), data() + at_, end_ - at_);
  passed_ += at_;
  end_ -= at_;
  at_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), 2 * kLongestRecord));
  while (!finished_ && end_ < buffer_.size()) {
    const std::size_t got = source_->read(data() + end_, buffer_.size() - end_);
    finished_ = got == 0;
    end_ += got;
  }
}

bool RecordReader::has_bytes(std::size_t bytes) {
  while (end_ - at_ < bytes && !finished_) refill();
  return end_ - at_ >= bytes;
}

void RecordReader::skip_line() {
  while (has_bytes(1)) {
    const void* found = std::memchr(data() + at_, '\n', end_ - at_);
    const std::size_t before = at_;
    at_ = found == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(found) - data()) + 1;
    looked_at_ += at_ - before;
    if (found != nullptr) return;
  }
}

void RecordReader::put_damaged(std::vector<std::string_view>& cells) {
  ++damage_.records;
  for (std::uint64_t& count : damage_.cells) ++count;
  cells.assign(damage_.cells.size(), {});
}

}  // namespace dither::engine::detail
