#include "show/tree.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace dither::show {
namespace {

TEST(TextTree, OneStepUnderTheOtherIsNotIndented) {
  const TreeNode tree{"answer", {"two columns"}, {{"sum", {"by key"}, {{"visits", {"a table"}, {}}}}}};
  EXPECT_EQ(text_tree(tree),
            "answer\n"
            "|  two columns\n"
            "|\n"
            "sum\n"
            "|  by key\n"
            "|\n"
            "visits\n"
            "   a table\n");
}

TEST(TextTree, SeveralStepsAreIndented) {
  const TreeNode tree{"join", {}, {{"left", {"first"}, {{"a", {}, {}}}}, {"right", {"second"}, {}}}};
  EXPECT_EQ(text_tree(tree),
            "join\n"
            "+- left\n"
            "|  |  first\n"
            "|  |\n"
            "|  a\n"
            "+- right\n"
            "      second\n");
}

TEST(TextTree, LongLinesBreakBetweenWordsAndKeepTheirPlace) {
  const TreeNode tree{"t", {"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee"}, {{"u", {}, {}}}};
  EXPECT_EQ(text_tree(tree, 30),
            "t\n"
            "|  aaaaaaaaaa bbbbbbbbbb\n"
            "|  cccccccccc dddddddddd\n"
            "|  eeeeeeeeee\n"
            "|\n"
            "u\n");
}

TEST(TextTree, WhatOthersWroteCannotBreakTheLines) {
  EXPECT_EQ(text_tree({"a\nb", {"\x1b[2J"}, {}}), "a\\x0ab\n   \\x1b[2J\n");
}

struct Rectangle {
  double x, y, width, height;
};

std::vector<Rectangle> boxes(const std::string& svg) {
  const std::regex box(
      "<rect class=\"dither-box\" x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
  std::vector<Rectangle> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), box), end; at != end; ++at) {
    found.push_back({std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[3]), std::stod((*at)[4])});
  }
  return found;
}

bool apart(const Rectangle& a, const Rectangle& b) {
  return a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
}

// A node with `width` others below it, each so again.
TreeNode bushy(int depth, int width) {
  TreeNode node{
      "node at " + std::to_string(depth), {"a line", std::string(static_cast<std::size_t>(10 * depth), 'x')}, {}};
  for (int i = 0; depth > 0 && i < width; ++i) node.below.push_back(bushy(depth - 1, width));
  return node;
}

TEST(SvgTree, BoxesLieApartAndOnThePage) {
  for (const int width : {1, 2, 3}) {
    const std::string svg = svg_tree("t", "d", bushy(3, width));
    const std::vector<Rectangle> all = boxes(svg);
    ASSERT_EQ(all.size(), width == 1 ? 4U : width == 2 ? 15U : 40U);
    std::smatch page;
    ASSERT_TRUE(std::regex_search(svg, page, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_GE(all[i].x, 0);
      EXPECT_LE(all[i].x + all[i].width, std::stod(page[1]));
      EXPECT_LE(all[i].y + all[i].height, std::stod(page[2]));
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(all[i], all[j])) << i << " and " << j;
    }
  }
}

TEST(SvgTree, ALineJoinsEachBoxToTheOneAbove) {
  const std::string svg = svg_tree("t", "d", bushy(2, 2));
  const std::regex edge("class=\"dither-edge\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), edge), {}), 6);
}

TEST(SvgTree, TextIsEscaped) {
  const std::string svg = svg_tree("<t>", "a & b", {"x < 5", {"</text><script>"}, {}});
  EXPECT_NE(svg.find("<title>&lt;t&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("x &lt; 5"), std::string::npos);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg, svg_tree("<t>", "a & b", {"x < 5", {"</text><script>"}, {}}));
}

}  // namespace
}  // namespace dither::show
