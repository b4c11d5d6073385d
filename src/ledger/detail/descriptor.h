// Open files, and the errors of those that cannot be.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace dither::ledger::detail {

// An open file that is closed at the end; negative when there is none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

// cannot-read and cannot-write: which file, what it could not do, and the system's reason.
[[noreturn]] void throw_cannot_read(const std::string& path, int error);
[[noreturn]] void throw_cannot_write(const std::string& path, std::string_view what, int error);

// All of a file, but no more than `most` bytes of it, from its start.
std::string read_up_to(const Descriptor& file, std::size_t most, const std::string& path);

// Writes all the bytes at this place; the number of the error that stopped it, or 0.
int write_at(const Descriptor& file, std::string_view bytes, std::size_t offset);

}  // namespace dither::ledger::detail
