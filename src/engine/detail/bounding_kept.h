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
  void start(std::size_t most) {
    if (kept_.size() < kNowhere + most + 1) kept_.resize(kNowhere + most + 1);
    slots_ = kNowhere;
  }
  void add(std::uint32_t unit, std::uint32_t code) { kept_.data()[slots_++] = {unit, code}; }
  // Without a branch: the slot, or `otherwise` where it is not kept. There is always room for one more.
  std::uint32_t add_if(bool is_kept, std::uint32_t unit, std::uint32_t code, std::uint32_t otherwise) {
    kept_.data()[slots_] = {unit, code};
    const std::uint32_t slot = is_kept ? slots_ : otherwise;
    slots_ += is_kept ? 1 : 0;
    return slot;
  }

  void take_back(std::uint32_t slots) { slots_ = slots; }

  std::uint32_t slots() const { return slots_; }
  const Kept* data() const { return kept_.data(); }  // by slot, from kNowhere on

 private:
  std::vector<Kept> kept_;
  std::uint32_t slots_ = kNowhere;
};

// Digests of some units, which are given by number.
using Digests = std::function<void(std::span<const std::uint32_t> units, std::uint64_t* digests)>;

}  // namespace dither::engine::detail
