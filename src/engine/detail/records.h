// Files of records, read one after the other: what CSV and JSON share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dither::engine::detail {

// Bytes of a file; one whose name ends in .gz is unpacked.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // So many bytes at most; 0 at the end. Throws std::system_error when the disk or the packing fails.
  virtual std::size_t read(char* to, std::size_t most) = 0;
};
// Refuses    a file that cannot be opened (cannot-read).
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// Longer records are dropped.
inline constexpr std::size_t kLongestRecord = std::size_t{2} << 20;

// Records of one file. A record that is damaged is dropped alone, and counted.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // The fields of the next record; they stay until the next call, and have no data() where they are NULL. False at the end.
  virtual bool next(std::vector<std::string_view>& fields) = 0;

  std::uint64_t dropped() const { return dropped_; }

 protected:
  explicit RecordReader(const std::string& path);

  char* data() { return buffer_.data(); }
  const char* data() const { return buffer_.data(); }
  char byte(std::size_t place) const { return buffer_[place]; }

  // Brings what begins at at_ to the front, and more behind it. Places in the buffer are others then.
  void refill();
  // Whether more bytes of the record at at_ may be had by refilling.
  bool may_grow() const { return !finished_ && end_ - at_ < kLongestRecord; }
  // Where a record that begins at at_ must have ended.
  std::size_t limit() const { return end_ - at_ < kLongestRecord ? end_ : at_ + kLongestRecord; }
  // Counts the record at at_ as dropped and goes to the next line.
  void drop_line();
  void count_dropped() { ++dropped_; }

  std::size_t at_ = 0;     // where the next record begins, in the buffer
  std::size_t end_ = 0;    // of what is filled
  bool finished_ = false;  // the file has no more

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::uint64_t dropped_ = 0;
};

}  // namespace dither::engine::detail
