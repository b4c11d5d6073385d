#include "engine/detail/bounding_sink.h"

#include <algorithm>

#include "engine/detail/bounding_mix.h"

namespace dither::engine::detail {

Sink::Sink(const SinkPlan& plan, SpillFile& file, StoreBudget& budget)
    : plan_(plan),
      store_(plan.layout.words(false), plan.layout.words(true), file, budget),
      missing_(plan.layout.fields.size()),
      payload_(plan.layout.payload) {
  if (plan.books != nullptr) keys_.emplace(*plan.books, plan.aggregate);
  const auto values = plan.columns.begin() + static_cast<std::ptrdiff_t>(plan.keys()) + 1;
  for (const Field& field : plan.layout.fields) {
    const auto at = std::find(values, plan.columns.end(), field.column);
    column_of_.push_back(static_cast<std::size_t>(at - plan.columns.begin()));
  }
}

void Sink::take(std::vector<Column> columns, std::size_t rows) {
  rows_ += rows;
  for (std::size_t begin = 0; begin < rows; begin += kSlice) {
    take_slice(columns.data(), std::min(kSlice, rows - begin));
    for (Column& column : columns) column.advance(kSlice);
  }
  store_.keep_within_budget();
}

void Sink::read_codes(const Column* columns, std::size_t rows) {
  if (keys_) return keys_->read(columns, rows, codes_.data());
  for (std::size_t i = 0; i < rows; ++i) codes_[i] = static_cast<std::uint32_t>(whole_at(columns[0], i));
}

void Sink::take_slice(const Column* columns, std::size_t rows) {
  const Layout& layout = plan_.layout;
  read_codes(columns, rows);
  const bool some_dropped =
      read_units(columns[plan_.keys()], layout.unit, rows, units_.data(), second_.data(), dropped_.data());
  std::uint64_t* first = payload_[0].data();
  for (std::size_t i = 0; i < rows; ++i) first[i] = std::uint64_t{codes_.data()[i]} << layout.code_shift;
  for (std::size_t w = 1; w < payload_.size(); ++w) std::fill_n(payload_[w].begin(), rows, 0);
  for (std::size_t f = 0; f < layout.fields.size(); ++f) {
    const Field& field = layout.fields[f];
    if (add_field(columns[column_of_[f]], field, rows, payload_[field.word].data())) missing_[f] = 1;
  }
  if (layout.with_digest) {
    for (std::size_t i = 0; i < rows; ++i)
      payload_.back()[i] = static_cast<std::uint64_t>(whole_at(columns[plan_.columns.size() - 1], i));
  }
  if (some_dropped) rows = drop(rows);
  find_partitions(rows);
  if (is_narrow(rows))
    write_narrow(rows);
  else
    write_wide(rows);
}

// Moves the rows that have a unit to the front.
std::size_t Sink::drop(std::size_t rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    units_[kept] = units_[i];
    second_[kept] = second_[i];
    codes_[kept] = codes_[i];
    for (auto& word : payload_) word[kept] = word[i];
    kept += dropped_[i] == 0 ? 1 : 0;
  }
  return kept;
}

bool Sink::is_narrow(std::size_t rows) const {
  const Layout& layout = plan_.layout;
  if (!layout.narrow_is_possible()) return false;
  const unsigned bits = layout.unit_bits();
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const std::uint64_t* units = units_.data();
  std::uint64_t above = 0;
  std::uint32_t codes = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    above |= units[i] + half;
    codes |= codes_.data()[i];
  }
  return (bits == 64 || above >> bits == 0) && codes >> layout.code_bits == 0;
}

void Sink::find_partitions(std::size_t rows) {
  const std::uint64_t* units = plan_.layout.unit == UnitKind::text ? second_.data() : units_.data();
  for (std::size_t i = 0; i < rows; ++i) {
    partitions_.data()[i] = static_cast<std::uint32_t>(scattered(units[i], plan_.odd_factor) >> (64 - kPartitionBits));
  }
}

void Sink::write_narrow(std::size_t rows) {
  Partitions& out = store_.narrow;
  out.start();
  const unsigned shift = plan_.layout.unit_shift();
  std::uint64_t* first = payload_[0].data();
  for (std::size_t i = 0; i < rows; ++i) first[i] |= units_.data()[i] << shift;
  if (payload_.size() == 1) {
    for (std::size_t i = 0; i < rows; ++i) *out.next<1>(partitions_.data()[i]) = first[i];
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t* record = out.next(partitions_.data()[i]);
    for (const auto& word : payload_) *record++ = word.data()[i];
  }
}

void Sink::write_wide(std::size_t rows) {
  Partitions& out = store_.wide;
  out.start();
  const bool text = plan_.layout.unit == UnitKind::text;
  if (text && payload_.size() == 1) {
    const std::uint64_t* payload = payload_[0].data();
    for (std::size_t i = 0; i < rows; ++i) {
      std::uint64_t* record = out.next<3>(partitions_.data()[i]);
      record[0] = units_.data()[i];
      record[1] = second_.data()[i];
      record[2] = payload[i];
    }
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t* record = out.next(partitions_.data()[i]);
    *record++ = units_.data()[i];
    if (text) *record++ = second_.data()[i];
    for (const auto& word : payload_) *record++ = word.data()[i];
  }
}

}  // namespace dither::engine::detail
