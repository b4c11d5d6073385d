#include "show/estimates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

namespace dither::show {
namespace {

EstimateChart simple() {
  return {"n by city", "", {"Bonn", "Ulm"}, {{"n", {{100.0, 80.0, 120.0}, {50.0, 40.0, 70.0}}}}};
}

std::size_t count(const std::string& document, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = document.find(word); at != std::string::npos; at = document.find(word, at + 1)) ++found;
  return found;
}

std::vector<double> all(const std::string& document, const std::string& pattern) {
  std::vector<double> numbers;
  const std::regex expression(pattern);
  for (std::sregex_iterator it(document.begin(), document.end(), expression), last; it != last; ++it) {
    numbers.push_back(std::stod((*it)[1]));
  }
  return numbers;
}

// Where things stand across: 0 where bars begin, one value per dot, ends of intervals.
struct Places {
  std::vector<double> zero, dots, low, high;
};
Places places(const std::string& svg) {
  return {all(svg, "dither-bar\" x=\"([0-9.]+)"), all(svg, "cx=\"([0-9.]+)"),
          all(svg, "dither-interval\" d=\"M([0-9.]+)"), all(svg, "dither-interval\" d=\"M[0-9. ]+L([0-9.]+)")};
}

TEST(Estimates, BarsDotsAndIntervalsStandWhereTheNumbersSay) {
  const Places at = places(svg_estimates(simple()));
  ASSERT_EQ(at.dots.size(), 2U);
  const double unit = (at.dots[0] - at.zero[0]) / 100;
  EXPECT_NEAR(at.zero[0], at.zero[1], 0.01);
  EXPECT_NEAR(at.dots[1], at.zero[0] + 50 * unit, 0.02);
  EXPECT_NEAR(at.low[0], at.zero[0] + 80 * unit, 0.02);
  EXPECT_NEAR(at.high[0], at.zero[0] + 120 * unit, 0.02);
  EXPECT_NEAR(at.low[1], at.zero[0] + 40 * unit, 0.02);
  EXPECT_NEAR(at.high[1], at.zero[0] + 70 * unit, 0.02);
}

TEST(Estimates, NegativeValuesLieLeftOfZero) {
  EstimateChart chart = simple();
  chart.panels[0].values[0] = {-100.0, -120.0, -80.0};
  const Places at = places(svg_estimates(chart));
  EXPECT_LT(at.dots[0], at.dots[1]);
  EXPECT_NEAR(at.zero[0], at.dots[0], 0.01) << "the bar begins at its left end";
}

TEST(Estimates, WhatCannotBeDrawnIsAGap) {
  EstimateChart chart = simple();
  chart.panels[0].values[0] = {{}, {}, {}};
  chart.panels[0].values[1] = {std::nan(""), std::numeric_limits<double>::infinity(), 1.0};
  const std::string svg = svg_estimates(chart);
  EXPECT_EQ(count(svg, "<circle"), 0U);
  EXPECT_EQ(count(svg, "class=\"dither-band"), 0U);
  EXPECT_EQ(count(svg, "class=\"dither-line dither-interval"), 0U);
  EXPECT_NE(svg.find("Bonn: nothing"), std::string::npos);
}

TEST(Estimates, WithoutIntervalsThereAreBarsAlone) {
  EstimateChart chart = simple();
  for (Estimate& estimate : chart.panels[0].values) estimate.low = estimate.high = {};
  const std::string svg = svg_estimates(chart);
  EXPECT_EQ(count(svg, "class=\"dither-line dither-interval"), 0U);
  EXPECT_EQ(count(svg, "<circle"), 2U);
}

TEST(Estimates, EachNumberHasItsPanelAndTheHeightFollows) {
  EstimateChart chart = simple();
  const std::string one = svg_estimates(chart);
  chart.panels.push_back({"cost", {{1.5, 1.0, 2.0}, {2.5, 2.0, 3.0}}});
  const std::string two = svg_estimates(chart);
  EXPECT_EQ(count(two, "<circle"), 4U);
  EXPECT_EQ(count(two, ">cost</text>"), 1U);
  EXPECT_GT(all(two, "height=\"([0-9.]+)\" role")[0], all(one, "height=\"([0-9.]+)\" role")[0]);
  EXPECT_EQ(svg_estimates(chart), two);
}

TEST(Estimates, TextIsEscapedAndLongLabelsAreCut) {
  EstimateChart chart = simple();
  chart.labels = {"<script>alert(1)</script>", std::string(100, 'x')};
  const std::string svg = svg_estimates(chart);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(svg.find(">" + std::string(31, 'x') + "\u2026</text>"), std::string::npos);
}

TEST(Estimates, NoRowsIsADrawingToo) {
  const std::string svg = svg_estimates({"nothing", "", {}, {{"n", {}}}});
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace dither::show
