// The accountant's bound and the audit's bound, always side by side.
#pragma once

#include <string>

#include "audit/report.h"

namespace dither::audit {

// epsilon at `delta` is at most `upper` by proof and at least `lower` by measurement, with confidence 1 - false_alarm.
struct TwoSided {
  double upper = 0;
  double lower = 0;
  double ceiling = 0;  // the most that this many runs could have shown
  double delta = 0;
  double false_alarm = 0;
};
TwoSided two_sided(const Report& report);

// Whether the two contradict each other: then one of analysis, code and audit has a bug (a right one is accused with
// probability false_alarm at most). Otherwise they leave a gap, and that is all they say.
bool is_alarm(const TwoSided& picture);

// 1 - false_alarm in percent, "95%"; rounded down, and so never 100%.
std::string confidence_text(double false_alarm);

// Both numbers, rounded outward, and what they mean, in a few lines. A gap is "the attack is weak or the analysis is
// loose", or "too few runs" where the ceiling is below the bound; no gap, however small, is called safe or private.
// Spec       T-41, T-53, T-99.
std::string words(const TwoSided& picture);

}  // namespace dither::audit
