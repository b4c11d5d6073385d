#include "engine/detail/on_disk_keys.h"

#include <bit>
#include <unordered_map>

#include "base/bounding_hash.h"
#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kMostKeys = std::size_t{1} << 30;  // what records hold
constexpr std::size_t kWrittenAtOnce = std::size_t{256} << 10;
constexpr std::size_t kCheckedEvery = 4096;  // records

std::string_view first_cell(std::string_view record) { return record.substr(0, cell_size(record)); }

// What has these canonical bytes.
Cell cell_of_canonical(std::string_view bytes) {
  const std::string rest(bytes.substr(1));
  switch (bytes[0]) {
    case 'b':
      return rest == "1";
    case 'i':
      return static_cast<std::int64_t>(std::stoll(rest));
    case 'r':
      return std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(rest, nullptr, 16)));
    case 't':
      return rest;
    default:
      return {};
  }
}

std::vector<Cell> key_of_canonical(std::string_view bytes, std::size_t keys) {
  if (keys == 1) return {cell_of_canonical(bytes)};
  std::vector<Cell> key;
  for (bytes.remove_prefix(1); !bytes.empty();) {
    const std::size_t colon = bytes.find(':');
    const std::size_t size = std::stoull(std::string(bytes.substr(0, colon)));
    key.push_back(cell_of_canonical(bytes.substr(colon + 1, size)));
    bytes.remove_prefix(colon + 1 + size);
  }
  return key;
}

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

// Sorted records with the number of their first cell in its place.
class Numbered : public RowSource {
 public:
  Numbered(std::vector<plan::Type> types, SortedRows rows, std::vector<std::size_t> columns)
      : RowSource(std::move(types)), rows_(std::move(rows)), columns_(std::move(columns)) {}

  const SortedRows& rows() const { return rows_; }
  std::unique_ptr<RowSource::Cursor> open() const override { return std::make_unique<Cursor>(*this); }

 private:
  class Cursor : public RowSource::Cursor {
   public:
    explicit Cursor(const Numbered& all) : all_(all), rows_(all.rows_.open()) {}
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
      }
      cells[0] = number_;
      for (const std::size_t column : all_.columns_) {
        cells[column] = first_cell(rest);
        rest.remove_prefix(cells[column].size());
      }
      return true;
    }

   private:
    const Numbered& all_;
    SortedCursor rows_;
    bool begun_ = false;
    std::int64_t code_ = 0;
    std::string key_, number_;
  };

  SortedRows rows_;
  std::vector<std::size_t> columns_;
};

}  // namespace

SortedKeys::SortedKeys(const plan::BoundedAggregate& aggregate, const SortedRows& rows, const std::string& folder,
                       const Watch& watch)
    : keys_(aggregate.keys), file_(folder), places_(1), digests_(1) {
  std::unordered_map<std::string, std::size_t> wanted;
  if (aggregate.public_keys) {
    public_codes_.resize(aggregate.public_keys->size());
    for (std::size_t i = 0; i < public_codes_.size(); ++i) wanted[canonical((*aggregate.public_keys)[i])] = i;
  }
  std::string last, buffer;
  std::uint64_t written = 0;
  std::size_t records = 0;
  const auto flush = [&] {
    file_.write(written, buffer.data(), buffer.size());
    written += buffer.size();
    buffer.clear();
  };
  for (SortedCursor cursor = rows.open(); !cursor.at_end(); cursor.next()) {
    if (++records % kCheckedEvery == 0) watch.token.check();
    const std::string_view cell = first_cell(cursor.record());
    if (cell == last) continue;
    if (places_.size() > kMostKeys) run_failed();
    last = cell;
    const std::string bytes = std::get<std::string>(cell_of(cell, plan::Type::text));
    if (const auto at = wanted.find(bytes); at != wanted.end()) {
      public_codes_[at->second] = static_cast<std::uint32_t>(places_.size());
    }
    digests_.push_back(bytes_digest(bytes));
    buffer += bytes;
    places_.push_back(written + buffer.size());
    if (buffer.size() >= kWrittenAtOnce) flush();
  }
  flush();
}

std::vector<Cell> SortedKeys::key(std::uint32_t code) const {
  if (code == 0) return std::vector<Cell>(keys_);  // a public key that no row has: never asked for
  std::string bytes(places_[code] - places_[code - 1], '\0');
  file_.read(places_[code - 1], bytes.data(), bytes.size());
  return key_of_canonical(bytes, keys_);
}

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
  auto rows =
      std::make_shared<Numbered>(types, on_disk.sorted(rows_sql, wanted, KeyFirst(wanted, aggregate.keys)), columns);
  auto keys = std::make_shared<SortedKeys>(aggregate, rows->rows(), folder, watch);
  return {std::move(keys), "SELECT * FROM " + on_disk.name(std::move(rows))};
}

}  // namespace dither::engine::detail
