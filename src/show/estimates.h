// Values with their intervals as SVG: a bar, and over it a line from the lower to the upper end.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dither::show {

struct Estimate {
  std::optional<double> value;      // nothing: a gap
  std::optional<double> low, high;  // both or none: without them there is a bar alone
};

// One number for each label, on an axis of its own.
struct EstimatePanel {
  std::string name;
  std::vector<Estimate> values;  // as many as there are labels
};

struct EstimateChart {
  std::string title;
  std::string description;  // for those who cannot see it; what the panels are is added
  std::vector<std::string> labels;
  std::vector<EstimatePanel> panels;
};

// The chart as one SVG document of width 720, ended by a line feed; the same chart gives the same bytes. Panels stand
// under each other, a row for each label in the order given; every axis encloses 0, all values and all intervals that
// can be drawn. A row says its numbers where one points at it. Long labels are cut. Colours, dark mode and escaping are
// those of svg_chart.
std::string svg_estimates(const EstimateChart& chart);

}  // namespace dither::show
