// Steps of a relation over rows that lie sorted on disk: whatever a unit brings, they take the memory that is given.
#pragma once

#include <optional>

#include "engine/detail/row_source.h"
#include "engine/detail/sorted_rows.h"

namespace dither::engine::detail {

// Every different row once.
class DistinctRows : public RowSource {
 public:
  // Records of `rows`: the cells, as keys.
  DistinctRows(std::vector<plan::Type> types, SortedRows rows) : RowSource(std::move(types)), rows_(std::move(rows)) {}
  std::unique_ptr<Cursor> open() const override;

 private:
  SortedRows rows_;
};

// One side of a join. A record: one byte that says whether it can be joined, the cells that are equal, then those of some columns.
struct JoinSide {
  SortedRows rows;
  std::size_t keys;
  std::vector<std::size_t> columns;  // where the cells go among those of the join
};

// Rows of the left with all rows of the right that have the same keys. Rows of the right can all be joined.
//
// Memory     that of both readings, of a second one of the left, and `block` bytes of rows of the right with the same keys. Where
//            there are more, the rows of the left with these keys are read once for each block of them.
class JoinedRows : public RowSource {
 public:
  struct Rule {
    bool keep_left;   // rows of the left that meet none come once, with NULLs
    bool first_only;  // of rows of the right with the same keys the first one alone
  };
  JoinedRows(std::vector<plan::Type> types, JoinSide left, JoinSide right, Rule rule, std::uint64_t block)
      : RowSource(std::move(types)), left_(std::move(left)), right_(std::move(right)), rule_(rule), block_(block) {}
  std::unique_ptr<Cursor> open() const override;

 private:
  JoinSide left_, right_;
  Rule rule_;
  std::uint64_t block_;
};

}  // namespace dither::engine::detail
