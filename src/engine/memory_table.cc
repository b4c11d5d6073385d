#include "engine/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "engine/detail/memory_content.h"
#include "engine/detail/memory_digest.h"

namespace dither::engine {
namespace {

using detail::MemoryContent;

constexpr std::int64_t kSliceRows = 60 * 2048;  // of DuckDB's vectors
constexpr const char* kHint = "look whether the library that made the table can read it, and give it again";

// A stream that was moved here: released when it goes.
class OwnStream {
 public:
  explicit OwnStream(ArrowArrayStream* given) {
    if (given == nullptr || given->release == nullptr) {
      throw Error{Code::cannot_read, "the stream of a table was read before", "give the table itself again"};
    }
    stream_ = *given;
    given->release = nullptr;
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { stream_.release(&stream_); }

  void schema(ArrowSchema& out) { check(stream_.get_schema(&stream_, &out)); }
  void next(ArrowArray& out) { check(stream_.get_next(&stream_, &out)); }

 private:
  static void check(int error) {
    if (error == 0) return;
    throw Error{Code::cannot_read, fmt::format("the table cannot be read: its library reports error {}", error), kHint};
  }

  ArrowArrayStream stream_{};
};

void read_schema(OwnStream& stream, MemoryContent& content) {
  stream.schema(content.schema);
  const ArrowSchema& schema = content.schema;
  if (schema.release == nullptr || schema.format == nullptr || std::strcmp(schema.format, "+s") != 0) {
    throw Error{Code::bad_source, "what is given in memory is no table",
                "give a table with named columns, not one column"};
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    content.layouts.push_back(detail::layout_of(*schema.children[i]));
}

void add_slices(MemoryContent& content, const ArrowArray& chunk) {
  for (std::int64_t begin = 0; begin < chunk.length; begin += kSliceRows) {
    content.slices.push_back({content.chunks.size() - 1, begin, std::min(kSliceRows, chunk.length - begin)});
  }
  content.rows += static_cast<std::uint64_t>(chunk.length);
}

void read_chunks(OwnStream& stream, MemoryContent& content) {
  for (;;) {
    ArrowArray& chunk = content.chunks.emplace_back();
    stream.next(chunk);
    if (chunk.release == nullptr) return content.chunks.pop_back();
    if (!content.fits(chunk))
      throw Error{Code::cannot_read, "the table has a chunk that is not of its own type", kHint};
    add_slices(content, chunk);
  }
}

}  // namespace

std::shared_ptr<const MemoryTable> MemoryTable::take(ArrowArrayStream* stream, std::vector<SeenColumn> seen) {
  auto content = std::make_unique<MemoryContent>();
  OwnStream own(stream);
  read_schema(own, *content);
  read_chunks(own, *content);
  return std::shared_ptr<const MemoryTable>(new MemoryTable(std::move(content), std::move(seen)));
}

MemoryTable::MemoryTable(std::unique_ptr<MemoryContent> content, std::vector<SeenColumn> seen)
    : content_(std::move(content)), seen_(std::move(seen)) {
  for (std::size_t i = 0; i < content_->layouts.size(); ++i) {
    const char* name = content_->schema.children[i]->name;
    const detail::MemoryLayout& layout = content_->layouts[i];
    columns_.push_back({name == nullptr ? "" : name, layout.type, layout.is()});
  }
}

MemoryTable::~MemoryTable() = default;

std::uint64_t MemoryTable::rows() const { return content_->rows; }

// What was seen before is not worked out.
const std::vector<SeenColumn>& MemoryTable::seen_columns() const {
  const std::lock_guard lock(guard_);
  if (seen_all_) return seen_;
  std::set<std::string> before;
  for (const auto& [name, digest] : seen_) before.insert(name);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (before.contains(columns_[i].name)) continue;
    seen_.emplace_back(columns_[i].name, detail::digest_of_column(*content_, i));
  }
  seen_all_ = true;
  return seen_;
}

std::string MemoryTable::digest(std::string_view key) const {
  return detail::hmac_sha256(key, detail::content_digest(rows(), seen_columns())).hex();
}

}  // namespace dither::engine
