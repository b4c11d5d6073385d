#include "audit/text_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>

namespace dither::audit {
namespace {

std::map<std::string, double> parts_of(std::string_view text, Words& words) {
  std::array<double, kTextParts> cells{};
  cells.fill(absent());
  write_text_parts(text, words, cells);
  const std::vector<std::string> names = text_part_names("it");
  std::map<std::string, double> parts;
  for (std::size_t i = 0; i < kTextParts; ++i) parts[names[i]] = cells[i];
  return parts;
}

TEST(TextParts, AreThoseOfTheText) {
  Words words;
  auto parts = parts_of("Ada, 12.5 of -30 (x7)", words);
  EXPECT_EQ(parts["the length of it"], 21);
  EXPECT_EQ(parts["the digits in it"], 6);
  EXPECT_EQ(parts["the capitals in it"], 1);
  EXPECT_EQ(parts["the spaces in it"], 4);
  EXPECT_EQ(parts["the marks in it"], 5);
  EXPECT_EQ(parts["the place of the first mark in it"], 3);
  EXPECT_EQ(parts["the first number in it"], 12.5);
  EXPECT_EQ(parts["the second number in it"], -30);
  EXPECT_EQ(parts["the last number in it"], 7);
  EXPECT_EQ(words.text(parts["the first two characters of it"]), "Ad");
  EXPECT_EQ(words.text(parts["the last three characters of it"]), "x7)");
}

TEST(TextParts, OfNothingAreThere) {
  Words words;
  auto parts = parts_of("", words);
  EXPECT_EQ(parts["the length of it"], 0);
  EXPECT_TRUE(is_absent(parts["the first number in it"]));
  EXPECT_TRUE(is_absent(parts["the place of the first mark in it"]));
  EXPECT_EQ(words.text(parts["the last character of it"]), "");
}

TEST(TextParts, OrderIsThatOfNumbersAndOfTexts) {
  Words words;
  const auto order = [&](std::string_view text) {
    return words.text(parts_of(text, words)["the order of the parts of it"]);
  };
  EXPECT_EQ(order("9, 10, 10.5"), "rising");  // as texts they would fall
  EXPECT_EQ(order("bob|ada"), "falling");
  EXPECT_EQ(order("3;1;2"), "mixed");
  EXPECT_EQ(order("[]"), "level");
  EXPECT_EQ(order("-3 -2"), "rising");
  const auto place = [&](std::string_view text) {
    return parts_of(text, words)["the place in the order of texts of it"];
  };
  EXPECT_LT(place("ada"), place("adb"));
  EXPECT_LT(place("ada"), place("ada0"));
}

// The bits of four numbers are flags; every pair of texts that differ in one character differs in one of them at least.
TEST(TextParts, FlagsAreBitsOfNumbersFromOneToTwo) {
  Words words;
  const auto flags = [&](std::string_view text) {
    std::array<double, kTextParts> cells{};
    write_text_parts(text, words, cells);
    std::array<std::uint64_t, 4> bits{};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(is_text_flags(kTextParts - 4 + i));
      EXPECT_GE(cells[kTextParts - 4 + i], 1);
      EXPECT_LT(cells[kTextParts - 4 + i], 2);
      bits[i] = std::bit_cast<std::uint64_t>(cells[kTextParts - 4 + i]) & ((std::uint64_t{1} << 52) - 1);
    }
    return bits;
  };
  for (int c = ' '; c <= '~'; ++c) {
    const auto one = flags(std::string(1, static_cast<char>(c)));
    EXPECT_EQ(std::popcount(one[0]) + std::popcount(one[1]), 1);
    for (int d = c + 1; d <= '~'; ++d) EXPECT_NE(one, flags(std::string(1, static_cast<char>(d))));
  }
  EXPECT_NE(flags("ab"), flags("ba"));
  EXPECT_EQ(flags("ab")[0], flags("ba")[0]);
}

}  // namespace
}  // namespace dither::audit
