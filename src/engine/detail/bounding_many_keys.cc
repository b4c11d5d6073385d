#include "engine/detail/bounding_many_keys.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/detail/bounding_mix.h"

namespace dither::engine::detail {

namespace {

constexpr std::size_t kClasses = 64;  // numbers of rows that are told apart when units are ordered
constexpr std::size_t kAhead = 24;    // rows ahead whose keys are fetched

}  // namespace

// Units with the same number of rows one after the other: loops over rows then end where the processor expects it.
void ManyKeys::order_units(std::span<const std::uint32_t> rows, std::uint32_t units) {
  counts_.assign(units + 1, 0);
  std::uint32_t* counts = counts_.data();
  for (const std::uint32_t unit : rows) ++counts[unit];
  std::array<std::uint32_t, kClasses + 1> begins{};
  const auto class_of = [&](std::uint32_t unit) { return std::min<std::size_t>(counts[unit], kClasses - 1); };
  for (std::uint32_t unit = 1; unit <= units; ++unit) ++begins.data()[class_of(unit) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  order_.resize(units);
  for (std::uint32_t unit = 1; unit <= units; ++unit) order_.data()[begins.data()[class_of(unit)]++] = unit;
}

void ManyKeys::sort_rows(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes) {
  std::uint32_t* next = counts_.data();
  ends_.resize(order_.size());
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    std::uint32_t& of_unit = next[order_.data()[i]];
    const std::uint32_t begin = end;
    end += of_unit;
    of_unit = begin;
    ends_.data()[i] = end;
  }
  if (rows_.size() < rows.size() + kAhead) rows_.resize(rows.size() + kAhead);
  Row* sorted = rows_.data();
  for (std::uint32_t i = 0; i < rows.size(); ++i) sorted[next[rows.data()[i]]++] = {codes.data()[i], i};
  std::fill_n(sorted + rows.size(), kAhead, Row{0, 0});
}

// The distinct keys of a unit's rows. What place_of_ says is right only if codes_ says the same: nothing has to be forgotten.
void ManyKeys::number_keys(const Row* begin, std::size_t count) {
  if (places_.size() <= count) {
    places_.resize(2 * count);
    codes_.resize(2 * count);
    slot_of_.resize(2 * count);
    hashes_.resize(2 * count);
  }
  std::uint32_t* place_of = place_of_.data();
  std::uint32_t* codes = codes_.data();
  std::uint32_t* places = places_.data();
  std::uint32_t keys = 0;
  for (std::size_t i = 0; i < count; ++i) {
    __builtin_prefetch(&place_of[begin[i + kAhead].code], 1);
    __builtin_prefetch(&digests_.data()[begin[i + kAhead].code]);
    const std::uint32_t code = begin[i].code;
    const std::uint32_t old = place_of[code];
    codes[keys] = code;  // if it is a new one
    const std::uint32_t known = (old < keys ? 1U : 0U) & (codes[std::min(old, keys)] == code ? 1U : 0U);
    const std::uint32_t place = known != 0 ? old : keys;
    place_of[code] = place;
    places[i] = place;
    keys += known ^ 1;
  }
  keys_ = keys;
}

void ManyKeys::keep_all(std::uint32_t unit, KeptKeys& kept) {
  for (std::uint32_t key = 0; key < keys_; ++key) {
    slot_of_.data()[key] = kept.slots();
    kept.add(unit, codes_.data()[key]);
  }
}

void ManyKeys::keep_least(std::uint32_t unit, std::uint64_t digest, KeptKeys& kept) {
  std::uint64_t* hashes = hashes_.data();
  for (std::uint32_t key = 0; key < keys_; ++key) {
    hashes[key] = quick_hash(digest, digests_.data()[codes_.data()[key]]);
  }
  const std::uint64_t last = least_.of(hashes, keys_);
  kept.note_drops(unit);
  const std::uint32_t before = kept.slots();
  for (std::uint32_t key = 0; key < keys_; ++key) {
    slot_of_.data()[key] = kept.add_if(hashes[key] <= last, unit, codes_.data()[key], key % kNowhere);
  }
  if (kept.slots() - before == most_) [[likely]]
    return;
  kept.take_back(before);
  keep_least_of_equal(unit, kept);
}

// The same where keys have the same hash: the least bytes win.
void ManyKeys::keep_least_of_equal(std::uint32_t unit, KeptKeys& kept) {
  std::vector<std::uint32_t> ranked(keys_);
  std::iota(ranked.begin(), ranked.end(), 0);
  std::sort(ranked.begin(), ranked.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (hashes_[a] != hashes_[b]) return hashes_[a] < hashes_[b];
    return digests_.bytes(codes_[a]) < digests_.bytes(codes_[b]);
  });
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    slot_of_[ranked[i]] = kept.add_if(i < most_, unit, codes_[ranked[i]], 0);
  }
}

void ManyKeys::choose(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes, std::uint32_t units,
                      const Digests& digests, KeptKeys& kept, std::uint32_t* slots) {
  if (place_of_.size() < digests_.codes()) place_of_.resize(digests_.codes());
  order_units(rows, units);
  sort_rows(rows, codes);
  kept.start(rows.size(), units);
  unit_digests_.resize(units);
  if (most_ != 0) digests(order_, unit_digests_.data());
  const Row* row = rows_.data();
  for (std::size_t i = 0; i < units; ++i) {
    const Row* const end = rows_.data() + ends_.data()[i];
    number_keys(row, static_cast<std::size_t>(end - row));
    if (most_ != 0 && keys_ > most_)
      keep_least(order_.data()[i], unit_digests_.data()[i], kept);
    else
      keep_all(order_.data()[i], kept);
    for (const std::uint32_t* place = places_.data(); row < end; ++row, ++place) {
      slots[row->row] = slot_of_.data()[*place];
    }
  }
}

}  // namespace dither::engine::detail
