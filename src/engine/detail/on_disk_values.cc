#include "engine/detail/on_disk_values.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/bounding_hash.h"
#include "engine/detail/measure_sql.h"
#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kCheckedEvery = 4096;  // records

std::string big_endian(std::uint64_t word) {
  std::string bytes(sizeof word, '\0');
  for (std::size_t i = bytes.size(); i > 0; --i, word >>= 8) bytes[i - 1] = static_cast<char>(word);
  return bytes;
}

// A record: the unit; the hash of unit and key, the key; the hash of unit and value, its canonical bytes, the value. So keys that are kept and values that
// count come first.
class UnitFirst : public OnDisk::Encoder {
 public:
  UnitFirst(const plan::BoundedAggregate& aggregate, const std::vector<Wanted>& wanted)
      : wanted_(wanted), keys_(aggregate.keys), row_is_unit_(aggregate.rows->owner().row_is_unit) {}

  bool encode(const std::vector<Column>& columns, std::size_t row, std::string& record) const override {
    const auto cell = [&](std::size_t i) { return cell_at(columns[i], wanted_[i].type, row); };
    if (!can_join(columns[keys_], wanted_[keys_].type, row)) return false;  // rows of no unit
    const std::uint64_t unit = row_is_unit_ ? 1 : unit_digest(cell(keys_));
    std::vector<Cell> key;
    for (std::size_t i = 0; i < keys_; ++i) key.push_back(cell(i));
    append_cell(columns[keys_], wanted_[keys_].type, row, Spelling::key, record);
    append_hashed(unit, keys_ == 0 ? "" : canonical(key), record);
    if (can_join(columns[keys_ + 1], wanted_[keys_ + 1].type, row)) {
      append_hashed(unit, canonical(cell(keys_ + 1)), record);
      append_cell(columns[keys_ + 1], wanted_[keys_ + 1].type, row, Spelling::key, record);
    }
    return true;
  }

 private:
  static void append_hashed(std::uint64_t unit, const std::string& bytes, std::string& record) {
    record += big_endian(bounding_hash(unit, bytes_digest(bytes)));
    append_text(bytes, record);
  }

  const std::vector<Wanted>& wanted_;
  std::size_t keys_;
  bool row_is_unit_;
};

// Such a record in its parts.
struct Parts {
  std::string_view unit, key, value;  // hashes with key and value; value is empty where there is none
  std::string_view key_cell() const { return key.substr(sizeof(std::uint64_t)); }
  std::string_view value_cell() const {
    const std::string_view bytes = value.substr(sizeof(std::uint64_t));
    return bytes.substr(cell_size(bytes));
  }
};
Parts parts_of(std::string_view record) {
  const std::size_t unit = cell_size(record);
  const std::size_t key = sizeof(std::uint64_t) + cell_size(record.substr(unit + sizeof(std::uint64_t)));
  return {record.substr(0, unit), record.substr(unit, key), record.substr(unit + key)};
}

// What counts of every unit and key: as records of the key, the value and how many rows bring it.
class Choice {
 public:
  Choice(const plan::BoundedAggregate& aggregate, const plan::Measure& measure, RowSorter& out)
      : most_keys_(aggregate.keys == 0 ? 1 : aggregate.keys_per_unit),
        most_rows_(measure.rows),
        rows_count_(measure.kind == plan::MeasureKind::histogram),
        out_(out) {}

  void add(std::string_view record) {
    const Parts parts = parts_of(record);
    const bool same_unit = parts.unit == unit_, same_key = same_unit && parts.key == key_;
    if (same_key && parts.value == value_) return ++count_, void();
    end_value();
    if (!same_unit) unit_ = parts.unit, keys_ = 0;
    if (!same_key) key_ = parts.key, ++keys_, taken_ = 0;
    value_ = parts.value;
    count_ = 1;
  }
  void end_value() {
    const std::uint64_t left = most_rows_ - taken_;
    if (count_ == 0 || value_.empty() || keys_ > most_keys_ || left == 0) return;
    const std::uint64_t taken = rows_count_ ? std::min(count_, left) : 1;
    taken_ += taken;
    const Parts parts{unit_, key_, value_};
    record_.assign(parts.key_cell()).append(parts.value_cell());
    if (rows_count_) append_whole(static_cast<std::int64_t>(taken), record_);
    out_.add(record_);
    count_ = 0;
  }

 private:
  std::uint64_t most_keys_, most_rows_;
  bool rows_count_;
  RowSorter& out_;
  std::string unit_, key_, value_, record_;
  std::uint64_t keys_ = 0;   // of the unit, so far
  std::uint64_t taken_ = 0;  // of the unit and key
  std::uint64_t count_ = 0;  // rows with the value
};

// The places of keys in the answer. They are looked up in their order.
class Places {
 public:
  Places(const plan::BoundedAggregate& aggregate, const ExactNumbers::Content& content)
      : content_(content), has_keys_(aggregate.keys > 0), is_public_(aggregate.public_keys.has_value()) {
    for (std::size_t i = 0; has_keys_ && is_public_ && i < content.size(); ++i) known_[canonical(content.keys[i])] = i;
  }
  std::optional<std::size_t> of(const std::string& key) {
    if (!has_keys_) return 0;
    if (is_public_) {
      const auto at = known_.find(key);
      return at == known_.end() ? std::nullopt : std::optional(at->second);
    }
    while (next_ < content_.size() && canonical(content_.keys[next_]) < key) ++next_;
    return next_ < content_.size() ? std::optional(next_) : std::nullopt;
  }

 private:
  const ExactNumbers::Content& content_;
  bool has_keys_, is_public_;
  std::unordered_map<std::string, std::size_t> known_;
  std::size_t next_ = 0;
};

// Adds up what counts, key by key and value by value.
void add_up(const SortedRows& rows, bool histogram, Places& places, std::size_t measure,
            ExactNumbers::Content& content) {
  std::string key, value;
  std::optional<std::size_t> place;
  for (SortedCursor cursor = rows.open(); !cursor.at_end(); cursor.next()) {
    std::string_view rest = cursor.record();
    const auto take = [&] {
      const std::string_view cell = rest.substr(0, cell_size(rest));
      rest.remove_prefix(cell.size());
      return cell;
    };
    const std::string_view key_cell = take(), value_cell = take();
    const bool same_key = key_cell == key;
    const bool same_value = same_key && value_cell == value;
    if (!same_key) {
      key = key_cell;
      place = places.of(std::get<std::string>(cell_of(key, plan::Type::text)));
    }
    value = value_cell;
    if (!place) continue;
    if (!histogram) {
      content.numbers[measure][*place] += same_value ? 0 : 1;
      continue;
    }
    auto& bins = content.histograms[measure][*place];
    if (!same_value) bins.push_back({std::get<std::int64_t>(cell_of(value, plan::Type::integer)), 0});
    bins.back().count += std::get<std::int64_t>(cell_of(take(), plan::Type::integer));
  }
}

}  // namespace

bool is_of_values(const plan::Measure& measure) {
  return measure.kind == plan::MeasureKind::distinct || measure.kind == plan::MeasureKind::histogram;
}

plan::BoundedAggregate without_values(plan::BoundedAggregate aggregate) {
  for (plan::Measure& measure : aggregate.measures) {
    if (is_of_values(measure)) measure = {.kind = plan::MeasureKind::units, .column = {}, .total_high = 1};
  }
  return aggregate;
}

void add_values(OnDisk& on_disk, const plan::BoundedAggregate& aggregate, std::size_t measure,
                const std::string& rows_sql, const Watch& watch, ExactNumbers::Content& content) {
  const plan::Measure& asked = aggregate.measures[measure];
  const bool histogram = asked.kind == plan::MeasureKind::histogram;
  const std::vector<plan::Facts>& facts = aggregate.rows->columns();
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i <= aggregate.keys; ++i) wanted.push_back({i, facts[i].type});
  wanted.push_back({facts.size(), histogram ? plan::Type::integer : facts[*asked.column].type});
  const std::string value =
      histogram ? steps_sql(aggregate.rows, *asked.column, asked.step, asked.low, asked.high, plan::Dialect::duckdb)
                : fmt::format("c{}", *asked.column);
  const std::string sql = fmt::format("SELECT *, {} AS c{} FROM ({}) AS r", value, facts.size(), rows_sql);
  const SortedRows by_unit = on_disk.sorted(sql, wanted, UnitFirst(aggregate, wanted));
  content.numbers[measure].assign(histogram ? 0 : content.size(), 0);
  content.histograms[measure].resize(histogram ? content.size() : 0);
  const SortedRows by_key = on_disk.sorted([&](RowSorter& out) {
    Choice choice(aggregate, asked, out);
    std::size_t records = 0;
    for (SortedCursor cursor = by_unit.open(); !cursor.at_end(); cursor.next()) {
      if (++records % kCheckedEvery == 0) watch.token.check();
      choice.add(cursor.record());
    }
    choice.end_value();
  });
  Places places(aggregate, content);
  add_up(by_key, histogram, places, measure, content);
}

}  // namespace dither::engine::detail
