// How hard to try, and how often to be wrong.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/progress.h"

namespace dither::audit {

// A right mechanism is called violated with probability at most `false_alarm`, whatever the mechanism, the pairs, the
// number of looks and the seed: what is searched on is never what is tested on (T-35).
struct Effort {
  std::int64_t search = 100'000;     // runs of each input, to find an attack
  std::int64_t certify = 1'000'000;  // at most so many fresh runs of each input, to prove it
  int looks = 4;                     // the test looks after 1/8, 1/4, 1/2 and all of them; stops at the first proof
  double false_alarm = 0.05;
  std::uint64_t seed = 1;  // chooses inputs, events and classifiers; never noise
  int threads = 2;
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // stop then with what there is
  CancelToken cancel = {};                                             // Cancelled
};

}  // namespace dither::audit
