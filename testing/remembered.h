// A law of cells that computes each probability once: enumeration asks for the same ones a thousand times.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/big_interval.h"

namespace dither::testing {

template <typename Law>
class Remembered : public Law {
 public:
  explicit Remembered(Law law) : Law(std::move(law)) {}

  BigInterval probability(std::uint64_t cell, long precision) const {
    const auto [entry, fresh] = known_.try_emplace({cell, precision}, precision);
    if (fresh) entry->second = Law::probability(cell, precision);
    return entry->second;
  }

 private:
  mutable std::map<std::pair<std::uint64_t, long>, BigInterval> known_;
};

}  // namespace dither::testing
