// Which keys every unit of a partition keeps, whatever their number.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/detail/bounding_kept.h"
#include "engine/detail/bounding_least.h"
#include "engine/detail/bounding_totals.h"

namespace dither::engine::detail {

class ManyKeys {
 public:
  // most = 0: all keys are kept.
  ManyKeys(const KeyDigests& keys, std::uint64_t most) : digests_(keys), most_(most), least_(most == 0 ? 1 : most) {}

  // Rows by unit (numbers from 1 to `units`) and code. slots[i] says where row i belongs.
  void choose(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes, std::uint32_t units,
              const Digests& digests, KeptKeys& kept, std::uint32_t* slots);

 private:
  struct Row {
    std::uint32_t code, row;
  };
  void order_units(std::span<const std::uint32_t> rows, std::uint32_t units);
  void sort_rows(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes);
  void number_keys(const Row* begin, std::size_t count);
  void keep_all(std::uint32_t unit, KeptKeys& kept);
  void keep_least(std::uint32_t unit, std::uint64_t digest, KeptKeys& kept);
  void keep_least_of_equal(std::uint32_t unit, KeptKeys& kept);

  const KeyDigests& digests_;
  std::uint64_t most_;
  NthLeast least_;
  std::vector<std::uint32_t> place_of_;  // by code: its place among the keys of the unit at hand
  std::vector<std::uint32_t> counts_;    // by unit: rows, then where the next one goes
  std::vector<std::uint32_t> order_;     // units by how many rows they have
  std::vector<std::uint32_t> ends_;      // by unit, in that order: where its rows end
  std::vector<Row> rows_;                // in that order
  std::vector<std::uint64_t> unit_digests_;
  // Of the unit at hand.
  std::uint32_t keys_ = 0;
  std::vector<std::uint32_t> codes_, slot_of_;  // by key
  std::vector<std::uint64_t> hashes_;           // by key
  std::vector<std::uint32_t> places_;           // by row: which key
};

}  // namespace dither::engine::detail
