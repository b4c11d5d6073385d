// For tests of testers and checks: how often they call a right mechanism violated.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "audit/effort.h"
#include "audit/report.h"
#include "stats/binomial.h"
#include "testing/seed.h"

namespace dither::audit::check {

inline bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// Whether so many audits of a right mechanism, at 5% each and with a seed of its own each, have no more alarms than 5%
// allows: the first number that is exceeded with probability below 1e-9 (22 of 100, 17 of 60). By night 2000 audits, of
// which 163 may be alarms.
struct Audits {
  int by_day = 100;
  std::int64_t search = 1000, certify = 4000;  // runs of each
};
inline ::testing::AssertionResult alarms_are_rare(const std::function<Report(const Effort& effort)>& audit,
                                                  const Audits& of = {}) {
  const int audits = nightly() ? 2000 : of.by_day;
  std::int64_t allowed = audits / 20;
  while (stats::binomial_upper(allowed + 1, audits, 0.05) > 1e-9) ++allowed;
  std::int64_t alarms = 0;
  for (int i = 0; i < audits; ++i) {
    const Effort effort{.search = of.search,
                        .certify = of.certify,
                        .false_alarm = 0.05,
                        .seed = testing::run_seed() + static_cast<std::uint64_t>(i),
                        .threads = 1};
    alarms += audit(effort).verdict == Verdict::violated ? 1 : 0;
  }
  return (alarms <= allowed ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
         << alarms << " alarms in " << audits << " audits, where " << allowed << " are allowed";
}

}  // namespace dither::audit::check
