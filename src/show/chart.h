// Line charts as SVG, for documents and browsers.
#pragma once

#include <string>
#include <vector>

#include "show/ticks.h"

namespace dither::show {

struct Point {
  double x, y;
};

struct BandPoint {
  double x, lower, upper;
};

// A line, a shaded band, or both in one colour. Points are joined in the order given; one that cannot be drawn (`can_draw`:
// NaN, an infinity, what is too large or too small for the axis) leaves a gap. Either list may be empty.
struct Series {
  std::string name;
  std::vector<Point> points;
  std::vector<BandPoint> band;
};

struct Axis {
  std::string label;
  Scale scale = Scale::linear;
};

struct Chart {
  std::string title;
  std::string description;  // for those who cannot see it; what the axes and series are is added
  Axis x, y;
  std::vector<Series> series;
};

// The chart as one SVG document of 720 by 450 (taller when the legend needs it), ended by a line feed; the same chart
// gives the same bytes. Axes have round marks that enclose all points, the legend stands under the title, lines differ
// in dashes and in colours that every kind of colour vision tells apart, at least 3:1 against the background. Light, or
// dark where the reader prefers that. All text is escaped; there are no scripts, no links, no fonts from elsewhere.
std::string svg_chart(const Chart& chart);

}  // namespace dither::show
