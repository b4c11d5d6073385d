// What all drawings share.
#pragma once

#include <string>
#include <string_view>

namespace dither::show::detail {

// Text for XML: controls made visible, what XML gives a meaning or does not have at all replaced.
std::string escaped(std::string_view text);

// A length: two digits behind the point are finer than any screen.
std::string px(double value);

// Page, text, grid, axes, lines, dots, bands and six colours (dither-c0 to dither-c5), light and dark. Each set is told
// apart by all kinds of colour vision; chart_test.cc computes how well.
extern const std::string_view kChartStyle;

// A text at a place; `classes` begins with a blank or is empty, and so does `more`, which is put into the tag.
std::string text(std::string_view classes, double x, double y, std::string_view more, std::string_view content);
// A straight line: "grid", "axis", "line".
std::string line(std::string_view kind, double x1, double y1, double x2, double y2);

}  // namespace dither::show::detail
