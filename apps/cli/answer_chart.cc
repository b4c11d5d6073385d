// An answer as a drawing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "cli/answer_output.h"
#include "cli/cell_output.h"
#include "cli/explanation.h"
#include "show/chart.h"
#include "show/estimates.h"

namespace dither::cli {

namespace {

using session::Answer;
using session::ValueError;

constexpr std::size_t kLineFrom = 31;  // so many numbers as keys make a line

// Which columns are drawn, and which say what a row is.
struct Shape {
  std::vector<std::size_t> values, labels;
};

Shape shape_of(const Answer& answer) {
  Shape shape;
  const std::vector<bool> measured = columns_with_errors(answer);
  for (std::size_t i = 0; i < answer.names.size(); ++i) {
    (plan::is_number(answer.types[i]) && measured[i] ? shape.values : shape.labels).push_back(i);
  }
  if (!shape.values.empty()) return shape;
  // Nothing is known of errors: every number behind the first column, or the only one.
  shape.labels.clear();
  for (std::size_t i = 0; i < answer.names.size(); ++i) {
    const bool drawn = plan::is_number(answer.types[i]) && (i > 0 || answer.names.size() == 1);
    (drawn ? shape.values : shape.labels).push_back(i);
  }
  if (!shape.values.empty()) return shape;
  throw Error{Code::not_supported, "the answer has no numbers to draw",
              "the answer is stored: ask again with --format csv, and pay nothing"};
}

std::optional<double> number(const Cell& cell) {
  if (const double* real = std::get_if<double>(&cell)) return *real;
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return {};
}

std::string listed(const Answer& answer, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t i : columns) names.push_back(answer.names[i]);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string title_of(const Answer& answer, const Shape& shape) {
  const std::string by = listed(answer, shape.labels);
  return by.empty() ? listed(answer, shape.values) : fmt::format("{} by {}", listed(answer, shape.values), by);
}

std::string description_of(const Answer& answer) {
  std::string price;
  for (const auto& [name, amount] : price_facts(answer.price)) price += fmt::format(", {} {}", name, amount);
  return fmt::format("Released with noise{}.", price);
}

std::string line_chart(const Answer& answer, const Shape& shape) {
  show::Chart chart{title_of(answer, shape), description_of(answer), {answer.names[shape.labels[0]]}, {}, {}};
  chart.y.label = listed(answer, shape.values);
  for (const std::size_t column : shape.values) {
    show::Series series{answer.names[column] + ", 95%", {}, {}};
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
      const auto x = number(answer.rows[r][shape.labels[0]]), y = number(answer.rows[r][column]);
      if (!x || !y) continue;  // NULL has no place on an axis
      series.points.push_back({*x, *y});
      const ValueError& error = answer.errors[r][column];
      if (error.low && error.high) series.band.push_back({*x, *error.low, *error.high});
    }
    const auto by_x = [](const auto& a, const auto& b) { return a.x < b.x; };
    std::stable_sort(series.points.begin(), series.points.end(), by_x);
    std::stable_sort(series.band.begin(), series.band.end(), by_x);
    chart.series.push_back(std::move(series));
  }
  return show::svg_chart(chart);
}

std::string bar_chart(const Answer& answer, const Shape& shape) {
  show::EstimateChart chart{title_of(answer, shape), description_of(answer), {}, {}};
  for (const auto& cells : answer.rows) {
    std::vector<std::string> parts;
    for (const std::size_t i : shape.labels) {
      const bool null = std::holds_alternative<std::monostate>(cells[i]);
      parts.push_back(null ? "NULL" : cell_text(answer.types[i], cells[i]));
    }
    chart.labels.push_back(fmt::format("{}", fmt::join(parts, ", ")));
  }
  for (const std::size_t column : shape.values) {
    show::EstimatePanel panel{answer.names[column], {}};
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
      const ValueError& error = answer.errors[r][column];
      panel.values.push_back({number(answer.rows[r][column]), error.low, error.high});
    }
    chart.panels.push_back(std::move(panel));
  }
  return show::svg_estimates(chart);
}

}  // namespace

std::string answer_svg(const Answer& answer) {
  const Shape shape = shape_of(answer);
  const bool numeric_key = shape.labels.size() == 1 && plan::is_number(answer.types[shape.labels[0]]);
  if (numeric_key && answer.rows.size() >= kLineFrom) return line_chart(answer, shape);
  if (answer.rows.size() <= kMostBars) return bar_chart(answer, shape);
  throw Error{Code::not_supported,
              fmt::format("the answer has {} rows, but a drawing has room for {}", answer.rows.size(), kMostBars),
              "the answer is stored: ask again with a LIMIT, or with --format csv, and pay nothing"};
}

}  // namespace dither::cli
