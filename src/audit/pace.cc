#include "audit/pace.h"

#include <algorithm>

#include "audit/sampling.h"

namespace dither::audit {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kSearchShare = 0.4;
constexpr double kTestShare = 0.3;
constexpr double kEnough = 0.02;  // of the time, for a speed that counts
constexpr std::int64_t kLeastRuns = 100;

// Doubles the runs until they take long enough: programs are slow to start, and faster in larger batches.
double runs_per_second(const Target& target, const Effort& effort, Seconds left) {
  for (std::int64_t runs = 8;; runs *= 2) {
    const auto start = Clock::now();
    const std::int64_t made = sample(target.pairs.front().draw_first, target.shape, runs, effort).runs();
    const double took = std::max(1e-9, Seconds(Clock::now() - start).count());
    if (made < runs || took >= kEnough * left.count() || runs >= effort.search) {
      return static_cast<double>(made) / took;
    }
  }
}

std::int64_t fitting(std::int64_t wanted, double runs) {
  if (runs >= static_cast<double>(wanted)) return wanted;
  return std::min(wanted, std::max(kLeastRuns, static_cast<std::int64_t>(runs)));
}

}  // namespace

Effort paced(const Target& target, const Effort& effort) {
  if (!effort.deadline || target.pairs.empty()) return effort;
  const double speed = runs_per_second(target, effort, *effort.deadline - Clock::now());
  const double left = Seconds(*effort.deadline - Clock::now()).count();
  Effort result = effort;
  result.search = fitting(effort.search, speed * kSearchShare * left / 2 / static_cast<double>(target.pairs.size()));
  result.certify = fitting(effort.certify, speed * kTestShare * left / 2);
  return result;
}

}  // namespace dither::audit
