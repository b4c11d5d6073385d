// From the records of a partition to totals by key.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/detail/bounding_sorted_totals.h"
#include "engine/detail/bounding_store.h"
#include "engine/detail/bounding_sums.h"
#include "engine/detail/bounding_totals.h"

namespace dither::engine::detail {

// What is known once all rows were seen. All threads share it.
struct FoldPlan {
  const Layout& layout;
  const CodedKeys& books;
  const KeyDigests* keys;     // of all codes; nullptr: these are too many, and every partition numbers its own
  std::uint64_t most_keys;    // a unit keeps so many; 0: all
  std::vector<bool> missing;  // by field, whether some row has no value
  std::uint64_t rows;
  std::uint64_t odd_factor;
  std::uint64_t budget;  // bytes that one thread may use for records
  const SpillFile& file;
  std::function<void()> check;  // throws Cancelled when it is time
};

// Where the records of a partition lie.
struct Batch {
  Piece piece;    // in memory, or
  Extent extent;  // in the file, where piece.words is nullptr
  bool wide;
  std::size_t records() const { return piece.words != nullptr ? piece.records : extent.records; }
};
using Partition = std::vector<Batch>;

// Where what the units of a partition keep goes: to the numbers of all codes, under the lock if one is given, or to a file.
struct FoldTarget {
  Totals* totals;
  std::mutex* lock;
  TotalsWriter* file;  // where codes are too many
};

// What one thread folds with.
class Folder {
 public:
  virtual ~Folder() = default;
  virtual void fold(const Partition& partition, const FoldTarget& target) = 0;
};
std::unique_ptr<Folder> make_folder(const FoldPlan& plan);

}  // namespace dither::engine::detail
