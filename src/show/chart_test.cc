#include "show/chart.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace dither::show {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
};

std::string unescaped(std::string text) {
  for (const auto& [entity, character] : std::vector<std::pair<std::string, std::string>>{
           {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; at += character.size()) {
      text.replace(at, entity.size(), character);
    }
  }
  return text;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void require_entities(const std::string& text) {
  static const std::regex entity("&(lt|gt|quot|amp);");
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    require(std::regex_search(text.begin() + static_cast<long>(at), text.end(), entity,
                              std::regex_constants::match_continuous),
            "a bare &");
  }
}

// The elements of a well-formed document in the order in which they begin; throws when it is not well-formed.
std::vector<Element> parse_xml(const std::string& document) {
  static const std::regex open(R"(<([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(/?)>)");
  static const std::regex attribute(R"X( ([a-zA-Z-]+)="([^"<]*)")X");
  for (const char c : document) require(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "a control character");
  std::vector<Element> elements;
  std::vector<std::size_t> stack;
  for (std::size_t at = 0; at < document.size();) {
    if (document[at] != '<') {
      const std::size_t next = std::min(document.find('<', at), document.size());
      const std::string text = document.substr(at, next - at);
      require_entities(text);
      require(text.find('>') == std::string::npos, "a bare >");
      require(!stack.empty() || text == "\n", "text outside the root");
      if (!stack.empty()) elements[stack.back()].text += unescaped(text);
      at = next;
    } else if (document[at + 1] == '/') {
      const std::size_t end = document.find('>', at);
      require(!stack.empty() && document.substr(at + 2, end - at - 2) == elements[stack.back()].name, "a wrong end");
      stack.pop_back();
      at = end + 1;
    } else {
      std::smatch match;
      require(std::regex_search(document.begin() + static_cast<long>(at), document.end(), match, open,
                                std::regex_constants::match_continuous),
              "a broken tag");
      require(elements.empty() || !stack.empty(), "two roots");
      Element element{match[1], {}, ""};
      const std::string attributes = match[2];
      require_entities(attributes);
      for (std::sregex_iterator it(attributes.begin(), attributes.end(), attribute), last; it != last; ++it) {
        require(element.attributes.emplace((*it)[1], unescaped((*it)[2])).second, "an attribute twice");
      }
      elements.push_back(element);
      if (match[3].length() == 0) stack.push_back(elements.size() - 1);
      at += static_cast<std::size_t>(match[0].length());
    }
  }
  require(stack.empty(), "an element without end");
  return elements;
}

// Those whose class contains the word.
std::vector<Element> of_class(const std::vector<Element>& all, const std::string& word) {
  std::vector<Element> found;
  for (const Element& element : all) {
    const auto at = element.attributes.find("class");
    if (at != element.attributes.end() && (" " + at->second + " ").find(" " + word + " ") != std::string::npos) {
      found.push_back(element);
    }
  }
  return found;
}

std::vector<double> numbers(const std::string& path) {
  static const std::regex number("-?[0-9]+\\.[0-9]+");
  std::vector<double> found;
  for (std::sregex_iterator it(path.begin(), path.end(), number), last; it != last; ++it) {
    found.push_back(std::stod(it->str()));
  }
  return found;
}

Chart simple() {
  return {"Delta", "", {"epsilon", Scale::linear}, {"delta", Scale::linear}, {{"one", {{0, 0}, {4, 8}}, {}}}};
}

// The lines of the data, without those of the legend.
std::vector<Element> data_lines(const Chart& chart) {
  std::vector<Element> found;
  for (const Element& element : of_class(parse_xml(svg_chart(chart)), "dither-line")) {
    if (element.attributes.at("d").find('h') == std::string::npos) found.push_back(element);
  }
  return found;
}

TEST(Chart, TheCheckerSeesBrokenDocuments) {
  for (const char* broken : {"<a>", "<a></b>", "<a x=1/>", "<a>&</a>", "<a>&x;</a>", "<a>b>c</a>", "<a/><b/>", "</a>",
                             "<a x=\"1\" x=\"2\"/>", "<a>\x01</a>", "<a x=\"<\"/>"}) {
    EXPECT_THROW(parse_xml(broken), std::runtime_error) << broken;
  }
  EXPECT_EQ(parse_xml("<a x=\"&lt;\">b&amp;lt;<c/></a>\n").at(0).text, "b&lt;");
}

TEST(Chart, MarksAndPointsStandWhereTheyShould) {
  const auto all = parse_xml(svg_chart(simple()));
  const auto x_marks = of_class(all, "dither-x"), y_marks = of_class(all, "dither-y");
  ASSERT_EQ(x_marks.size(), 9u);  // 0, 0.5 ... 4
  ASSERT_EQ(y_marks.size(), 9u);
  const auto x = [](const Element& element) { return std::stod(element.attributes.at("x")); };
  const auto y = [](const Element& element) { return std::stod(element.attributes.at("y")); };
  for (std::size_t i = 1; i + 1 < 9; ++i) {
    EXPECT_NEAR(x(x_marks[i]), (x(x_marks[i - 1]) + x(x_marks[i + 1])) / 2, 0.011) << i;
    EXPECT_NEAR(y(y_marks[i]), (y(y_marks[i - 1]) + y(y_marks[i + 1])) / 2, 0.011) << i;
  }
  EXPECT_EQ(x_marks[8].text, "4.0");
  EXPECT_EQ(y_marks[8].text, "8");
  const auto path = numbers(data_lines(simple()).at(0).attributes.at("d"));
  ASSERT_EQ(path.size(), 4u);
  EXPECT_NEAR(path[0], x(x_marks[0]), 0.011);
  EXPECT_NEAR(path[1], y(y_marks[0]) - 4, 0.011);  // text stands a little below its mark
  EXPECT_NEAR(path[2], x(x_marks[8]), 0.011);
  EXPECT_NEAR(path[3], y(y_marks[8]) - 4, 0.011);
}

TEST(Chart, LogarithmicAxesHaveEvenDecades) {
  Chart chart = simple();
  chart.y.scale = Scale::logarithmic;
  chart.series[0].points = {{0, 1}, {1, 1e-3}, {2, 1e-6}};
  const auto path = numbers(data_lines(chart).at(0).attributes.at("d"));
  EXPECT_NEAR(path[3] - path[1], path[5] - path[3], 0.021);
  EXPECT_EQ(of_class(parse_xml(svg_chart(chart)), "dither-y").size(), 7u);
}

TEST(Chart, WhatCannotBeDrawnIsAGap) {
  Chart chart = simple();
  chart.series[0].points = {{0, 1}, {1, 2}, {2, kNan}, {3, 1}, {4, 2}, {5, kInfinity}, {6, 1}, {-kInfinity, 1}};
  const auto all = parse_xml(svg_chart(chart));
  EXPECT_EQ(data_lines(chart).size(), 2u);
  EXPECT_EQ(of_class(all, "dither-dot").size(), 1u);  // (6, 1) stands alone
  chart.y.scale = Scale::logarithmic;
  chart.series[0].points = {{0, 1}, {1, 2}, {2, 0}, {3, 1}, {4, 2}, {5, -1}};
  EXPECT_EQ(data_lines(chart).size(), 2u);
}

TEST(Chart, BandsAreAreasWithGaps) {
  Chart chart = simple();
  chart.series[0].band = {{0, 1, 2}, {1, 1, 3}, {2, 0, kInfinity}, {3, 1, 2}, {4, 1, 2}, {5, 1, 2}};
  const auto bands = of_class(parse_xml(svg_chart(chart)), "dither-band");
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_EQ(numbers(bands[0].attributes.at("d")).size(), 8u);  // four corners
  EXPECT_EQ(numbers(bands[1].attributes.at("d")).size(), 12u);
  EXPECT_EQ(bands[0].attributes.at("d").back(), 'Z');
  const auto corners = numbers(bands[0].attributes.at("d"));
  EXPECT_EQ(corners[0], corners[6]);  // there and back
  EXPECT_LT(corners[1], corners[7]);  // the upper edge first
}

TEST(Chart, EmptyChartsSaySo) {
  for (const Chart& chart : {Chart{}, Chart{"t", "", {}, {}, {{"none", {}, {}}}},
                             Chart{"t", "", {}, {"", Scale::logarithmic}, {{"zero", {{1, 0}}, {{1, kNan, 1}}}}}}) {
    const std::string svg = svg_chart(chart);
    EXPECT_NE(svg.find(">no data<"), std::string::npos);
    EXPECT_GE(of_class(parse_xml(svg), "dither-y").size(), 2u);
  }
  EXPECT_EQ(svg_chart(simple()).find("no data"), std::string::npos);
}

TEST(Chart, TextIsEscapedAndSaidAloud) {
  const std::string evil = "</text><script>alert(1)</script>&\"'\x01";
  Chart chart = simple();
  chart.title = chart.description = chart.x.label = chart.y.label = chart.series[0].name = evil;
  const std::string svg = svg_chart(chart);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  const auto all = parse_xml(svg);
  EXPECT_EQ(all[0].name, "svg");
  EXPECT_EQ(all[0].attributes.at("role"), "img");
  EXPECT_EQ(all[1].name, "title");
  EXPECT_EQ(all[1].text, "</text><script>alert(1)</script>&\"'\\x01");
  EXPECT_EQ(all[2].name, "desc");
  EXPECT_NE(all[2].text.find("from 0 to 4.0"), std::string::npos);
  EXPECT_EQ(of_class(all, "dither-legend").at(0).text, all[1].text);
}

TEST(Chart, NothingComesFromElsewhere) {
  const std::string svg = svg_chart(simple());
  for (const char* word : {"<script", "href", "url(", "@import", "@font-face", "foreignObject"}) {
    EXPECT_EQ(svg.find(word), std::string::npos) << word;
  }
  for (const Element& element : parse_xml(svg)) {
    for (const auto& [name, value] : element.attributes) EXPECT_FALSE(name.starts_with("on")) << name;
  }
  EXPECT_EQ(svg.rfind("http"), svg.find("http://www.w3.org/2000/svg"));
}

TEST(Chart, ThirtySixSeriesLookDifferent) {
  Chart chart = simple();
  chart.series.assign(36, chart.series[0]);
  for (std::size_t i = 0; i < 36; ++i) chart.series[i].name = "a series with a long name " + std::to_string(i);
  std::map<std::string, int> looks;
  double lowest = 0;
  const auto all = parse_xml(svg_chart(chart));
  for (const Element& element : of_class(all, "dither-line")) {
    if (element.attributes.at("d").find('h') == std::string::npos) continue;
    const auto dash = element.attributes.find("stroke-dasharray");
    ++looks[element.attributes.at("class") + (dash == element.attributes.end() ? "" : dash->second)];
    lowest = std::max(lowest, numbers(element.attributes.at("d"))[1]);
  }
  EXPECT_EQ(looks.size(), 36u);
  const double height = std::stod(all[0].attributes.at("height"));
  EXPECT_GT(height, 450);  // it grows with the legend
  EXPECT_LT(numbers(data_lines(chart).at(0).attributes.at("d"))[1], height);
  EXPECT_LT(lowest, numbers(data_lines(chart).at(0).attributes.at("d"))[3]);  // the legend ends above the data
}

TEST(Chart, ManyPointsInOnePlaceAreOne) {
  Chart chart = simple();
  chart.series[0].points.clear();
  for (int i = 0; i <= 100'000; ++i) chart.series[0].points.push_back({i / 1e5, 1});
  EXPECT_LT(svg_chart(chart).size(), 1'200'000u);
  chart.series[0].points.assign(1000, {1, 1});
  EXPECT_EQ(of_class(parse_xml(svg_chart(chart)), "dither-dot").size(), 1u);
}

RC_GTEST_PROP(Chart, AnyDataAndTextGiveAWellFormedPicture, (const std::string& a, const std::string& b)) {
  const auto any = [] {
    const double size = std::pow(10.0, *rc::gen::inRange(-320, 309)) * *rc::gen::inRange(-99, 100);
    return *rc::gen::element(size, kNan, kInfinity, -kInfinity, 0.0, 1.0);
  };
  const auto scale = [] { return *rc::gen::element(Scale::linear, Scale::logarithmic); };
  Chart chart{a, b, {b, scale()}, {a, scale()}, {}};
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    Series series{left % 2 ? a : b, {}, {}};
    for (int points = *rc::gen::inRange(0, 6); points > 0; --points) {
      series.points.push_back({any(), any()});
      series.band.push_back({any(), any(), any()});
    }
    chart.series.push_back(series);
  }
  const std::string svg = svg_chart(chart);
  RC_ASSERT(svg == svg_chart(chart));
  for (const Element& element : parse_xml(svg)) {
    const auto path = element.attributes.find("d");
    if (path == element.attributes.end()) continue;
    RC_ASSERT(path->second.find("nan") == std::string::npos && path->second.find("inf") == std::string::npos);
    for (const double value : numbers(path->second)) RC_ASSERT(value >= 0 && value <= 720);
    for (std::size_t i = 1; i < numbers(path->second).size(); i += 2) RC_ASSERT(numbers(path->second)[i] <= 450);
  }
}

// The colours, by the formulas of WCAG 2 (contrast) and CIE Lab (distance), as eyes without one kind of cone see them
// (matrices of Machado, Oliveira and Fernandes, 2009).
using Rgb = std::array<double, 3>;

Rgb linear_light(const std::string& hex) {
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    result[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return result;
}

double luminance(const Rgb& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

double contrast(const std::string& a, const std::string& b) {
  const auto [low, high] = std::minmax({luminance(linear_light(a)), luminance(linear_light(b))});
  return (high + 0.05) / (low + 0.05);
}

using Matrix = std::array<Rgb, 3>;

Rgb times(const Matrix& m, const Rgb& c) {
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2];
  return result;
}

Rgb lab(Rgb c) {
  for (double& part : c) part = std::clamp(part, 0.0, 1.0);
  const Matrix to_xyz = {Rgb{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
  const Rgb white = {0.9505, 1, 1.089};
  Rgb f = times(to_xyz, c);
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = f[i] / white[i];
    f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double distance(const Rgb& a, const Rgb& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(Chart, ColoursStandOutAndDiffer) {
  const std::vector<Matrix> eyes = {
      {Rgb{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {Rgb{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
      {Rgb{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
      {Rgb{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
  const std::string style = parse_xml(svg_chart(simple())).at(3).text;
  const std::size_t dark = style.find("@media");
  ASSERT_NE(dark, std::string::npos);
  for (const std::string& theme : {style.substr(0, dark), style.substr(dark)}) {
    static const std::regex page("-page\\{fill:(#[0-9a-f]{6})"), text("-text\\{fill:(#[0-9a-f]{6})");
    static const std::regex colour("color:(#[0-9a-f]{6})");
    std::smatch background, letters;
    ASSERT_TRUE(std::regex_search(theme, background, page) && std::regex_search(theme, letters, text));
    EXPECT_GE(contrast(background[1], letters[1]), 4.5);
    std::vector<std::string> colours;
    for (std::sregex_iterator it(theme.begin(), theme.end(), colour), last; it != last; ++it)
      colours.push_back((*it)[1]);
    ASSERT_EQ(colours.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_GE(contrast(background[1], colours[i]), 3) << colours[i];
      for (std::size_t j = 0; j < i; ++j) {
        for (const Matrix& eye : eyes) {
          const double apart =
              distance(lab(times(eye, linear_light(colours[i]))), lab(times(eye, linear_light(colours[j]))));
          EXPECT_GE(apart, 12) << colours[i] << " " << colours[j];
        }
      }
    }
  }
}

}  // namespace
}  // namespace dither::show
