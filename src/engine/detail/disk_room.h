// How much disk a run may need, by public facts, and that it is there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plan/bounded_aggregate.h"
#include "plan/project.h"

namespace dither::engine::detail {

// Bytes of a table's source: public.
using SizeOf = std::function<std::uint64_t(const plan::TableDeclaration&)>;

// The most that numbers_on_disk writes at once, in bytes: a factor that the statement decides times the sizes of the sources.
//
// Texts that expressions make count by what functions state of their length (text_growth.h), those of `other` and `null_as` for
// every row.
//
// Holds if   a source is as large as text of its rows: CSV and JSON are. Parquet files, databases, packed files and tables in
//            memory may store the same value of many rows in a few bytes; their size is taken as if each cell had a byte.
//            Of joins, if rows that are joined are as long as the average; of two private tables, if no unit has more rows in the
//            right one than `rows_per_unit:` declares there, or one.
// `memory`: the limit of the run, of which records take their part before they go to the disk.
std::uint64_t disk_needed(const plan::Project& project, const plan::BoundedAggregate& aggregate, const SizeOf& size_of,
                          std::uint64_t memory);

// Whether it makes sense to reserve room where these files lie: on tmpfs that would take memory.
bool holds_room(const std::string& folder);

// A file without a name that holds room until the run needs it.
class DiskRoom {
 public:
  // Where the file system cannot reserve nothing is held; nor is less than a mebibyte.
  // Refuses    a disk that has no room (run-failed).
  DiskRoom(const std::string& folder, std::uint64_t bytes);
  DiskRoom(const DiskRoom&) = delete;
  DiskRoom& operator=(const DiskRoom&) = delete;
  ~DiskRoom() { give_back(); }

  void give_back();

 private:
  int file_ = -1;
};

}  // namespace dither::engine::detail
