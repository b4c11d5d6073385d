// For tests of testers: a report must not say two things at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "audit/report.h"

namespace dither::audit::check {

// What the report contradicts itself in; empty where it does not.
inline std::string contradiction(const Report& report) {
  const bool violated = report.verdict == Verdict::violated;
  if (!violated && report.lower_bound > report.promised) return "no violation with a lower bound above the claim";
  if (violated && report.lower_bound < report.promised) return "a violation with a lower bound below the claim";
  if (!(report.ceiling >= 0)) return "a negative ceiling";
  if (report.lower_bound > report.ceiling) return "a lower bound above the ceiling";
  if (report.ceiling <= report.promised && report.power_2 > 0)
    return "power against what the ceiling forbids to refute";
  if (!report.witness) return "";
  const Witness& witness = *report.witness;
  if (witness.evidence == Evidence::exact) return "";
  if (report.runs != std::min(witness.runs_first, witness.runs_second)) return "runs that the witness did not have";
  if (witness.evidence == Evidence::means) return "";
  if (witness.hits_first > witness.runs_first || witness.hits_second > witness.runs_second)
    return "more hits than runs";
  const double first = static_cast<double>(witness.hits_first) / static_cast<double>(witness.runs_first);
  const double second = static_cast<double>(witness.hits_second) / static_cast<double>(witness.runs_second);
  if (witness.least_first > first || witness.most_second < second) return "bounds on the wrong side of what was seen";
  // The sum is rounded; bounds are not as close to it as that.
  const double allowed = std::exp(witness.epsilon) * witness.most_second + witness.delta;
  if (!violated && witness.least_first > allowed * (1 + 1e-9)) return "no violation with a witness of one";
  return "";
}

}  // namespace dither::audit::check
