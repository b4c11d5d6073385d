// The keys that units of a partition keep, each with a slot for what is added up.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dither::engine::detail {

// Slots below are for rows whose key was left out. They are several, so that no addition waits for the one before.
inline constexpr std::uint32_t kNowhere = 16;

// A unit, by number, and a key that it keeps.
struct Kept {
  std::uint32_t unit, code;
};

// The keys of a unit have slots one after the other.
class KeptKeys {
 public:
  // `units` are numbered from 1.
  void start(std::size_t most, std::uint32_t units) {
    if (kept_.size() < kNowhere + most + 1) kept_.resize(kNowhere + most + 1);
    slots_ = kNowhere;
    drops_.assign(units + 1, 0);
  }
  void add(std::uint32_t unit, std::uint32_t code) { kept_.data()[slots_++] = {unit, code}; }
  // Without a branch: the slot, or `otherwise` where it is not kept. There is always room for one more.
  std::uint32_t add_if(bool is_kept, std::uint32_t unit, std::uint32_t code, std::uint32_t otherwise) {
    kept_.data()[slots_] = {unit, code};
    const std::uint32_t slot = is_kept ? slots_ : otherwise;
    slots_ += is_kept ? 1 : 0;
    return slot;
  }

  // Units that have rows in keys that they do not keep.
  void note_drops(std::uint32_t unit) { drops_.data()[unit] = 1; }
  bool drops(std::uint32_t unit) const { return drops_.data()[unit] != 0; }

  void take_back(std::uint32_t slots) { slots_ = slots; }

  std::uint32_t slots() const { return slots_; }
  const Kept* data() const { return kept_.data(); }  // by slot, from kNowhere on

 private:
  std::vector<Kept> kept_;
  std::uint32_t slots_ = kNowhere;
  std::vector<unsigned char> drops_;  // by unit
};

// Digests of some units, which are given by number.
using Digests = std::function<void(std::span<const std::uint32_t> units, std::uint64_t* digests)>;

}  // namespace dither::engine::detail
