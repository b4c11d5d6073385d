#include "engine/detail/sorted_rows.h"

#include <algorithm>
#include <cstring>

namespace dither::engine::detail {
namespace {

constexpr std::uint64_t kLeastPiece = std::uint64_t{16} << 10;  // bytes of a run that are read at once
constexpr std::uint64_t kMostPiece = std::uint64_t{1} << 20;
constexpr std::size_t kWrittenAtOnce = std::size_t{256} << 10;
constexpr std::size_t kCheckedEvery = 4096;  // records

std::uint64_t first_bytes(std::string_view record) {
  std::uint64_t word = 0;
  std::memcpy(&word, record.data(), std::min(record.size(), sizeof word));
  return __builtin_bswap64(word);
}

}  // namespace

void RunWriter::add(std::string_view record) {
  std::size_t size = record.size();
  for (; size >= 128; size >>= 7) buffer_ += static_cast<char>(size | 128);
  buffer_ += static_cast<char>(size);
  buffer_.append(record);
  if (buffer_.size() >= kWrittenAtOnce) flush();
}

SortedRun RunWriter::end() {
  flush();
  return {begin_, at_ - begin_};
}

std::uint64_t RunWriter::bytes_of(std::uint64_t size) {
  std::uint64_t bytes = size + 1;
  for (; size >= 128; size >>= 7) ++bytes;
  return bytes;
}

void RunWriter::flush() {
  file_.write(at_, buffer_.data(), buffer_.size());
  at_ += buffer_.size();
  buffer_.clear();
}

RowSorter::RowSorter(SpillFile& file, std::uint64_t bytes)
    : file_(file), size_(bytes / sizeof(Entry) * sizeof(Entry)) {}

void RowSorter::add(std::string_view record) {
  longest_ = std::max<std::uint64_t>(longest_, record.size());
  if (!room_) room_ = std::make_unique_for_overwrite<char[]>(size_);
  if (used_ + record.size() + (entries_ + 1) * sizeof(Entry) > size_) flush();
  if (record.size() + sizeof(Entry) > size_) {
    RunWriter writer(file_);
    writer.start(RunWriter::bytes_of(record.size()));
    writer.add(record);
    return runs_.push_back(writer.end());
  }
  std::memcpy(room_.get() + used_, record.data(), record.size());
  ++entries_;
  *entries() = {first_bytes(record), used_, record.size()};
  used_ += record.size();
}

void RowSorter::flush() {
  if (entries_ == 0) return;
  const auto record = [&](const Entry& entry) { return std::string_view(room_.get() + entry.begin, entry.size); };
  std::sort(entries(), entries() + entries_, [&](const Entry& a, const Entry& b) {
    return a.first != b.first ? a.first < b.first : record(a) < record(b);
  });
  std::uint64_t bytes = 0;
  for (const Entry* entry = entries(); entry < entries() + entries_; ++entry) bytes += RunWriter::bytes_of(entry->size);
  RunWriter writer(file_);
  writer.start(bytes);
  for (const Entry* entry = entries(); entry < entries() + entries_; ++entry) writer.add(record(*entry));
  runs_.push_back(writer.end());
  used_ = entries_ = 0;
}

void RowSorter::finish() {
  flush();
  room_.reset();
}

RunReader::RunReader(const SpillFile& file, SortedRun run, std::uint64_t bytes)
    : file_(&file), rest_(run), piece_(bytes) {
  next();
}

// Whether the length of the record at begin_ lies in the buffer as a whole.
bool RunReader::read_size(std::size_t& header) {
  size_ = header = 0;
  for (std::size_t at = begin_; at < buffer_.size(); ++at, ++header) {
    const auto byte = static_cast<unsigned char>(buffer_[at]);
    size_ |= static_cast<std::size_t>(byte & 127) << (7 * header);
    if (byte < 128) return ++header, true;
  }
  return false;
}

void RunReader::refill() {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  const std::uint64_t more =
      std::min(std::max(piece_, size_ + 16) - std::min<std::uint64_t>(piece_, kept), rest_.bytes);
  buffer_.resize(kept + more);
  file_->read(rest_.place, buffer_.data() + kept, more);
  rest_.place += more;
  rest_.bytes -= more;
}

void RunReader::next() {
  begin_ += size_;
  std::size_t header = 0;
  while (!read_size(header) || begin_ + header + size_ > buffer_.size()) {
    if (rest_.bytes == 0) return buffer_.clear(), begin_ = size_ = 0, void();
    refill();
  }
  begin_ += header;
}

SortedCursor::SortedCursor(const SpillFile& file, const std::vector<SortedRun>& runs, std::uint64_t bytes) {
  const std::uint64_t piece = std::clamp(bytes / std::max<std::size_t>(runs.size(), 1), kLeastPiece, kMostPiece);
  for (const SortedRun& run : runs) readers_.emplace_back(file, run, piece);
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i].at_end()) heap_.push_back(i);
  }
  for (std::size_t i = heap_.size() / 2; i > 0; --i) sink(i - 1);
}

void SortedCursor::sink(std::size_t at) {
  for (std::size_t least = at;; at = least) {
    for (const std::size_t child : {2 * at + 1, 2 * at + 2}) {
      if (child < heap_.size() && less(heap_[child], heap_[least])) least = child;
    }
    if (least == at) return;
    std::swap(heap_[at], heap_[least]);
  }
}

void SortedCursor::next() {
  RunReader& first = readers_[heap_[0]];
  first.next();
  if (first.at_end()) {
    heap_[0] = heap_.back();
    heap_.pop_back();
  }
  sink(0);
}

SortedRows::SortedRows(std::unique_ptr<SpillFile> file, std::vector<SortedRun> runs, std::uint64_t longest,
                       Memory memory, const std::string& folder, const std::function<void()>& check)
    : file_(std::move(file)), runs_(std::move(runs)), memory_(memory) {
  const auto fit = [&](std::uint64_t bytes) {
    return std::max<std::size_t>(bytes / std::max(longest, kLeastPiece), 2);
  };
  while (runs_.size() > fit(memory.reading)) merge(fit(memory.merging), folder, check);
}

void SortedRows::merge(std::size_t at_once, const std::string& folder, const std::function<void()>& check) {
  auto file = std::make_unique<SpillFile>(folder);
  std::vector<SortedRun> merged;
  std::size_t records = 0;
  for (std::size_t begin = 0; begin < runs_.size(); begin += at_once) {
    const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::vector<SortedRun> some(first,
                                      first + static_cast<std::ptrdiff_t>(std::min(at_once, runs_.size() - begin)));
    std::uint64_t bytes = 0;
    for (const SortedRun& run : some) bytes += run.bytes;
    RunWriter writer(*file);
    writer.start(bytes);
    for (SortedCursor cursor(*file_, some, memory_.merging); !cursor.at_end(); cursor.next()) {
      writer.add(cursor.record());
      if (++records % kCheckedEvery == 0) check();
    }
    merged.push_back(writer.end());
  }
  file_ = std::move(file);
  runs_ = std::move(merged);
}

}  // namespace dither::engine::detail
