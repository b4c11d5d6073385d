#include "show/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "show/detail/svg.h"

namespace dither::show {

using detail::escaped;
using detail::line;
using detail::px;
using detail::text;

namespace {

constexpr double kWidth = 720, kHeight = 450;
constexpr double kBelow = 58;    // room under the plot for marks and label
constexpr double kLetter = 6.6;  // about the width of a character of the 12 px used for marks and legend
constexpr double kRow = 20;      // of the legend

constexpr std::array<std::string_view, 6> kDashes = {"none", "8 4", "2 3", "10 3 2 3", "14 5", "5 2 1 2 1 2"};

// The smallest and largest value that can be drawn.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

Ticks ticks_of(const Extent& extent, Scale scale) {
  if (extent.empty()) return scale == Scale::linear ? nice_ticks(0, 1, scale) : nice_ticks(1, 10, scale);
  return nice_ticks(extent.low, extent.high, scale);
}

// The chart with its measures settled.
class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    measure_data();
    place_legend();
    std::size_t widest = 0;
    for (const Tick& tick : y_.marks) widest = std::max(widest, display_width(tick.label));
    left_ = 40 + kLetter * static_cast<double>(widest);
    top_ = legend_bottom_ + 14;
  }

  std::string svg() const {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n{4}<rect class=\"dither-page\" width=\"{0}\" height=\"{1}\"/>\n",
        kWidth, bottom_ + kBelow, escaped(chart_.title), escaped(description()), detail::kChartStyle);
    out += text(" dither-title", kWidth / 2, 28, " text-anchor=\"middle\"", chart_.title);
    out += axes() + legend();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) out += series(i);
    if (empty_) out += text("", (left_ + right_) / 2, (top_ + bottom_) / 2, " text-anchor=\"middle\"", "no data");
    return out + "</svg>\n";
  }

 private:
  void measure_data() {
    Extent x, y;
    const auto include = [&](double px_value, std::initializer_list<double> py_values) {
      if (!can_draw(px_value, chart_.x.scale)) return;
      for (const double value : py_values) {
        if (!can_draw(value, chart_.y.scale)) return;
      }
      x.include(px_value);
      for (const double value : py_values) y.include(value);
    };
    for (const Series& one : chart_.series) {
      for (const Point& point : one.points) include(point.x, {point.y});
      for (const BandPoint& point : one.band) include(point.x, {point.lower, point.upper});
    }
    empty_ = x.empty();
    x_ = ticks_of(x, chart_.x.scale);
    y_ = ticks_of(y, chart_.y.scale);
  }

  // From left to right under the title, in as many rows as it takes.
  void place_legend() {
    double x = 24, y = 52;
    for (const Series& one : chart_.series) {
      const double width = 52 + kLetter * static_cast<double>(display_width(printable(one.name)));
      if (x > 24 && x + width > kWidth - 16) {
        x = 24;
        y += kRow;
      }
      legend_.push_back({x, y});
      x += width;
    }
    legend_bottom_ = legend_.empty() ? 36 : y;
    bottom_ = std::max(kHeight - kBelow, legend_bottom_ + 250);
  }

  double to_x(double value) const { return left_ + (right_ - left_) * x_.fraction(value, chart_.x.scale); }
  double to_y(double value) const { return bottom_ - (bottom_ - top_) * y_.fraction(value, chart_.y.scale); }

  std::string axes() const {
    std::string out;
    for (const Tick& tick : x_.marks) {
      const double x = to_x(tick.value);
      out += line("grid", x, top_, x, bottom_);
      out += text(" dither-x", x, bottom_ + 18, " text-anchor=\"middle\"", tick.label);
    }
    for (const Tick& tick : y_.marks) {
      const double y = to_y(tick.value);
      out += line("grid", left_, y, right_, y);
      out += text(" dither-y", left_ - 8, y + 4, " text-anchor=\"end\"", tick.label);
    }
    out += line("axis", left_, bottom_, right_, bottom_) + line("axis", left_, top_, left_, bottom_);
    out += text("", (left_ + right_) / 2, bottom_ + 42, " text-anchor=\"middle\"", chart_.x.label);
    const double middle = (top_ + bottom_) / 2;
    return out + text("", 18, middle,
                      fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 18 {})\"", px(middle)),
                      chart_.y.label);
  }

  static std::string dashes(std::size_t i) {
    const std::string_view dash = kDashes[i % kDashes.size()];
    return dash == "none" ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
  }

  // Colour and dash repeat together only after 36 series.
  static std::size_t colour(std::size_t i) { return (i + i / kDashes.size()) % kDashes.size(); }

  std::string legend() const {
    std::string out;
    for (std::size_t i = 0; i < legend_.size(); ++i) {
      const Point at = legend_[i];
      out += fmt::format("<path class=\"dither-line dither-c{}\"{} d=\"M{} {}h28\"/>\n", colour(i), dashes(i), px(at.x),
                         px(at.y - 4));
      out += text(" dither-legend", at.x + 34, at.y, "", chart_.series[i].name);
    }
    return out;
  }

  std::string series(std::size_t i) const {
    const Series& one = chart_.series[i];
    return fmt::format("<g class=\"dither-c{}\">\n<title>{}</title>\n{}{}</g>\n", colour(i), escaped(one.name),
                       band(one.band), points(one.points, dashes(i)));
  }

  // A line for each stretch without gaps; a point alone is a dot.
  std::string points(const std::vector<Point>& all, const std::string& dash) const {
    std::string out, path, last;
    std::size_t joined = 0;
    const auto finish = [&] {
      if (joined > 1) out += fmt::format("<path class=\"dither-line\"{} d=\"M{}\"/>\n", dash, path);
      if (joined == 1) out += dot(last);
      path.clear();
      last.clear();
      joined = 0;
    };
    for (const Point& point : all) {
      if (!can_draw(point.x, chart_.x.scale) || !can_draw(point.y, chart_.y.scale)) {
        finish();
        continue;
      }
      const std::string place = px(to_x(point.x)) + " " + px(to_y(point.y));
      if (place == last) continue;  // too near to be seen
      path += (joined == 0 ? "" : "L") + place;
      last = place;
      ++joined;
    }
    finish();
    return out;
  }

  static std::string dot(const std::string& place) {
    const std::size_t space = place.find(' ');
    return fmt::format("<circle class=\"dither-dot\" cx=\"{}\" cy=\"{}\" r=\"3\"/>\n", place.substr(0, space),
                       place.substr(space + 1));
  }

  // An area for each stretch without gaps: along the upper edge, back along the lower.
  std::string band(const std::vector<BandPoint>& all) const {
    std::string out, upper;
    std::vector<std::string> lower;
    const auto finish = [&] {
      std::string path = upper;
      for (; !lower.empty(); lower.pop_back()) path += "L" + lower.back();
      if (!path.empty()) out += fmt::format("<path class=\"dither-band\" d=\"M{}Z\"/>\n", path);
      upper.clear();
    };
    for (const BandPoint& point : all) {
      const bool drawn = can_draw(point.x, chart_.x.scale) && can_draw(point.lower, chart_.y.scale) &&
                         can_draw(point.upper, chart_.y.scale);
      if (!drawn) {
        finish();
        continue;
      }
      const std::string x = px(to_x(point.x)) + " ";
      upper += (upper.empty() ? "" : "L") + x + px(to_y(point.upper));
      lower.push_back(x + px(to_y(point.lower)));
    }
    finish();
    return out;
  }

  std::string description() const {
    const auto axis = [](const Axis& one, const Ticks& ticks) {
      return fmt::format("{} from {} to {}{}", one.label, ticks.marks.front().label, ticks.marks.back().label,
                         one.scale == Scale::logarithmic ? ", logarithmic" : "");
    };
    std::string out = chart_.description + (chart_.description.empty() ? "" : " ");
    out += fmt::format("Line chart. Across: {}. Up: {}. Lines: ", axis(chart_.x, x_), axis(chart_.y, y_));
    for (const Series& one : chart_.series) out += (&one == chart_.series.data() ? "" : ", ") + one.name;
    return out + (chart_.series.empty() ? "none." : ".");
  }

  const Chart& chart_;
  Ticks x_, y_;
  bool empty_ = false;
  std::vector<Point> legend_;
  double legend_bottom_ = 0;
  double left_ = 0, top_ = 0, right_ = kWidth - 28, bottom_ = 0;
};

}  // namespace

std::string svg_chart(const Chart& chart) { return Drawing(chart).svg(); }

}  // namespace dither::show
