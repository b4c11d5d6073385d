#include "audit/two_sided.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digits.h"

namespace dither::audit {

namespace {

constexpr double kLargeGap = 0.5;  // of the upper bound
constexpr int kDigits = 4;
constexpr double kLeastAlarm = 1e-12;  // that is shown: fewer nines than there are

std::string gap_words(const TwoSided& picture) {
  if (picture.ceiling < picture.upper) {
    return fmt::format(
        "No violation found. So few runs could not have shown more than epsilon {}: take more runs before reading "
        "anything into the gap.",
        digits_up(picture.ceiling, kDigits));
  }
  const double gap = picture.upper - picture.lower;
  if (gap > kLargeGap * picture.upper) {
    return "No violation found. The gap is large: the attack is weak or the analysis is loose, and this audit cannot "
           "say which.";
  }
  return "No violation found. The gap is small: the attack comes close to what the analysis allows. Another attack may "
         "still find more.";
}

}  // namespace

std::string confidence_text(double false_alarm) {
  const std::string alarm = typed_or_up(std::max(false_alarm, kLeastAlarm), kDigits);
  return digits_down(100 - 100 * Rational::parse(alarm), 20) + "%";
}

TwoSided two_sided(const Report& report) {
  return {report.promised, report.lower_bound, report.ceiling, report.delta, report.false_alarm};
}

bool is_alarm(const TwoSided& picture) { return picture.lower > picture.upper; }

std::string words(const TwoSided& picture) {
  const std::string at = picture.delta > 0 ? fmt::format(" at delta {:.15g}", picture.delta) : "";
  const std::string both =
      fmt::format("By analysis epsilon is at most {}{}. By audit it is at least {}, with confidence {}.\n",
                  typed_or_up(picture.upper, kDigits), at, digits_down(picture.lower, kDigits),
                  confidence_text(picture.false_alarm));
  if (!is_alarm(picture)) return both + gap_words(picture);
  return both + "ALARM: both cannot be true. The analysis, the code or the audit has a bug.";
}

}  // namespace dither::audit
