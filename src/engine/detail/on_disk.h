// A relation whose joins and DISTINCT sort on disk, each before the next begins.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/detail/hand_over.h"
#include "engine/detail/on_disk_steps.h"
#include "engine/detail/opened.h"
#include "engine/detail/table_sql.h"
#include "plan/relation_sql.h"

namespace dither::engine::detail {

// DuckDB's joins, DISTINCT and sorts fail where the rows of one unit, or of one key, are more than its memory. These do not: what they
// hold is decided by limits.memory, the widths of rows and the number of steps.
//
// Promise    the rows that relation_sql and table_leaves give, as often.
// Memory     a quarter of limits.memory while a step is made, an eighth for those whose rows are being read.
// Cost       every row is written once for each step, and once more where there are very many of them.
class OnDisk {
 public:
  // `asked`: what the whole statement needs; other columns of joins are NULL.
  OnDisk(Opened& opened, const plan::Project& project, const Limits& limits, const Watch& watch,
         const plan::Relation& asked);

  // A SELECT as relation_sql's. What it names is there while this lives.
  // Refuses    what hand_over refuses.
  std::string rows_sql();

  // Rows of a statement, sorted: `wanted` of its columns, encoded by `encode` one after the other.
  class Encoder {
   public:
    virtual ~Encoder() = default;
    // Appends the record of a row. False: the row has no record.
    virtual bool encode(const std::vector<Column>& columns, std::size_t row, std::string& record) const = 0;
  };
  SortedRows sorted(const std::string& sql, const std::vector<Wanted>& wanted, const Encoder& encoder);
  // Records that are made one after the other.
  SortedRows sorted(const std::function<void(RowSorter&)>& make) const;
  // A statement may read what this gives.
  std::string name(std::shared_ptr<const RowSource> source);

 private:
  using Columns = std::vector<bool>;
  void want(const plan::Relation& relation, Columns wanted);
  std::string made(const plan::Relation& relation);
  std::string joined(const plan::Relation& relation, const plan::Join& step);
  std::string distinct(const plan::Relation& relation, const plan::Distinct& step);
  std::string owned(const OwnedRows& rows);
  SortedRows read_back(std::unique_ptr<SpillFile> file, std::vector<SortedRun> runs, std::uint64_t longest) const;
  std::string select(const plan::Relation& relation) const;

  Opened& opened_;
  const plan::Project& project_;
  Limits limits_;
  Watch watch_;
  plan::Relation asked_;
  plan::Leaf tables_, leaf_;
  std::map<const plan::Node*, Columns> wanted_;
  std::map<const plan::Node*, std::string> made_;
  std::vector<std::unique_ptr<RowSources::Named>> named_;
  std::size_t steps_ = 0;
};

}  // namespace dither::engine::detail
