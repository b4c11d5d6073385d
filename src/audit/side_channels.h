// What is seen besides answers: how long they take, and how long noise takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "audit/timing.h"
#include "base/progress.h"

namespace dither::audit {

// A pair of works in random order, again and again; their times in nanoseconds.
//
// Seeds choose the order. Throws Cancelled, and what the works throw.
struct PairedMeasurement {
  std::vector<double> first, second;
};
PairedMeasurement measure_pairs(const std::function<void()>& first, const std::function<void()>& second, int pairs,
                                std::uint64_t seed, const CancelToken& cancel);

// Draws one number after the other, and says how the time of each goes with its size.
Correlation draw_times(const std::function<double()>& draw, int draws, double false_alarm, const CancelToken& cancel);

// What the second data set has that the first has not: one person with so many rows, each with a text of so many
// characters, which the statement searches again and again where there is one.
struct HeavyUser {
  int rows = 2000;
  int characters = 0;
};

// How long whole answers take on neighbouring data, engine and ledger included, in a folder of their own that goes
// afterwards. `deadline`: hardened, and answers leave then; none: as they are ready. The first data set has 2000 rows.
//
// Refuses    what sql::query refuses; no-engine.
struct AnswerTimes {
  TwoSampleTest test;
  PairedMeasurement times;
  int failures = 0;  // answers that were not ready at the deadline: they leave then too
};
AnswerTimes answer_times(std::chrono::milliseconds deadline, int pairs, std::uint64_t seed, const CancelToken& cancel,
                         const HeavyUser& heavy = {});

}  // namespace dither::audit
