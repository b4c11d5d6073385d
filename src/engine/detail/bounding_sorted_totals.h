// Totals of more keys than the memory holds: what partitions found of them, sorted by code in a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/detail/bounding_sorted_keys.h"
#include "engine/detail/bounding_totals.h"

namespace dither::engine::detail {

// Takes totals by one thread. A record: the code, then every number as how many bytes it needs, and these.
class TotalsWriter {
 public:
  TotalsWriter(SpillFile& file, std::uint64_t memory, std::size_t measures)
      : sorter_(file, memory), numbers_(1 + measures) {}

  // Of a code: units, then measures. Codes of which no unit kept the key have no record.
  void add(std::uint32_t code, const Int128* numbers);
  RowSorter& sorter() { return sorter_; }

  // The bytes of the longest record, and the most of all records together for each unit and key: of k of them in one record a number
  // needs those of one and the bytes of k, which are at most k - 1.
  static std::size_t longest(std::size_t measures) { return 4 + (1 + measures) * (1 + sizeof(Int128)); }
  static std::size_t most_of_each(const plan::BoundedAggregate& aggregate);

 private:
  RowSorter sorter_;
  std::size_t numbers_;
  std::string record_;
};

// What all threads found, ascending by code. Read any number of times.
class SortedTotals {
 public:
  SortedTotals(SortedRows rows, std::size_t measures) : rows_(std::move(rows)), numbers_(1 + measures) {}

  class Reader {
   public:
    explicit Reader(const SortedTotals& all) : cursor_(all.rows_.open()), sums_(all.numbers_) {}
    // The next code, with what all of its records add up to. False at the end.
    bool next();
    std::uint32_t code() const { return code_; }
    const std::vector<Int128>& numbers() const { return sums_; }  // units, then measures

   private:
    SortedCursor cursor_;
    std::uint32_t code_ = 0;
    std::vector<Int128> sums_;
  };

 private:
  SortedRows rows_;
  std::size_t numbers_;
};

// The numbers of these keys. Private ones are read from the files each time.
ExactNumbers::Content sorted_content(const plan::BoundedAggregate& aggregate, std::shared_ptr<const SortedKeys> keys,
                                     std::shared_ptr<const SortedTotals> totals);

}  // namespace dither::engine::detail
