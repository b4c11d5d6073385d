#include "audit/report.h"

namespace dither::audit {

std::string_view verdict_name(Verdict verdict) {
  return verdict == Verdict::violated ? "VIOLATED" : "no violation found";
}

std::string_view evidence_name(Evidence evidence) {
  return evidence == Evidence::counts ? "counts" : evidence == Evidence::means ? "means" : "exact";
}

}  // namespace dither::audit
