// What reports of testers with a statistic of their own have in common.
#pragma once

#include <chrono>
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

  // With the time it took; and no power, where the ceiling forbids to refute. What was not tested says so.
  Report finish() &&;
  Report nothing_tested(std::string_view why) &&;

 private:
  std::chrono::steady_clock::time_point start_;
};

}  // namespace dither::audit::detail
