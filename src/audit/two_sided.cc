#include "audit/two_sided.h"

#include <fmt/format.h>

namespace dither::audit {

namespace {

constexpr double kLargeGap = 0.5;  // of the upper bound

std::string gap_words(const TwoSided& picture) {
  if (picture.ceiling < picture.upper) {
    return fmt::format(
        "No violation found. So few runs could not have shown more than epsilon {:.4g}: take more runs before reading "
        "anything into the gap.",
        picture.ceiling);
  }
  const double gap = picture.upper - picture.lower;
  if (gap > kLargeGap * picture.upper) {
    return "No violation found. The gap is large: the attack is weak or the analysis is loose, and this audit cannot "
           "say "
           "which.";
  }
  return "No violation found. The gap is small: the attack comes close to what the analysis allows. Another attack may "
         "still find more.";
}

}  // namespace

TwoSided two_sided(const Report& report) {
  return {report.promised, report.lower_bound, report.ceiling, report.delta, report.false_alarm};
}

bool is_alarm(const TwoSided& picture) { return picture.lower > picture.upper; }

std::string words(const TwoSided& picture) {
  const std::string at = picture.delta > 0 ? fmt::format(" at delta {:.4g}", picture.delta) : "";
  const std::string both =
      fmt::format("By analysis epsilon is at most {:.4g}{}. By audit it is at least {:.4g}, with confidence {:.4g}%.\n",
                  picture.upper, at, picture.lower, 100 * (1 - picture.false_alarm));
  if (!is_alarm(picture)) return both + gap_words(picture);
  return both + "ALARM: both cannot be true. The analysis, the code or the audit has a bug.";
}

}  // namespace dither::audit
