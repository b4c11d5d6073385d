#include "show/estimates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "show/detail/svg.h"
#include "show/ticks.h"

namespace dither::show {

using detail::escaped;
using detail::line;
using detail::px;
using detail::text;

namespace {

constexpr double kWidth = 720, kRight = kWidth - 36;
constexpr double kRow = 22, kBar = 12, kCap = 4;
constexpr double kTop = 44;           // of the first panel: room for the title
constexpr double kAbove = 26;         // of the rows: room for the panel's name
constexpr double kBelow = 34;         // room for the marks of the axis
constexpr double kLetter = 6.6;       // about the width of a character of 12 px
constexpr std::size_t kLongest = 32;  // characters of a label

bool drawable(const std::optional<double>& value) { return value && can_draw(*value, Scale::linear); }

// At most so many characters, the last an ellipsis where some are left out.
std::string cut(const std::string& label) {
  std::string safe = printable(label);
  if (display_width(safe) <= kLongest) return safe;
  std::string result;
  for (std::string_view rest = safe; !rest.empty();) {
    const std::size_t bytes = first_character(rest).bytes;
    if (display_width(result) + display_width(rest.substr(0, bytes)) >= kLongest) break;
    result += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  return result + "\u2026";
}

Ticks ticks_of(const EstimatePanel& panel) {
  double low = 0, high = 0;
  for (const Estimate& estimate : panel.values) {
    for (const auto& number : {estimate.value, estimate.low, estimate.high}) {
      if (!drawable(number)) continue;
      low = std::min(low, *number);
      high = std::max(high, *number);
    }
  }
  return low == high ? nice_ticks(0, 1, Scale::linear) : nice_ticks(low, high, Scale::linear);
}

std::string in_words(const std::string& label, const Estimate& estimate) {
  if (!estimate.value) return fmt::format("{}: nothing", label);
  const std::string interval =
      estimate.low ? fmt::format(" (95% from {:.6g} to {:.6g})", *estimate.low, *estimate.high) : "";
  return fmt::format("{}: {:.6g}{}", label, *estimate.value, interval);
}

class Panel {
 public:
  Panel(const EstimateChart& chart, std::size_t index, double top, double left)
      : labels_(chart.labels),
        panel_(chart.panels[index]),
        colour_(index % 6),
        top_(top),
        left_(left),
        ticks_(ticks_of(panel_)) {}

  static double height(std::size_t rows) { return kAbove + kRow * static_cast<double>(rows) + kBelow; }

  std::string svg() const {
    std::string out = text(" dither-name", left_, top_ + 14, " font-weight=\"600\"", panel_.name);
    const double bottom = row(labels_.size());
    for (const Tick& tick : ticks_.marks) {
      const double x = to_x(tick.value);
      out += line(tick.value == 0 ? "axis" : "grid", x, row(0), x, bottom);
      out += text(" dither-x", x, bottom + 16, " text-anchor=\"middle\"", tick.label);
    }
    out += fmt::format("<g class=\"dither-c{}\">\n", colour_);
    for (std::size_t i = 0; i < labels_.size(); ++i) out += estimate(i);
    return out + "</g>\n";
  }

 private:
  double row(std::size_t i) const { return top_ + kAbove + kRow * static_cast<double>(i); }
  double to_x(double value) const { return left_ + (kRight - left_) * ticks_.fraction(value, Scale::linear); }

  std::string estimate(std::size_t i) const {
    const Estimate& one = panel_.values[i];
    const double middle = row(i) + kRow / 2;
    std::string out = fmt::format("<g>\n<title>{}</title>\n", escaped(in_words(labels_[i], one)));
    out += text(" dither-label", left_ - 8, middle + 4, " text-anchor=\"end\"", cut(labels_[i]));
    if (drawable(one.value)) {
      const double from = std::min(to_x(0), to_x(*one.value)), to = std::max(to_x(0), to_x(*one.value));
      out += fmt::format("<rect class=\"dither-band dither-bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                         px(from), px(middle - kBar / 2), px(to - from), px(kBar));
    }
    if (drawable(one.low) && drawable(one.high)) out += whisker(to_x(*one.low), to_x(*one.high), middle);
    if (drawable(one.value)) {
      out +=
          fmt::format("<circle class=\"dither-dot\" cx=\"{}\" cy=\"{}\" r=\"3\"/>\n", px(to_x(*one.value)), px(middle));
    }
    return out + "</g>\n";
  }

  static std::string whisker(double low, double high, double y) {
    return fmt::format(
        "<path class=\"dither-line dither-interval\" d=\"M{0} {2}L{1} {2}M{0} {3}L{0} {4}M{1} {3}L{1} {4}\"/>\n",
        px(low), px(high), px(y), px(y - kCap), px(y + kCap));
  }

  const std::vector<std::string>& labels_;
  const EstimatePanel& panel_;
  std::size_t colour_;
  double top_, left_;
  Ticks ticks_;
};

double left_of(const EstimateChart& chart) {
  std::size_t widest = 0;
  for (const std::string& label : chart.labels) widest = std::max(widest, display_width(cut(label)));
  return 28 + kLetter * static_cast<double>(widest);
}

std::string description(const EstimateChart& chart) {
  std::string out = chart.description + (chart.description.empty() ? "" : " ") + "Bars with 95% intervals. Shown: ";
  for (const EstimatePanel& panel : chart.panels) out += (&panel == chart.panels.data() ? "" : ", ") + panel.name;
  return out + fmt::format("; for each of {} rows.", chart.labels.size());
}

}  // namespace

std::string svg_estimates(const EstimateChart& chart) {
  const double each = Panel::height(chart.labels.size());
  const double height = kTop + each * static_cast<double>(chart.panels.size()) + 8;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n{4}<rect class=\"dither-page\" width=\"{0}\" height=\"{1}\"/>\n",
      kWidth, height, escaped(chart.title), escaped(description(chart)), detail::kChartStyle);
  out += text(" dither-title", kWidth / 2, 28, " text-anchor=\"middle\"", chart.title);
  const double left = left_of(chart);
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    out += Panel(chart, i, kTop + each * static_cast<double>(i), left).svg();
  }
  return out + "</svg>\n";
}

}  // namespace dither::show
