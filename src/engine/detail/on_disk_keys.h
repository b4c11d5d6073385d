// Keys numbered by sorting: as many as the disk holds, however long.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/on_disk.h"

namespace dither::engine::detail {

// The keys of some rows, ascending by canonical bytes, numbered from 1. What they are lies in a file; of each there are 16 bytes in
// memory.
class SortedKeys : public CodedKeys {
 public:
  // `rows`: sorted records that begin with the canonical bytes of the key as a cell of text.
  // Refuses    more than 2^30 keys (run-failed).
  SortedKeys(const plan::BoundedAggregate& aggregate, const SortedRows& rows, const std::string& folder,
             const Watch& watch);

  std::span<const std::uint32_t> public_codes() const override { return public_codes_; }  // 0 where no row has the key
  std::size_t codes() const override { return places_.size(); }
  std::vector<Cell> key(std::uint32_t code) const override;
  bool exists(std::uint32_t code) const override { return code > 0; }
  bool ascend() const override { return true; }
  std::uint64_t digest(std::uint32_t code) const override { return digests_[code]; }

 private:
  std::size_t keys_;  // columns
  SpillFile file_;
  std::vector<std::uint64_t> places_;   // by code: where its bytes end
  std::vector<std::uint64_t> digests_;  // by code
  std::vector<std::uint32_t> public_codes_;
};

// Rows with their keys as codes.
struct CodedRows {
  std::shared_ptr<const SortedKeys> keys;
  std::string sql;  // as run_bounding wants it
};
// `rows_sql`: the rows of the aggregate. What the result names is there while `on_disk` lives.
CodedRows coded_rows(OnDisk& on_disk, const plan::BoundedAggregate& aggregate, const std::string& rows_sql,
                     const std::string& folder, const Watch& watch);

}  // namespace dither::engine::detail
