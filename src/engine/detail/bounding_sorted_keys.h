// Keys numbered by sorting: as many as the disk holds, however long.
#pragma once

#include <string>
#include <vector>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/sorted_rows.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// The keys of some rows, ascending by canonical bytes, numbered from 1. They lie in a file; in memory is where some of them begin.
class SortedKeys : public CodedKeys {
 public:
  // `rows`: sorted records that begin with the canonical bytes of the key as a cell of text.
  // Refuses    more than 2^30 keys (run-failed).
  SortedKeys(const plan::BoundedAggregate& aggregate, const SortedRows& rows, const std::string& folder,
             const Watch& watch);

  std::span<const std::uint32_t> public_codes() const override { return public_codes_; }  // 0 where no row has the key
  std::size_t codes() const override { return 1 + count_; }
  std::vector<Cell> key(std::uint32_t code) const override;
  bool exists(std::uint32_t code) const override { return code > 0; }
  std::vector<std::uint64_t> digests() const override;

  // One after the other, from one that exists on.
  class Reader {
   public:
    explicit Reader(const SortedKeys& all, std::uint32_t code = 1);
    bool at_end() const { return reader_.at_end(); }
    std::uint32_t code() const { return code_; }
    std::string_view bytes() const { return reader_.record(); }  // canonical
    std::vector<Cell> key() const;
    void next() { ++code_, reader_.next(); }

   private:
    const SortedKeys& all_;
    std::uint32_t code_;
    RunReader reader_;
  };

 private:
  SortedRun from(std::uint32_t code) const;

  std::size_t keys_;  // columns
  SpillFile file_;
  std::uint64_t end_ = 0;  // of the file
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> places_;  // of one key in many
  std::vector<std::uint32_t> public_codes_;
};

}  // namespace dither::engine::detail
