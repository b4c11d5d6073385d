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
  // So many bytes at most; 0 at the end.
  // Refuses    what the disk or the packing cannot give (cannot-read).
  virtual std::size_t read(char* to, std::size_t most) = 0;
  // Goes on at this byte of the file, or at its end. Refuses as read().
  virtual void seek(std::uint64_t position) = 0;
};
// Refuses    a file that cannot be opened (cannot-read).
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// Longer records are damaged.
inline constexpr std::size_t kLongestRecord = std::size_t{2} << 20;

// Records of one file. Each is one row, whatever its bytes are: cells that cannot be read are NULL, and a damaged record is a row of
// NULL. So what one record holds never changes how many rows there are, nor what others hold.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // The cells of the next record; they stay until the next call, and have no data() where they are NULL. False at the end.
  virtual bool next(std::vector<std::string_view>& cells) = 0;

  // What could not be read so far.
  struct Damage {
    std::uint64_t records = 0;
    std::vector<std::uint64_t> cells;  // by column, those of damaged records too
  };
  const Damage& damage() const { return damage_; }

  // How many bytes were looked at so far, as often as each was: reading is linear in the file, which a test checks.
  std::uint64_t looked_at() const { return looked_at_; }

 protected:
  explicit RecordReader(const std::string& path);

  char* data() { return buffer_.data(); }
  const char* data() const { return buffer_.data(); }
  char byte(std::size_t place) const { return buffer_[place]; }
  std::uint64_t position(std::size_t place) const { return passed_ + place; }  // in the file

  // Brings what begins at at_ to the front, and more after it. Places in the buffer are others then.
  void refill();
  // Whether more bytes of the record at at_ may be had by refilling.
  bool may_grow() const { return !finished_ && end_ - at_ < kLongestRecord; }
  // Where a record that begins at at_ must have ended.
  std::size_t limit() const { return end_ - at_ < kLongestRecord ? end_ : at_ + kLongestRecord; }
  bool ends_with_file(std::size_t place) const { return place == end_ && finished_; }

  // Whether there are so many bytes at at_, refilling where that takes it.
  bool has_bytes(std::size_t bytes);
  // Passes all up to the next end of a line, and that too.
  void skip_line();

  // The row of a record that cannot be read.
  void put_damaged(std::vector<std::string_view>& cells);

  std::size_t at_ = 0;     // where the next record begins, in the buffer
  std::size_t end_ = 0;    // of what is filled
  bool finished_ = false;  // the file has no more
  Damage damage_;
  std::uint64_t looked_at_ = 0;

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::uint64_t passed_ = 0;  // bytes of the file before the buffer
};

}  // namespace dither::engine::detail
