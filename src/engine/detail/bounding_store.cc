#include "engine/detail/bounding_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace dither::engine::detail {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr std::size_t kFirstChunk = 512;  // bytes; each next one of a partition is twice as large
constexpr std::size_t kLargestChunk = 16 << 10;
constexpr std::size_t kWorthSpilling = std::size_t{1} << 20;  // bytes

// Begins where a large page does.
char* mapped(std::size_t size) {
  void* all = ::mmap(nullptr, size + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  char* begin = static_cast<char*>(all);
  const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
  if (before > 0) ::munmap(begin, before);
  if (before < kLargePage) ::munmap(begin + before + size, kLargePage - before);
  ::madvise(begin + before, size, MADV_HUGEPAGE);
  ::madvise(begin + before, size, MADV_DONTDUMP);
  return begin + before;
}

}  // namespace

void Arena::give_back() {
  for (const Block& block : blocks_) ::munmap(block.begin, block.size);
  blocks_.clear();
  at_ = taken_ = 0;
}

std::uint64_t* Arena::take(std::size_t words) {
  const std::size_t bytes = words * sizeof(std::uint64_t);
  if (blocks_.empty() || at_ + bytes > blocks_.back().size) {
    const std::size_t size = blocks_.size() < 4 ? 2 * kLargePage : 16 * kLargePage;
    blocks_.push_back({mapped(size), size});
    at_ = 0;
  }
  char* result = blocks_.back().begin + at_;
  at_ += bytes;
  taken_ += bytes;
  return reinterpret_cast<std::uint64_t*>(result);
}

void Partitions::open() {
  cursors_.resize(kPartitions);
  chunks_.resize(kPartitions);
  extents_.resize(kPartitions);
}

void Partitions::more(std::size_t partition) {
  std::vector<Chunk>& chunks = chunks_[partition];
  const std::size_t bytes = std::min(kLargestChunk, kFirstChunk << std::min<std::size_t>(chunks.size(), 8));
  std::uint64_t* begin = arena_.take(bytes / sizeof(std::uint64_t));
  const std::size_t used = bytes / sizeof(std::uint64_t) / words_ * words_;
  chunks.push_back({begin, used});
  cursors_[partition] = {begin, begin + used};
}

std::vector<Piece> Partitions::pieces(std::size_t partition) const {
  std::vector<Piece> result;
  if (cursors_.empty()) return result;
  for (const Chunk& chunk : chunks_[partition]) result.push_back({chunk.begin, chunk.words / words_});
  if (!result.empty()) {
    const auto unused = static_cast<std::size_t>(cursors_[partition].end - cursors_[partition].at);
    result.back().records -= unused / words_;
  }
  return result;
}

void Partitions::spill(SpillFile& file) {
  for (std::size_t partition = 0; partition < cursors_.size(); ++partition) {
    std::size_t records = 0;
    const std::vector<Piece> written = pieces(partition);
    for (const Piece& piece : written) records += piece.records;
    if (records > 0) {
      std::uint64_t place = file.reserve(records * words_ * sizeof(std::uint64_t));
      extents_[partition].push_back({place, records});
      for (const Piece& piece : written) {
        const std::size_t bytes = piece.records * words_ * sizeof(std::uint64_t);
        file.write(place, piece.words, bytes);
        place += bytes;
      }
    }
    chunks_[partition].clear();
    cursors_[partition] = {};
  }
}

void Store::keep_within_budget() {
  const std::size_t taken = arena_.taken();
  const std::uint64_t all = budget_.used += taken - counted_;
  counted_ = taken;
  const std::uint64_t worth_it = std::min<std::uint64_t>(kWorthSpilling, budget_.one_thread);
  if (taken < (all < budget_.all ? budget_.one_thread : worth_it)) return;
  narrow.spill(file_);
  wide.spill(file_);
  arena_.give_back();  // not for this thread to use again: DuckDB may take another one for the rows that are left
  budget_.used -= counted_;
  counted_ = 0;
}

}  // namespace dither::engine::detail
