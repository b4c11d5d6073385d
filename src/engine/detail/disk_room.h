// How much disk a run may need, by public facts, and that it is there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/detail/source_size.h"
#include "plan/bounded_aggregate.h"

namespace dither::engine::detail {

inline constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;  // that an engine takes, in bytes

// What is known of the size of a table's source: public.
using SizeOf = std::function<SourceSize(const plan::TableDeclaration&)>;

// The most that numbers_on_disk writes and holds in files at once, in bytes: a factor that the statement decides times the sizes of
// the sources.
//
// Counts     every cell by the widest that its text, its type and its declared length allow, cells that are keys twice; what stands
//            around them in records; hashes and canonical keys; codes, places and numbers of each key that can occur; and one step
//            twice, while it is merged. What expressions make of texts counts by what functions state of their length
//            (text_growth.h), a row of a public table by the longest one.
// Holds if   of two private tables that are joined, no unit has more rows in the right one than `rows_per_unit:` declares there, or
//            one, and its rows there are as long as the average.
std::uint64_t disk_needed(const plan::Project& project, const plan::BoundedAggregate& aggregate, const SizeOf& size_of);

// Room that is held for a run while this lives.
class DiskRoom {
 public:
  // Where the file system cannot reserve nothing is held; nor is less than a mebibyte.
  // Refuses    a disk that has no room (run-failed).
  DiskRoom(std::string folder, std::uint64_t bytes);
  DiskRoom(const DiskRoom&) = delete;
  DiskRoom& operator=(const DiskRoom&) = delete;
  ~DiskRoom();

 private:
  std::string folder_;
  std::uint64_t bytes_;
};

}  // namespace dither::engine::detail
