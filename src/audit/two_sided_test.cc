#include "audit/two_sided.h"

#include <gtest/gtest.h>

namespace dither::audit {
namespace {

bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

// Spec: T-41
TEST(TwoSidedPicture, AboveTheAnalysisIsAnAlarm) {
  const TwoSided picture{1, 1.25, 5, 1e-6, 0.05};
  EXPECT_TRUE(is_alarm(picture));
  EXPECT_EQ(words(picture),
            "By analysis epsilon is at most 1 at delta 1e-06. By audit it is at least 1.25, with confidence 95%.\n"
            "ALARM: both cannot be true. The analysis, the code or the audit has a bug.");
}

// Whatever the numbers, both stand there, and nothing is called safe.
// Spec: T-41, T-53, T-99
TEST(TwoSidedPicture, AGapIsNeverSafety) {
  for (const double lower : {0.0, 0.01, 0.5, 0.999, 1.0}) {
    for (const double ceiling : {0.5, 8.0}) {
      const TwoSided picture{1, lower, ceiling, 0, 0.05};
      EXPECT_FALSE(is_alarm(picture));
      const std::string text = words(picture);
      EXPECT_TRUE(has(text, "at most 1.") && has(text, "at least") && has(text, "No violation found")) << text;
      for (const char* word : {"safe", "private", "secure", "proven", "pass", "OK"})
        EXPECT_FALSE(has(text, word)) << text;
    }
  }
  EXPECT_TRUE(has(words({1, 0.1, 8, 0, 0.05}), "the attack is weak or the analysis is loose"));
  EXPECT_TRUE(has(words({1, 0.9, 8, 0, 0.05}), "Another attack may still find more"));
  EXPECT_TRUE(has(words({6, 0.9, 5.6, 0, 0.05}), "could not have shown more than epsilon 5.6"));
}

// A bound of 4.875675 is not one of 4.876, nor 99.99995% confidence certainty; what was typed stays as it was.
// Spec: T-41
TEST(TwoSidedPicture, NumbersAreRoundedOutward) {
  const std::string text = words({0.3, 4.875675, 4.875675, 0, 5e-7});
  EXPECT_TRUE(has(text, "at most 0.3. By audit it is at least 4.875, with confidence 99.99995%")) << text;
  EXPECT_TRUE(has(words({1.00004, 0, 4.875675, 0, 0.05}), "at most 1.001.")) << text;
  EXPECT_TRUE(has(words({5, 4.875675, 4.875675, 0, 0.001 / 3}), "confidence 99.96666%"));
  EXPECT_TRUE(has(words({5, 4.875675, 4.875675, 0, 1e-30}), "could not have shown more than epsilon 4.876"));
  EXPECT_TRUE(has(words({5, 4.875675, 4.875675, 0, 1e-30}), "confidence 99.9999999999%"));
}

TEST(TwoSidedPicture, FromAReport) {
  Report report;
  report.promised = 0.5;
  report.lower_bound = 0.7;
  report.ceiling = 4;
  report.delta = 1e-3;
  report.false_alarm = 0.01;
  EXPECT_TRUE(is_alarm(two_sided(report)));
  EXPECT_TRUE(has(words(two_sided(report)), "confidence 99%"));
}

}  // namespace
}  // namespace dither::audit
