// Which keys every unit of a partition keeps, where codes are below 64: the keys of a unit are the bits of a word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "engine/detail/bounding_kept.h"
#include "engine/detail/bounding_least.h"

namespace dither::engine::detail {

inline constexpr std::size_t kFewKeys = 64;

class FewKeys {
 public:
  // `digests` of keys, by code. most = 0: all keys are kept.
  // Holds if   there are at most 64 codes and no two digests are equal.
  FewKeys(const std::uint64_t* digests, std::uint64_t most)
      : digests_(digests), most_(most), least_(most == 0 ? 1 : most) {}

  // For units with numbers up to `units`.
  void make_room(std::size_t units) {
    if (bits_.size() <= units) bits_.resize(2 * units + 1);
  }
  // A row of a unit and a key.
  void meet(std::uint32_t unit, std::uint32_t code) { bits_.data()[unit] |= std::uint64_t{1} << code; }

  // Once all rows were met, of units with numbers from 1 to `units`.
  void choose(std::uint32_t units, const Digests& digests, KeptKeys& kept);

  // Where rows belong, whose codes stand in words that are `stride` apart.
  void find_slots(const std::uint64_t* words, std::size_t stride, unsigned shift, std::uint64_t mask,
                  std::span<const std::uint32_t> units, std::uint32_t* slots) const;
  std::uint32_t slot(std::uint32_t unit, std::uint32_t code) const;

  // Forgets what was met.
  void clear(std::uint32_t units) { std::fill_n(bits_.begin(), units + 1, 0); }

 private:
  void order_by_keys(std::uint32_t units);
  std::uint64_t least_keys(std::uint64_t bits, unsigned keys, std::uint64_t unit);

  const std::uint64_t* digests_;
  std::uint64_t most_;
  NthLeast least_;
  std::vector<std::uint64_t> bits_;                 // by unit: the keys it has, then those it keeps
  std::vector<std::uint32_t> first_;                // by unit: the slot of its first key
  std::vector<std::uint32_t> order_;                // units by how many keys they have
  std::array<std::uint32_t, kFewKeys + 2> ends_{};  // where those with so many keys end
  std::vector<unsigned char> counts_;
  std::vector<std::uint64_t> unit_digests_;  // in that order
};

}  // namespace dither::engine::detail
