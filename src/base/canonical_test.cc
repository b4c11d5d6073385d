#include "base/canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace dither {
namespace {

using Spell = std::function<std::string(std::span<const Cell>)>;

std::string spell(std::span<const Cell> cells) { return canonical(cells); }

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Canonical, SpellsEachType) {
  EXPECT_EQ(canonical(Cell()), "n");
  EXPECT_EQ(canonical(Cell(false)), "b0");
  EXPECT_EQ(canonical(Cell(true)), "b1");
  EXPECT_EQ(canonical(Cell(std::int64_t{-5})), "i-5");
  EXPECT_EQ(canonical(Cell(std::numeric_limits<std::int64_t>::min())), "i-9223372036854775808");
  EXPECT_EQ(canonical(Cell(1.0)), "r3ff0000000000000");
  EXPECT_EQ(canonical(Cell(-kInf)), "rfff0000000000000");
  EXPECT_EQ(canonical(Cell(std::string("Z\xc3\xbcrich"))), "tZ\xc3\xbcrich");
  EXPECT_EQ(canonical(Cell(std::string("a\0b", 3))), std::string("ta\0b", 4));
}

TEST(Canonical, OneZeroAndOneNan) {
  EXPECT_EQ(canonical(Cell(-0.0)), canonical(Cell(0.0)));
  EXPECT_EQ(canonical(Cell(-kNan)), canonical(Cell(kNan)));
  EXPECT_EQ(canonical(Cell(std::nan("7"))), "r7ff8000000000000");
  EXPECT_NE(canonical(Cell(kInf)), canonical(Cell(kNan)));
}

// Every list of up to three of these has bytes of its own; the shortest ways in which lists could be confused occur:
// empty text, digits and separators as text, the same number in two types, a list inside a text.
bool is_injective(const Spell& spelling) {
  const std::vector<Cell> cells = {Cell(),
                                   Cell(false),
                                   Cell(true),
                                   Cell(std::int64_t{0}),
                                   Cell(std::int64_t{1}),
                                   Cell(0.0),
                                   Cell(1.0),
                                   Cell(std::string("")),
                                   Cell("1"),
                                   Cell("i1"),
                                   Cell("1:n"),
                                   Cell("1:n1:n"),
                                   Cell("l1:n"),
                                   Cell("2:i1"),
                                   Cell("ab"),
                                   Cell("a"),
                                   Cell("b"),
                                   Cell("a,n"),
                                   Cell("a,tb"),
                                   Cell(kNan),
                                   Cell(kInf)};
  std::set<std::string> seen;
  std::size_t lists = 0;
  const auto add = [&](std::vector<Cell> list) {
    seen.insert(spelling(list));
    ++lists;
  };
  add({});
  for (const Cell& a : cells) {
    add({a});
    for (const Cell& b : cells) {
      add({a, b});
      for (const Cell& c : cells) add({a, b, c});
    }
  }
  return seen.size() == lists;
}

TEST(Canonical, NoTwoListsShareTheirBytes) { EXPECT_TRUE(is_injective(spell)); }

TEST(Canonical, PlantedSeparatorInsteadOfLengthIsCaught) {
  EXPECT_FALSE(is_injective([](std::span<const Cell> cells) {
    std::string all = "l";
    for (const Cell& cell : cells) all += canonical(cell) + ",";
    return all;
  }));
}

TEST(Canonical, PlantedMissingTagIsCaught) {
  EXPECT_FALSE(is_injective([](std::span<const Cell> cells) {
    std::string all;
    for (const Cell& cell : cells) {
      const std::string one = canonical(cell).substr(1);
      all += std::to_string(one.size()) + ":" + one;
    }
    return all;
  }));
}

TEST(Canonical, AListOfOneIsItsCell) {
  const Cell cell(std::string("x"));
  EXPECT_EQ(canonical(std::span(&cell, 1)), canonical(cell));
}

RC_GTEST_PROP(Canonical, SameBytesExactlyIfSameValue, (std::int64_t a, std::int64_t b, std::string s, std::string t)) {
  RC_ASSERT((canonical(Cell(a)) == canonical(Cell(b))) == (a == b));
  RC_ASSERT((canonical(Cell(s)) == canonical(Cell(t))) == (s == t));
  RC_ASSERT(canonical(Cell(a)) != canonical(Cell(s)));
  const auto x = static_cast<double>(a) / 3;
  RC_ASSERT((canonical(Cell(x)) == canonical(Cell(static_cast<double>(b) / 3))) == (x == static_cast<double>(b) / 3));
}

}  // namespace
}  // namespace dither
