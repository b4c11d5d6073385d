// Rows sorted on disk: as many as the disk holds, in as much memory as is given.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/spill_file.h"

namespace dither::engine::detail {

// A sorted piece of a file: records of a length (7 bits a byte, the last one below 128) and so many bytes.
struct SortedRun {
  std::uint64_t place;
  std::uint64_t bytes;
};

// Records one after the other into a file, a run at a time.
class RunWriter {
 public:
  explicit RunWriter(SpillFile& file) : file_(file) {}

  // Before the records of a run, whose bytes with their lengths are known.
  void start(std::uint64_t bytes) { begin_ = at_ = file_.reserve(bytes); }
  // Instead, where nothing else is written to the file.
  void start() { start(0); }
  void add(std::string_view record);
  // Where the next record goes.
  std::uint64_t place() const { return at_ + buffer_.size(); }
  SortedRun end();

  static std::uint64_t bytes_of(std::uint64_t size);  // of a record, with its length

 private:
  void flush();

  SpillFile& file_;
  std::uint64_t begin_ = 0, at_ = 0;
  std::string buffer_;
};

// Takes records, by one thread, and writes them to the file as sorted runs.
//
// Memory     `bytes`, all at once; a record that is larger is a run by itself.
class RowSorter {
 public:
  RowSorter(SpillFile& file, std::uint64_t bytes);

  void add(std::string_view record);
  // All that is left goes to the file, and the memory is given back.
  void finish();
  const std::vector<SortedRun>& runs() const { return runs_; }
  std::uint64_t longest() const { return longest_; }  // of the records, in bytes

 private:
  struct Entry {
    std::uint64_t first;  // bytes, as a number that orders them
    std::uint64_t begin, size;
  };
  Entry* entries() { return reinterpret_cast<Entry*>(room_.get() + size_ - entries_ * sizeof(Entry)); }
  void flush();

  SpillFile& file_;
  std::uint64_t size_;
  std::unique_ptr<char[]> room_;  // records from the front, entries from the end
  std::uint64_t used_ = 0, entries_ = 0, longest_ = 0;
  std::vector<SortedRun> runs_;
};

// Reads a run a piece at a time. A copy goes on from the same record.
class RunReader {
 public:
  RunReader(const SpillFile& file, SortedRun run, std::uint64_t bytes);

  bool at_end() const { return size_ == 0; }
  std::string_view record() const { return {buffer_.data() + begin_, size_}; }
  void next();

 private:
  bool read_size(std::size_t& header);
  void refill();

  const SpillFile* file_;
  SortedRun rest_;  // not read yet
  std::uint64_t piece_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, size_ = 0;  // the record
};

// All runs as one, ascending by memcmp. A copy goes on from the same record; records are never empty.
class SortedCursor {
 public:
  SortedCursor(const SpillFile& file, const std::vector<SortedRun>& runs, std::uint64_t bytes);

  bool at_end() const { return heap_.empty(); }
  std::string_view record() const { return readers_[heap_[0]].record(); }
  void next();

 private:
  bool less(std::size_t a, std::size_t b) const { return readers_[a].record() < readers_[b].record(); }
  void sink(std::size_t at);

  std::vector<RunReader> readers_;
  std::vector<std::size_t> heap_;  // of readers, the one with the least record first
};

// What several sorters found. Read any number of times.
class SortedRows {
 public:
  struct Memory {
    std::uint64_t reading;  // bytes that each reading of it may hold, of two records at least
    std::uint64_t merging;  // while runs that are too many for that are merged before
  };
  // `longest`: of the records.
  // Refuses    a full disk (run-failed); what `check` throws.
  SortedRows(std::unique_ptr<SpillFile> file, std::vector<SortedRun> runs, std::uint64_t longest, Memory memory,
             const std::string& folder, const std::function<void()>& check);

  SortedCursor open() const { return {*file_, runs_, memory_.reading}; }

 private:
  void merge(std::size_t at_once, const std::string& folder, const std::function<void()>& check);

  std::unique_ptr<SpillFile> file_;
  std::vector<SortedRun> runs_;
  Memory memory_;
};

}  // namespace dither::engine::detail
