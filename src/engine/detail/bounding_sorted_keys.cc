#include "engine/detail/bounding_sorted_keys.h"

#include <bit>
#include <unordered_map>

#include "base/bounding_hash.h"
#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kMostKeys = std::size_t{1} << 30;  // what records hold
constexpr std::size_t kCheckedEvery = 4096;              // records
constexpr std::size_t kOneIn = 256;                      // keys has a place in memory
constexpr std::uint64_t kReadAtOnce = std::uint64_t{64} << 10;

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

}  // namespace

SortedKeys::SortedKeys(const plan::BoundedAggregate& aggregate, const SortedRows& rows, const std::string& folder,
                       const Watch& watch)
    : keys_(aggregate.keys), file_(folder) {
  std::unordered_map<std::string, std::size_t> wanted;
  if (aggregate.public_keys) {
    public_codes_.resize(aggregate.public_keys->size());
    for (std::size_t i = 0; i < public_codes_.size(); ++i) wanted[canonical((*aggregate.public_keys)[i])] = i;
  }
  RunWriter out(file_);
  out.start();
  std::string last;
  std::size_t records = 0;
  for (SortedCursor cursor = rows.open(); !cursor.at_end(); cursor.next()) {
    if (++records % kCheckedEvery == 0) watch.token.check();
    const std::string_view cell = cursor.record().substr(0, cell_size(cursor.record()));
    if (cell == last) continue;
    if (count_ >= kMostKeys) run_failed();
    last = cell;
    const std::string bytes = std::get<std::string>(cell_of(cell, plan::Type::text));
    if (count_ % kOneIn == 0) places_.push_back(out.place());
    ++count_;
    if (const auto at = wanted.find(bytes); at != wanted.end()) {
      public_codes_[at->second] = static_cast<std::uint32_t>(count_);
    }
    out.add(bytes);
  }
  end_ = out.end().bytes;
}

SortedRun SortedKeys::from(std::uint32_t code) const {
  const std::size_t place = (code - 1) / kOneIn;
  if (place >= places_.size()) return {end_, 0};
  return {places_[place], end_ - places_[place]};
}

SortedKeys::Reader::Reader(const SortedKeys& all, std::uint32_t code)
    : all_(all),
      code_(code - (code - 1) % static_cast<std::uint32_t>(kOneIn)),
      reader_(all.file_, all.from(code), kReadAtOnce) {
  while (code_ < code && !at_end()) next();
}

std::vector<Cell> SortedKeys::Reader::key() const { return key_of_canonical(bytes(), all_.keys_); }

std::vector<Cell> SortedKeys::key(std::uint32_t code) const { return Reader(*this, code).key(); }

std::vector<std::uint64_t> SortedKeys::digests() const {
  std::vector<std::uint64_t> digests(codes());
  for (Reader reader(*this); !reader.at_end(); reader.next()) digests[reader.code()] = bytes_digest(reader.bytes());
  return digests;
}

}  // namespace dither::engine::detail
