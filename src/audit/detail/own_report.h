// What reports of testers with a statistic of their own have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "audit/effort.h"
#include "audit/report.h"
#include "audit/target.h"

namespace dither::audit::detail {

// A report under way: its names, its alarm, and the clock.
class OwnReport {
 public:
  OwnReport(const Target& target, std::string_view tester, const Effort& effort);

  Report report;

  // With the time it took. What was not tested says so.
  Report finish() &&;
  Report nothing_tested(std::string_view why) &&;

 private:
  std::chrono::steady_clock::time_point start_;
};

// About how likely a test is to refute that refutes when seen(likelier) - e^epsilon seen(other) > delta + slack, were
// the mechanism `times` as leaky as one that just keeps the promise: the loss of the event (or mean) so many times
// what was seen here. None where the two tell nothing apart, or where e^epsilon is more than a double holds. A normal
// approximation, for people.
struct SeenBoth {
  double likelier, other;
};
double power_against(double times, const SeenBoth& seen, double epsilon, double delta, double slack, std::int64_t runs);

}  // namespace dither::audit::detail
