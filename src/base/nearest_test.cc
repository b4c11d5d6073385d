#include "base/nearest.h"

#include <gtest/gtest.h>

namespace dither {
namespace {

TEST(Nearest, TakesTheFewestMistakes) {
  const std::vector<std::string> names = {"sigma", "scale", "times"};
  EXPECT_EQ(nearest("sigam", names), "sigma");
  EXPECT_EQ(nearest("scales", names), "scale");
  EXPECT_EQ(nearest("tmes", names), "times");
  EXPECT_EQ(nearest("times", names), "times");
}

TEST(Nearest, TheFirstOfEqualsWins) {
  EXPECT_EQ(nearest("x", {"a", "b"}), "a");
  EXPECT_EQ(nearest("", {"bb", "a", "b"}), "a");
}

TEST(Nearest, LongTextCostsLittle) { EXPECT_EQ(nearest(std::string(8'000'000, 'b'), {"a", "b"}), "b"); }

}  // namespace
}  // namespace dither
