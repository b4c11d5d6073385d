#include "audit/report.h"

#include <chrono>

namespace dither::audit {

std::string_view verdict_name(Verdict verdict) {
  return verdict == Verdict::violated ? "VIOLATED" : "no violation found";
}

std::string_view evidence_name(Evidence evidence) {
  return evidence == Evidence::counts ? "counts" : evidence == Evidence::means ? "means" : "exact";
}

Report timed(const std::function<Report()>& test) {
  const auto start = std::chrono::steady_clock::now();
  Report report = test();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace dither::audit
