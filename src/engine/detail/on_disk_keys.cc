#include "engine/detail/on_disk_keys.h"

#include "base/bounding_hash.h"
#include "engine/detail/bounding_totals.h"
#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

std::string_view first_cell(std::string_view record) { return record.substr(0, cell_size(record)); }

// The canonical bytes of the key, then the other cells.
class KeyFirst : public OnDisk::Encoder {
 public:
  KeyFirst(const std::vector<Wanted>& wanted, std::size_t keys) : wanted_(wanted), keys_(keys) {}
  bool encode(const std::vector<Column>& columns, std::size_t row, std::string& record) const override {
    std::vector<Cell> key(keys_);
    for (std::size_t i = 0; i < keys_; ++i) key[i] = cell_at(columns[i], wanted_[i].type, row);
    append_text(canonical(key), record);
    for (std::size_t i = keys_; i < columns.size(); ++i) {
      append_cell(columns[i], wanted_[i].type, row, Spelling::exact, record);
    }
    return true;
  }

 private:
  const std::vector<Wanted>& wanted_;
  std::size_t keys_;
};

// Sorted records with the number of their first cell in its place; last the digest of that cell, where it is wanted.
class Numbered : public RowSource {
 public:
  Numbered(std::vector<plan::Type> types, std::shared_ptr<const SortedRows> rows, std::vector<std::size_t> columns,
           bool with_digest)
      : RowSource(std::move(types)), rows_(std::move(rows)), columns_(std::move(columns)), with_digest_(with_digest) {}

  std::unique_ptr<RowSource::Cursor> open() const override { return std::make_unique<Cursor>(*this); }

 private:
  class Cursor : public RowSource::Cursor {
   public:
    explicit Cursor(const Numbered& all) : all_(all), rows_(all.rows_->open()) {}
    bool next(std::span<std::string_view> cells) override {
      if (rows_.at_end()) return false;  // also when it is asked again after the end
      if (begun_) rows_.next();
      begun_ = true;
      if (rows_.at_end()) return false;
      std::string_view rest = rows_.record();
      const std::string_view key = first_cell(rest);
      rest.remove_prefix(key.size());
      if (code_ == 0 || key != key_) {
        key_ = key;
        number_.clear();
        append_whole(++code_, number_);
        if (all_.with_digest_) find_digest();
      }
      cells[0] = number_;
      if (all_.with_digest_) cells.back() = digest_;
      for (const std::size_t column : all_.columns_) {
        cells[column] = first_cell(rest);
        rest.remove_prefix(cells[column].size());
      }
      return true;
    }

   private:
    void find_digest() {
      digest_.clear();
      const std::string bytes = std::get<std::string>(cell_of(key_, plan::Type::text));
      append_whole(static_cast<std::int64_t>(bytes_digest(bytes)), digest_);
    }

    const Numbered& all_;
    SortedCursor rows_;
    bool begun_ = false;
    std::int64_t code_ = 0;
    std::string key_, number_, digest_;
  };

  std::shared_ptr<const SortedRows> rows_;
  std::vector<std::size_t> columns_;
  bool with_digest_;
};

}  // namespace

CodedRows coded_rows(OnDisk& on_disk, const plan::BoundedAggregate& aggregate, const std::string& rows_sql,
                     const std::string& folder, const Watch& watch) {
  const std::vector<plan::Facts>& facts = aggregate.rows->columns();
  std::vector<Wanted> wanted;
  std::vector<std::size_t> columns;
  std::vector<plan::Type> types;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    wanted.push_back({i, facts[i].type});
    if (i >= aggregate.keys) columns.push_back(i);
    types.push_back(i == 0 ? plan::Type::integer : facts[i].type);
  }
  const auto rows =
      std::make_shared<const SortedRows>(on_disk.sorted(rows_sql, wanted, KeyFirst(wanted, aggregate.keys)));
  auto keys = std::make_shared<const SortedKeys>(aggregate, *rows, folder, watch);
  const bool with_digest = needs_digests(aggregate, keys->codes());
  if (with_digest) types.push_back(plan::Type::integer);
  auto numbered = std::make_shared<Numbered>(std::move(types), rows, std::move(columns), with_digest);
  return {std::move(keys), "SELECT * FROM " + on_disk.name(std::move(numbered))};
}

}  // namespace dither::engine::detail
