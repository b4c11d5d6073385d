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

TEST(Nearest, NeighboursThatAreSwappedAreOneMistake) {
  EXPECT_EQ(nearest("cots", {"city", "cost"}), "cost");
  EXPECT_EQ(nearest("ba", {"c", "ab"}), "ab");
  EXPECT_EQ(nearest("abdc", {"abxc", "abcd"}), "abxc");  // one mistake each: the first
}

TEST(Nearest, LongTextCostsLittle) { EXPECT_EQ(nearest(std::string(8'000'000, 'b'), {"a", "b"}), "b"); }

TEST(NearEnough, NothingBeyondTwoMistakesOrAThird) {
  EXPECT_EQ(near_enough("cots", {"city", "cost"}), "cost");
  EXPECT_EQ(near_enough("visti", {"visits"}), "visits");
  EXPECT_EQ(near_enough("vis", {"visits"}), std::nullopt);
  EXPECT_EQ(near_enough("rows_par_unti", {"rows_per_unit"}), "rows_per_unit");
  EXPECT_EQ(near_enough("abcdefghijkl", {"abcdefgh"}), "abcdefgh");   // 4 of 12
  EXPECT_EQ(near_enough("abcdefghijkl", {"abcdefg"}), std::nullopt);  // 5 of 12
  EXPECT_EQ(near_enough(std::string(8'000'000, 'b'), {"b"}), std::nullopt);
}

TEST(NearEnough, NothingWhereNoLetterWouldStay) {
  EXPECT_EQ(near_enough("x", {"a", "ab"}), std::nullopt);
  EXPECT_EQ(near_enough("", {"/", "id"}), std::nullopt);
  EXPECT_EQ(near_enough("d", {"id"}), "id");
  EXPECT_EQ(near_enough("x", {}), std::nullopt);
}

TEST(NearEnough, CapitalsAreNoMistake) { EXPECT_EQ(near_enough("VISTIS", {"regions", "Visits"}), "Visits"); }

}  // namespace
}  // namespace dither
