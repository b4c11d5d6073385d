// Where records wait, by partition: in memory, and in a file where that is too small.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/detail/spill_file.h"

namespace dither::engine::detail {

inline constexpr unsigned kPartitionBits = 10;
inline constexpr std::size_t kPartitions = std::size_t{1} << kPartitionBits;

// Memory in large pages that is given back all at once.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { give_back(); }

  std::uint64_t* take(std::size_t words);  // a multiple of 64 bytes
  std::size_t taken() const { return taken_; }
  void give_back();

 private:
  struct Block {
    char* begin;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t at_ = 0;  // within the last of them
  std::size_t taken_ = 0;
};

// What all threads together may hold.
struct StoreBudget {
  std::uint64_t all;         // bytes
  std::uint64_t one_thread;  // bytes
  std::atomic<std::uint64_t> used{0};
};

struct Piece {
  const std::uint64_t* words;
  std::size_t records;
};
struct Extent {
  std::uint64_t place;
  std::size_t records;
};

// Records of one form, written by one thread.
class Partitions {
 public:
  Partitions(unsigned words_per_record, Arena& arena) : words_(words_per_record), arena_(arena) {}

  bool empty() const { return cursors_.empty(); }
  unsigned words() const { return words_; }

  // Where the next record of a partition goes. The caller writes all its words.
  std::uint64_t* next(std::size_t partition) { return next(partition, words_); }
  template <unsigned Words>
  std::uint64_t* next(std::size_t partition) {
    return next(partition, Words);
  }
  void start() {
    if (cursors_.empty()) open();
  }

  // All that was written goes to the file; the arena may be given back.
  void spill(SpillFile& file);
  // What lies in memory after the last record.
  std::vector<Piece> pieces(std::size_t partition) const;
  const std::vector<Extent>& extents(std::size_t partition) const { return extents_[partition]; }

 private:
  struct Cursor {
    std::uint64_t* at = nullptr;
    std::uint64_t* end = nullptr;
  };
  struct Chunk {
    std::uint64_t* begin;
    std::size_t words;
  };
  std::uint64_t* next(std::size_t partition, unsigned words) {
    Cursor& cursor = cursors_.data()[partition];
    if (cursor.at == cursor.end) [[unlikely]]
      more(partition);
    std::uint64_t* place = cursor.at;
    // The next line of this partition will be written some hundred rows from now.
    __builtin_prefetch(place + 8, 1);
    cursor.at += words;
    return place;
  }
  void open();
  void more(std::size_t partition);

  unsigned words_;
  Arena& arena_;
  std::vector<Cursor> cursors_;
  std::vector<std::vector<Chunk>> chunks_;
  std::vector<std::vector<Extent>> extents_;
};

// What one thread wrote.
class Store {
 public:
  Store(unsigned narrow_words, unsigned wide_words, SpillFile& file, StoreBudget& budget)
      : narrow(narrow_words, arena_), wide(wide_words, arena_), file_(file), budget_(budget) {}

  // Between batches: spills when this thread, or all of them, hold too much.
  void keep_within_budget();

 private:
  Arena arena_;

 public:
  Partitions narrow, wide;

 private:
  SpillFile& file_;
  StoreBudget& budget_;
  std::size_t counted_ = 0;
};

}  // namespace dither::engine::detail
