// The values of one thing about outputs, cut into few cells, so that events on it can be counted at once. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/outputs.h"
#include "audit/words.h"

namespace dither::audit::detail {

// Numbers fall into at most some sixty ordered cells: one for each value where there are few values, otherwise cells of
// about equal weight, with a cell of its own for each value that many runs share. Words fall into a cell for each of the
// most frequent; the rest share one. NaN and absent are cells at the end that no interval of numbers reaches.
class Cells {
 public:
  // Decided by these training values.
  Cells(std::vector<double> values, Reading reading);

  std::size_t count() const { return ordered() + 2; }
  std::size_t of(double value) const;
  // Whether cells low .. high are one event: an interval of numbers, or one cell.
  bool one_event(std::size_t low, std::size_t high) const {
    return low == high || (reading_ == Reading::number && high < ordered());
  }
  // "is 3", "is from 1 to 4.5", "is at least 2", for people.
  std::string text(std::size_t low, std::size_t high, const Words& words) const;

  static constexpr std::size_t kMost = 60;

 private:
  void learn_numbers(std::vector<double> values);
  std::size_t ordered() const { return starts_.size() + (reading_ == Reading::word ? 1 : 0); }
  double last_of(std::size_t cell) const;  // the largest value in it

  Reading reading_;
  std::vector<double> starts_;  // numbers: where cells begin, the first at -infinity; words: their codes. Ascending
};

}  // namespace dither::audit::detail
