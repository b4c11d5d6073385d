#include "engine/detail/on_disk_steps.h"

#include <algorithm>

#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

class Distinct : public RowSource::Cursor {
 public:
  explicit Distinct(const SortedRows& rows) : rows_(rows.open()) {}

  bool next(std::span<std::string_view> cells) override {
    while (!rows_.at_end() && begun_ && rows_.record() == last_) rows_.next();
    if (rows_.at_end()) return false;
    begun_ = true;
    last_ = rows_.record();
    std::string_view rest = last_;
    for (std::string_view& cell : cells) {
      cell = rest.substr(0, cell_size(rest));
      rest.remove_prefix(cell.size());
    }
    return true;
  }

 private:
  SortedCursor rows_;
  std::string last_;
  bool begun_ = false;
};

constexpr char kCannotJoin = 0;

// A record of one side in its two parts.
struct Parts {
  std::string_view key, values;
};
Parts parts_of(std::string_view record, std::size_t keys) {
  std::size_t size = 1;
  for (std::size_t i = 0; i < keys; ++i) size += cell_size(record.substr(size));
  return {record.substr(0, size), record.substr(size)};
}

void place(std::string_view values, const std::vector<std::size_t>& columns, std::span<std::string_view> cells) {
  for (const std::size_t column : columns) {
    cells[column] = values.substr(0, cell_size(values));
    values.remove_prefix(cells[column].size());
  }
}

class Joined : public RowSource::Cursor {
 public:
  Joined(const JoinSide& left, const JoinSide& right, JoinedRows::Rule rule, std::uint64_t block)
      : left_plan_(left),
        right_plan_(right),
        rule_(rule),
        most_(block),
        left_(left.rows.open()),
        right_(right.rows.open()) {}

  bool next(std::span<std::string_view> cells) override {
    for (;;) {
      if (at_ < block_.size()) {
        place(left_values_, left_plan_.columns, cells);
        place(block_[at_++], right_plan_.columns, cells);
        return true;
      }
      if (!block_.empty()) {
        left_.next();
        find_in_group();
        continue;
      }
      if (left_.at_end()) return false;
      if (begin_group() || !rule_.keep_left) continue;
      place(left_values_, left_plan_.columns, cells);
      for (const std::size_t column : right_plan_.columns) cells[column] = {};
      skip_left_ = true;
      return true;
    }
  }

 private:
  // Looks for rows of the right for the row of the left at hand. Whether there are any; where there are none the left goes on, unless
  // the row itself is to come.
  bool begin_group() {
    if (std::exchange(skip_left_, false)) return left_.next(), true;
    const Parts left = parts_of(left_.record(), left_plan_.keys);
    left_values_ = left.values;
    if (left.key[0] != kCannotJoin) {
      while (!right_.at_end() && parts_of(right_.record(), right_plan_.keys).key < left.key) right_.next();
      if (!right_.at_end() && parts_of(right_.record(), right_plan_.keys).key == left.key) {
        key_ = left.key;
        fill_block();
        if (right_has_more()) group_.emplace(left_);
        return true;
      }
    }
    if (!rule_.keep_left) left_.next();
    return false;
  }

  bool right_has_more() const { return !right_.at_end() && parts_of(right_.record(), right_plan_.keys).key == key_; }

  // The next row of the left with the same keys; after the last one the next block of the right, with the first one again.
  void find_in_group() {
    const auto is_of_group = [&] {
      if (left_.at_end()) return false;
      const Parts left = parts_of(left_.record(), left_plan_.keys);
      left_values_ = left.values;
      return left.key == key_;
    };
    if (is_of_group()) return at_ = 0, void();
    if (group_ && right_has_more()) {
      left_ = *group_;
      fill_block();
      is_of_group();
      return;
    }
    block_.clear();
    group_.reset();
    at_ = 0;
  }

  void fill_block() {
    block_.clear();
    at_ = 0;
    for (std::uint64_t bytes = 0; right_has_more(); right_.next()) {
      const std::string_view values = parts_of(right_.record(), right_plan_.keys).values;
      bytes += values.size() + sizeof(std::string);
      if (!block_.empty() && (bytes > most_ || rule_.first_only)) {
        if (rule_.first_only) continue;
        return;
      }
      block_.emplace_back(values);
    }
  }

  const JoinSide& left_plan_;
  const JoinSide& right_plan_;
  JoinedRows::Rule rule_;
  std::uint64_t most_;
  SortedCursor left_, right_;
  std::optional<SortedCursor> group_;  // the left as it was at the first row of the group
  bool skip_left_ = false;             // the row at hand came alone
  std::string key_;                    // of the group
  std::string_view left_values_;
  std::vector<std::string> block_;  // rows of the right; none outside groups
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<RowSource::Cursor> DistinctRows::open() const { return std::make_unique<Distinct>(rows_); }

std::unique_ptr<RowSource::Cursor> JoinedRows::open() const {
  return std::make_unique<Joined>(left_, right_, rule_, block_);
}

}  // namespace dither::engine::detail
