#include "audit/report.h"

namespace dither::audit {

std::string_view verdict_name(Verdict verdict) {
  return verdict == Verdict::violated ? "VIOLATED" : "no violation found";
}

}  // namespace dither::audit
