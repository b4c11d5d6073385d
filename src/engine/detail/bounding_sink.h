// Rows of a running query as records.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/detail/bounding_store.h"
#include "engine/detail/hand_over.h"

namespace dither::engine::detail {

// Public facts of a run that all its threads share.
struct SinkPlan {
  const plan::BoundedAggregate& aggregate;
  const Layout& layout;
  KeyBooks* books;                   // nullptr: the first column of the rows is the code of the key
  std::vector<std::size_t> columns;  // of the rows, in the order of the sink's arguments: keys, unit, fields, digest
  std::uint64_t odd_factor;          // secret of this run

  std::size_t keys() const { return books == nullptr ? 1 : aggregate.keys; }
};

// Makes records of rows and puts them into partitions by unit.
class Sink : public Taker {
 public:
  Sink(const SinkPlan& plan, SpillFile& file, StoreBudget& budget);

  void take(std::vector<Column> columns, std::size_t rows) override;

  std::uint64_t rows() const { return rows_; }  // taken, those without a unit too
  bool missing(std::size_t field) const { return missing_[field] != 0; }
  const Store& store() const { return store_; }
  void forget_keys() { keys_.reset(); }  // once all rows were taken

 private:
  // Rows are taken so many at a time: what is worked out about them stays near the processor.
  static constexpr std::size_t kSlice = 512;
  template <class T>
  using Slice = std::array<T, kSlice>;

  void read_codes(const Column* columns, std::size_t rows);
  void take_slice(const Column* columns, std::size_t rows);
  std::size_t drop(std::size_t rows);
  bool is_narrow(std::size_t rows) const;
  void find_partitions(std::size_t rows);
  void write_narrow(std::size_t rows);
  void write_wide(std::size_t rows);

  const SinkPlan& plan_;
  Store store_;
  std::optional<KeyReader> keys_;
  std::uint64_t rows_ = 0;
  std::vector<std::size_t> column_of_;  // by field: which argument
  std::vector<std::uint8_t> missing_;   // by field
  alignas(64) Slice<std::uint8_t> dropped_;
  alignas(64) Slice<std::uint32_t> codes_, partitions_;
  alignas(64) Slice<std::uint64_t> units_, second_;
  std::vector<Slice<std::uint64_t>> payload_;  // by word
};

}  // namespace dither::engine::detail
