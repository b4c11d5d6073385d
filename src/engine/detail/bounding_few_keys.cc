#include "engine/detail/bounding_few_keys.h"

#include <array>
#include <bit>

#include "engine/detail/bounding_mix.h"

namespace dither::engine::detail {

namespace {

// Rows of one form, and where their slots go.
struct Rows {
  const std::uint64_t* words;  // that hold the codes
  std::size_t stride;          // between them
  unsigned shift;
  std::uint64_t mask;
  const std::uint32_t* units;
  std::size_t count;
  std::uint32_t* slots;
};

[[gnu::always_inline]] inline void count_bits_of(const std::uint64_t* words, std::size_t count, unsigned char* bits) {
  for (std::size_t i = 0; i < count; ++i) bits[i] = static_cast<unsigned char>(__builtin_popcountll(words[i]));
}

[[gnu::always_inline]] inline void find_slots_of(const Rows& rows, const std::uint64_t* bits,
                                                 const std::uint32_t* first) {
  const std::uint64_t* word = rows.words;
  for (std::size_t i = 0; i < rows.count; ++i, word += rows.stride) {
    const std::uint32_t unit = rows.units[i];
    const std::uint64_t code = *word >> rows.shift & rows.mask;
    const std::uint64_t kept = bits[unit];
    const std::uint64_t below = kept & ((std::uint64_t{1} << code) - 1);
    const auto is_kept = 0 - static_cast<std::uint32_t>(kept >> code & 1);
    const std::uint32_t slot = first[unit] + static_cast<std::uint32_t>(__builtin_popcountll(below));
    rows.slots[i] = (slot & is_kept) | (static_cast<std::uint32_t>(i % kNowhere) & ~is_kept);
  }
}

// Counting bits is one instruction of nearly all processors, but not of the oldest that programs are made for.
#if defined(__x86_64__)
[[gnu::target("popcnt")]] void count_bits_quickly(const std::uint64_t* words, std::size_t count, unsigned char* bits) {
  count_bits_of(words, count, bits);
}
[[gnu::target("popcnt")]] void find_slots_quickly(const Rows& rows, const std::uint64_t* bits,
                                                  const std::uint32_t* first) {
  find_slots_of(rows, bits, first);
}
bool counts_bits() {
  static const bool does = __builtin_cpu_supports("popcnt") != 0;
  return does;
}
#else
void count_bits_quickly(const std::uint64_t*, std::size_t, unsigned char*) {}
void find_slots_quickly(const Rows&, const std::uint64_t*, const std::uint32_t*) {}
bool counts_bits() { return false; }  // the compiler knows what there is
#endif

void count_bits(const std::uint64_t* words, std::size_t count, unsigned char* bits) {
  if (counts_bits()) return count_bits_quickly(words, count, bits);
  count_bits_of(words, count, bits);
}

}  // namespace

// Units with the same number of keys one after the other: loops over keys then end where the processor expects it.
void FewKeys::order_by_keys(std::uint32_t units) {
  counts_.resize(units + 1);
  count_bits(bits_.data(), units + 1, counts_.data());
  ends_.fill(0);
  for (std::uint32_t unit = 1; unit <= units; ++unit) ++ends_.data()[counts_.data()[unit] + 1];
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  order_.resize(units);
  for (std::uint32_t unit = 1; unit <= units; ++unit) order_.data()[ends_.data()[counts_.data()[unit]]++] = unit;
}

// Of the keys of a unit, so many, those that it keeps.
std::uint64_t FewKeys::least_keys(std::uint64_t bits, unsigned keys, std::uint64_t unit) {
  std::array<std::uint64_t, kFewKeys> hashes;
  std::array<unsigned char, kFewKeys> codes;
  for (unsigned i = 0; i < keys; ++i, bits &= bits - 1) {
    const int code = __builtin_ctzll(bits);  // never 0, which std::countr_zero would look for
    codes.data()[i] = static_cast<unsigned char>(code);
    hashes.data()[i] = quick_hash(unit, digests_[code]);
  }
  const std::uint64_t last = least_.of(hashes.data(), keys);
  std::uint64_t kept = 0;
  for (unsigned i = 0; i < keys; ++i) {
    kept |= std::uint64_t{hashes.data()[i] <= last ? 1U : 0U} << codes.data()[i];
  }
  return kept;
}

void FewKeys::choose(std::uint32_t units, const Digests& digests, KeptKeys& kept) {
  order_by_keys(units);
  const std::size_t most = most_ > 0 ? std::min<std::size_t>(most_, kFewKeys) : kFewKeys;
  kept.start(units * most, units);
  if (most_ > 0 && most_ < kFewKeys) {
    std::uint32_t at = ends_[most_];
    unit_digests_.resize(units);
    digests(std::span(order_).subspan(at), unit_digests_.data() + at);
    for (unsigned keys = static_cast<unsigned>(most_) + 1; keys <= kFewKeys; ++keys) {
      for (const std::uint32_t end = ends_[keys]; at < end; ++at) {
        std::uint64_t& bits = bits_.data()[order_.data()[at]];
        bits = least_keys(bits, keys, unit_digests_.data()[at]);
        kept.note_drops(order_.data()[at]);
      }
    }
  }
  first_.resize(units + 1);
  for (const std::uint32_t unit : order_) {
    first_.data()[unit] = kept.slots();
    for (std::uint64_t bits = bits_.data()[unit]; bits != 0; bits &= bits - 1) {
      kept.add(unit, static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
}

void FewKeys::find_slots(const std::uint64_t* words, std::size_t stride, unsigned shift, std::uint64_t mask,
                         std::span<const std::uint32_t> units, std::uint32_t* slots) const {
  const Rows rows{words, stride, shift, mask, units.data(), units.size(), slots};
  if (counts_bits()) return find_slots_quickly(rows, bits_.data(), first_.data());
  find_slots_of(rows, bits_.data(), first_.data());
}

std::uint32_t FewKeys::slot(std::uint32_t unit, std::uint32_t code) const {
  const std::uint64_t word = std::uint64_t{code};
  std::uint32_t slot = 0;
  find_slots(&word, 1, 0, ~std::uint64_t{0}, {&unit, 1}, &slot);
  return slot;
}

}  // namespace dither::engine::detail
