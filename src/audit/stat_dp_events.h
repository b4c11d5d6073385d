// The events that StatDP looks at: values and intervals of what outputs can be summed up by.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/attack_set.h"
#include "audit/detail/cells.h"
#include "audit/detail/search_runs.h"
#include "audit/target.h"

namespace dither::audit {

// One thing about an output, as a number or a code: an entry, the length, how often a value occurs.
struct Summary {
  std::string name;
  Reading reading = Reading::number;
  std::function<double(std::span<const double> row)> of;
};

// Summaries of outputs of this shape (T-43): every entry (of more than kMostEntries those that tell most), the length, least and greatest number, how often
// each of the most frequent values occurs, whether the output is one of the most frequent ones, and for the most frequent
// of each input the Hamming distance to it and the length of the common beginning. Which are frequent is decided by these
// runs. Those that make no sense for the shape are left out.
std::vector<Summary> summaries_of(const detail::Runs& runs, const Shape& shape, const Words& words = {});
constexpr std::size_t kMostEntries = 24;

// Cells low .. high of a summary.
struct Event {
  std::size_t summary;
  std::size_t low, high;
};

// An event and how often it happened in the runs it was looked for in.
struct SeenEvent {
  Event event;
  std::int64_t first, second;
  bool inner = false;  // an interval with two ends: there are some thirty times as many as of all the others
};

// All values and intervals of all summaries; cells are decided by these runs.
class EventSpace {
 public:
  EventSpace(const detail::Runs& runs, const Target& target);

  // Every event, with its counts in these runs; some thousands a summary.
  std::vector<SeenEvent> count(const detail::Runs& runs) const;
  AttackSet set_of(const Event& event) const;  // holds what it needs of the space; words stay with the target

 private:
  struct Axis {
    Summary summary;
    detail::Cells cells;
  };
  std::vector<std::shared_ptr<const Axis>> axes_;
  Words words_;
};

}  // namespace dither::audit
