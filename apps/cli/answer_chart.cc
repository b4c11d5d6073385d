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

// Rows from the aggregate up to the answer.
struct Rows {
  std::vector<bool> noisy;            // of each column, whether it is computed from a noisy one
  std::optional<std::uint64_t> many;  // where it is known
};

Rows rows_of(const plan::Relation& relation, const session::PricedPlan& plan) {
  const plan::Node::Step& step = relation->step();
  if (const auto* aggregate = std::get_if<plan::Aggregate>(&step)) {
    Rows rows{std::vector<bool>(relation->columns().size(), true), {}};
    std::fill_n(rows.noisy.begin(), aggregate->keys, false);
    if (plan.exact.public_keys) rows.many = plan.exact.public_keys->size();
    return rows;
  }
  if (const auto* projection = std::get_if<plan::Projection>(&step)) {
    Rows rows = rows_of(projection->input, plan);
    std::vector<bool> noisy;
    for (const plan::Expression& expression : projection->columns) {
      const std::vector<std::size_t>& read = expression.reads();
      noisy.push_back(std::any_of(read.begin(), read.end(), [&](std::size_t at) { return rows.noisy[at]; }));
    }
    return {std::move(noisy), rows.many};
  }
  if (const auto* sort = std::get_if<plan::Sort>(&step)) return rows_of(sort->input, plan);
  if (const auto* limit = std::get_if<plan::Limit>(&step)) {
    Rows rows = rows_of(limit->input, plan);
    if (rows.many) rows.many = std::min(limit->rows, *rows.many - std::min(limit->skip, *rows.many));
    return rows;
  }
  const auto* filter = std::get_if<plan::Filter>(&step);
  return {rows_of(filter != nullptr ? filter->input : std::get<plan::Distinct>(step).input, plan).noisy, {}};
}

template <class Drawn>
ChartShape parted(std::size_t columns, const Drawn& drawn) {
  ChartShape shape;
  for (std::size_t i = 0; i < columns; ++i) (drawn(i) ? shape.values : shape.labels).push_back(i);
  return shape;
}

[[noreturn]] void refuse_many(std::uint64_t rows, const std::string& hint) {
  throw Error{Code::not_supported,
              fmt::format("the answer has {} rows, but a drawing has room for {}", rows, kMostBars), hint};
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

std::string title_of(const Answer& answer, const ChartShape& shape) {
  const std::string by = listed(answer, shape.labels);
  return by.empty() ? listed(answer, shape.values) : fmt::format("{} by {}", listed(answer, shape.values), by);
}

std::string description_of(const Answer& answer) {
  std::string price;
  for (const auto& [name, amount] : price_facts(answer.price)) price += fmt::format(", {} {}", name, amount);
  std::string text = fmt::format("Released with noise{}.", price);
  for (std::size_t i = 0; i < answer.names.size(); ++i) {
    if (is_cut(answer, i))
      text += fmt::format(" {} after cuts: {}.", answer.names[i], fmt::join(answer.cut_by[i], "; "));
  }
  return text;
}

// Behind the name of a column whose intervals are for what bounds leave.
std::string after_cuts(const Answer& answer, std::size_t column) {
  return is_cut(answer, column) ? ", after cuts" : "";
}

std::string line_chart(const Answer& answer, const ChartShape& shape) {
  show::Chart chart{title_of(answer, shape), description_of(answer), {answer.names[shape.labels[0]]}, {}, {}};
  chart.y.label = listed(answer, shape.values);
  for (const std::size_t column : shape.values) {
    show::Series series{answer.names[column] + ", 95%" + after_cuts(answer, column), {}, {}};
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

std::string bar_chart(const Answer& answer, const ChartShape& shape) {
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
    show::EstimatePanel panel{answer.names[column] + after_cuts(answer, column), {}};
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
      const ValueError& error = answer.errors[r][column];
      panel.values.push_back({number(answer.rows[r][column]), error.low, error.high});
    }
    chart.panels.push_back(std::move(panel));
  }
  return show::svg_estimates(chart);
}

}  // namespace

ChartShape chart_shape(const session::PricedPlan& plan) {
  const std::vector<plan::Facts>& columns = plan.answer->columns();
  const Rows rows = rows_of(plan.answer, plan);
  const auto number = [&](std::size_t i) { return plan::is_number(columns[i].type); };
  ChartShape shape = parted(columns.size(), [&](std::size_t i) { return number(i) && rows.noisy[i]; });
  if (shape.values.empty()) shape = parted(columns.size(), [&](std::size_t i) { return number(i) && i > 0; });
  if (shape.values.empty()) shape = parted(columns.size(), number);
  if (shape.values.empty()) {
    throw Error{Code::not_supported, "the answer has no numbers to draw",
                "ask for one, such as COUNT(*), or write --format csv; nothing was charged"};
  }
  shape.line = shape.labels.size() == 1 && number(shape.labels[0]);
  if (!shape.line && rows.many && *rows.many > kMostBars) {
    refuse_many(*rows.many, "add a LIMIT, or write --format csv; nothing was charged");
  }
  return shape;
}

std::string answer_svg(const Answer& answer, const ChartShape& shape) {
  if (shape.line && answer.rows.size() >= kLineFrom) return line_chart(answer, shape);
  if (answer.rows.size() <= kMostBars) return bar_chart(answer, shape);
  refuse_many(answer.rows.size(),
              "the answer is stored: ask again with a LIMIT, or with --format csv, and pay nothing");
}

}  // namespace dither::cli
