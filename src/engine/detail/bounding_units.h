// Units of one partition, numbered as they come.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/detail/bounding_layout.h"

namespace dither::engine::detail {

// What tells units apart: the value, or of text the first 128 bits of SHA-256 over its canonical bytes.
template <unsigned Words>
struct Unit {
  std::uint64_t words[Words];

  // The word by which units are spread over partitions and tables.
  std::uint64_t spreading() const { return words[Words - 1]; }
  bool operator==(const Unit& other) const {
    if constexpr (Words == 1) return words[0] == other.words[0];
    return ((words[0] ^ other.words[0]) | (words[Words - 1] ^ other.words[Words - 1])) == 0;
  }
};

// The digest by which keys are chosen (base/bounding_hash.h).
std::uint64_t digest_of(const Unit<1>& unit, UnitKind kind);
std::uint64_t digest_of(const Unit<2>& unit, UnitKind kind);

// Numbers from 1. Written without branches that depend on the data, except where two units want the same place: the table is kept
// so empty that this is rare.
template <unsigned Words>
class UnitTable {
 public:
  explicit UnitTable(std::uint64_t odd_factor) : factor_(odd_factor) { resize(kLeast); }

  // Forgets all units. As large as the last partition needed: they are alike.
  void clear() {
    const std::size_t wanted = wanted_size(count_);
    if (wanted > places_.size() || wanted * 4 < places_.size())
      resize(wanted);
    else
      std::fill(places_.begin(), places_.end(), 0);
    count_ = 0;
  }

  // Room for so many more units: to be asked for before they are numbered.
  void make_room(std::size_t more) {
    if (count_ + more + 2 > units_.size()) units_.resize(2 * (count_ + more + 2));
    if ((count_ + more) * 2 > places_.size()) grow(count_ + more);
  }

  std::uint32_t number(const Unit<Words>& unit) {
    std::uint32_t* const places = places_.data();
    Unit<Words>* const units = units_.data();
    units[count_ + 1] = unit;  // if it is a new one
    std::size_t at = place(unit);
    std::uint32_t found = places[at];
    std::uint32_t is_new = found == 0 ? 1 : 0;
    found |= (0 - is_new) & (count_ + 1);
    while (!(units[found] == unit)) [[unlikely]] {
        at = (at + 1) & mask_;
        found = places[at];
        is_new = found == 0 ? 1 : 0;
        found |= (0 - is_new) & (count_ + 1);
      }
    places[at] = found;
    count_ += is_new;
    return found;
  }

  std::uint32_t count() const { return count_; }
  const Unit<Words>& unit(std::uint32_t number) const { return units_[number]; }

 private:
  static constexpr std::size_t kLeast = 256;
  static constexpr std::size_t kLarge = std::size_t{1}
                                        << 17;  // beyond, a table near the processor is worth more than an empty one

  static std::size_t wanted_size(std::size_t units) {
    const std::size_t roomy = std::bit_ceil(12 * units + kLeast);
    return roomy <= kLarge ? roomy : std::max(kLarge, std::bit_ceil(3 * units));
  }
  void resize(std::size_t size) {
    places_.assign(size, 0);
    mask_ = size - 1;
    shift_ = 64 - static_cast<unsigned>(std::bit_width(mask_));
  }
  std::size_t place(const Unit<Words>& unit) const { return (unit.spreading() * factor_) >> shift_; }
  void grow(std::size_t units) {
    resize(wanted_size(units));
    for (std::uint32_t number = 1; number <= count_; ++number) {
      std::size_t at = place(units_[number]);
      while (places_[at] != 0) at = (at + 1) & mask_;
      places_[at] = number;
    }
  }

  std::uint64_t factor_;
  std::vector<std::uint32_t> places_;  // number of the unit there; 0: free
  std::vector<Unit<Words>> units_;     // by number
  std::uint32_t count_ = 0;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace dither::engine::detail
