#include "engine/detail/bounding_sorted_totals.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace dither::engine::detail {

namespace {

// The number whose lowest bytes are these, so many; all above repeat its sign.
Int128 extended(UInt128 bits, std::size_t bytes) {
  if (bytes == 0) return 0;
  const std::size_t above = 8 * (sizeof bits - bytes);
  return static_cast<Int128>(bits << above) >> above;
}

std::size_t bytes_of(Int128 number) {
  std::size_t bytes = 0;
  while (extended(static_cast<UInt128>(number), bytes) != number) ++bytes;
  return bytes;
}

void append_number(Int128 number, std::string& record) {
  const std::size_t size = bytes_of(number);
  record += static_cast<char>(size);
  record.append(reinterpret_cast<const char*>(&number), size);
}

Int128 take_number(std::string_view& record) {
  const auto size = static_cast<std::size_t>(record[0]);
  UInt128 bits = 0;
  std::memcpy(&bits, record.data() + 1, size);
  record.remove_prefix(1 + size);
  return extended(bits, size);
}

constexpr std::size_t kCodeBytes = sizeof(std::uint32_t);

std::uint32_t code_of(std::string_view record) {
  std::uint32_t code = 0;
  std::memcpy(&code, record.data(), kCodeBytes);
  return __builtin_bswap32(code);
}

}  // namespace

static_assert(std::endian::native == std::endian::little);

void TotalsWriter::add(std::uint32_t code, const Int128* numbers) {
  if (numbers[0] <= 0) return;
  const std::uint32_t ordered = __builtin_bswap32(code);
  record_.assign(reinterpret_cast<const char*>(&ordered), kCodeBytes);
  for (std::size_t i = 0; i < numbers_; ++i) append_number(numbers[i], record_);
  sorter_.add(record_);
}

std::size_t TotalsWriter::most_of_each(const plan::BoundedAggregate& aggregate) {
  std::size_t bytes = kCodeBytes + 1 + bytes_of(1);
  for (const plan::Measure& measure : aggregate.measures) {
    bytes += 1 + std::max({bytes_of(measure.total_low), bytes_of(measure.total_high), bytes_of(1)});
  }
  return bytes;
}

bool SortedTotals::Reader::next() {
  if (cursor_.at_end()) return false;
  code_ = code_of(cursor_.record());
  std::fill(sums_.begin(), sums_.end(), 0);
  for (; !cursor_.at_end() && code_of(cursor_.record()) == code_; cursor_.next()) {
    std::string_view rest = cursor_.record().substr(kCodeBytes);
    for (Int128& sum : sums_) sum += take_number(rest);
  }
  return true;
}

namespace {

class SortedContent : public ExactNumbers::Rows {
 public:
  SortedContent(std::shared_ptr<const SortedKeys> keys, std::shared_ptr<const SortedTotals> totals)
      : keys_(std::move(keys)), totals_(std::move(totals)), key_(*keys_), total_(*totals_) {}

  bool next(ExactNumbers::Row& row) override {
    if (!total_.next()) return false;
    while (key_.code() < total_.code()) key_.next();
    row.key = key_.key();
    row.units = total_.numbers()[0];
    row.numbers.assign(total_.numbers().begin() + 1, total_.numbers().end());
    return true;
  }

 private:
  std::shared_ptr<const SortedKeys> keys_;
  std::shared_ptr<const SortedTotals> totals_;
  SortedKeys::Reader key_;
  SortedTotals::Reader total_;
};

// Keys ascend, and so do the codes of those that occur.
void fill_public(const SortedKeys& keys, const SortedTotals& totals, ExactNumbers::Content& content) {
  SortedTotals::Reader total(totals);
  bool more = total.next();
  for (const std::uint32_t code : keys.public_codes()) {
    while (more && code > 0 && total.code() < code) more = total.next();
    const bool found = more && code > 0 && total.code() == code;
    content.units.push_back(found ? total.numbers()[0] : 0);
    for (std::size_t m = 0; m < content.numbers.size(); ++m) {
      content.numbers[m].push_back(found ? total.numbers()[1 + m] : 0);
    }
  }
}

}  // namespace

ExactNumbers::Content sorted_content(const plan::BoundedAggregate& aggregate, std::shared_ptr<const SortedKeys> keys,
                                     std::shared_ptr<const SortedTotals> totals) {
  ExactNumbers::Content content;
  content.numbers.resize(aggregate.measures.size());
  content.histograms.resize(aggregate.measures.size());
  if (aggregate.public_keys) {
    content.keys = *aggregate.public_keys;
    fill_public(*keys, *totals, content);
  } else {
    content.open = [keys = std::move(keys), totals = std::move(totals)] {
      return std::make_unique<SortedContent>(keys, totals);
    };
  }
  return content;
}

}  // namespace dither::engine::detail
