#include "show/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dither::show {

namespace {

constexpr double kShortest = 1e-9;    // of the larger end: below it, doubles no longer give even marks
constexpr double kSmallest = 1e-290;  // steps below would leave the normal doubles
constexpr int kMostMarks = 8;         // on a linear axis, before the ends are rounded

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

// m * 10^exponent, as near as its decimal reads: 3 * 10^-1 is 0.3.
double scaled(double m, int exponent) {
  return exponent < 0 ? m / power_of_ten(-exponent) : m * power_of_ten(exponent);
}

std::string superscript(int number) {
  static const char* const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string result = number < 0 ? "\u207b" : "";
  for (const char c : std::to_string(std::abs(number))) result += digits[c - '0'];
  return result;
}

std::string with_minus(const std::string& text) { return text.starts_with('-') ? "\u2212" + text.substr(1) : text; }

// m * 10^exponent for people: plain where that is short.
std::string label(double m, int exponent) {
  if (m == 0) return "0";
  const int leading = exponent + static_cast<int>(std::floor(std::log10(std::abs(m))));
  if (leading >= -4 && leading <= 5)
    return with_minus(fmt::format("{:.{}f}", scaled(m, exponent), std::max(0, -exponent)));
  const std::string factor = with_minus(fmt::format("{}", m / power_of_ten(leading - exponent)));
  return (factor == "1" ? "10" : factor + "\u00d710") + superscript(leading);
}

struct Step {
  double m;  // 1, 2 or 5
  int exponent;
};

// The smallest round step that crosses the span in at most kMostMarks.
Step nice_step(double span) {
  const int exponent = static_cast<int>(std::floor(std::log10(span / kMostMarks)));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (scaled(m, exponent) * kMostMarks >= span) return {m, exponent};
  }
  return {1, exponent + 1};
}

Ticks linear_ticks(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low < std::max(size * kShortest, kSmallest)) {
    const double more = size < kSmallest ? 1 : size / 2;
    low -= more;
    high += more;
  }
  const Step step = nice_step(high - low);
  const double width = scaled(step.m, step.exponent);
  const double first = std::floor(low / width), last = std::ceil(high / width);
  Ticks ticks{scaled(first * step.m, step.exponent), scaled(last * step.m, step.exponent), {}};
  for (double i = first; i <= last; ++i) {
    ticks.marks.push_back({scaled(i * step.m, step.exponent), label(i * step.m, step.exponent)});
  }
  return ticks;
}

// Marks at 1, 2 and 5 times each power of ten, without those at the ends that enclose nothing.
std::vector<Tick> few_decades(double low, double high, int first, int last) {
  std::vector<Tick> marks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double m : {1.0, 2.0, 5.0}) marks.push_back({scaled(m, exponent), label(m, exponent)});
  }
  while (marks.size() > 2 && marks[1].value <= low) marks.erase(marks.begin());
  while (marks.size() > 2 && marks[marks.size() - 2].value >= high) marks.pop_back();
  return marks;
}

// Marks at every n-th power of ten, 1 among them or in line with them.
std::vector<Tick> many_decades(int first, int last) {
  const int every = (last - first + 9) / 10;
  std::vector<Tick> marks;
  int exponent = static_cast<int>(std::floor(double(first) / every)) * every;
  for (; exponent - every < last; exponent += every) {
    const std::string power = exponent == 0 ? "1" : exponent == 1 ? "10" : "10" + superscript(exponent);
    marks.push_back({scaled(1, exponent), power});
  }
  return marks;
}

Ticks logarithmic_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<Tick> marks = last - first <= 3 ? few_decades(low, high, first, last) : many_decades(first, last);
  return {marks.front().value, marks.back().value, std::move(marks)};
}

}  // namespace

double Ticks::fraction(double value, Scale scale) const {
  if (scale == Scale::linear) return (value - low) / (high - low);
  return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

bool can_draw(double value, Scale scale) {
  return scale == Scale::linear ? std::abs(value) <= 1e300 : value >= 1e-250 && value <= 1e250;
}

Ticks nice_ticks(double low, double high, Scale scale) {
  return scale == Scale::linear ? linear_ticks(low, high) : logarithmic_ticks(low, high);
}

}  // namespace dither::show
