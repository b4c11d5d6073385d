#include "session/above.h"

#include <algorithm>
#include <cstdint>

#include "base/directed.h"
#include "plan/relation_sql.h"
#include "session/detail/rate.h"

namespace dither::session {
namespace {

using plan::Expression;
using plan::Relation;

// The columns that a projection chooses; nothing where it computes something.
std::optional<std::vector<std::size_t>> choice_of(const plan::Projection& projection) {
  std::vector<std::size_t> places;
  for (const Expression& expression : projection.columns) {
    const auto* bare = std::get_if<Expression::Column>(&expression.content());
    if (bare == nullptr) return std::nullopt;
    places.push_back(bare->position);
  }
  return places;
}

std::vector<Expression> all_columns(const std::vector<plan::Facts>& facts) {
  std::vector<Expression> columns;
  for (std::size_t i = 0; i < facts.size(); ++i) columns.push_back(plan::column(i, facts[i].type));
  return columns;
}

// Rows of an aggregate with their number behind them, as a table of released values.
Relation numbered_rows(const Relation& aggregate) {
  plan::Node::Parts parts{plan::Scan{"released"}, aggregate->columns(), {}, {}, {}, false};
  plan::Facts number;
  number.type = plan::Type::integer;
  number.nullable = false;
  parts.columns.push_back(number);
  parts.owner.kind = plan::Ownership::Kind::released;
  return std::make_shared<const plan::Node>(std::move(parts));
}

// The steps of a statement again, over rows that carry their number.
class Numbering {
 public:
  Relation rows;
  bool numbered = true;
  std::vector<Expression> columns;  // over those of the aggregate
  const plan::Aggregate* aggregate = nullptr;
  std::vector<plan::Facts> facts;  // of the aggregate's columns
  bool chooses_by_noise = false;

  explicit Numbering(const Relation& relation) { build(relation); }

  // In the order asked for, else in that of the rows.
  void order() {
    const plan::Node::Step& step = rows->step();
    if (std::holds_alternative<plan::Sort>(step) || std::holds_alternative<plan::Limit>(step)) return;
    sort_rows({});
  }

 private:
  void build(const Relation& relation) {
    const plan::Node::Step& step = relation->step();
    if (const auto* aggregated = std::get_if<plan::Aggregate>(&step)) return begin(relation, *aggregated);
    if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
      build(filtered->input);
      note_choice(filtered->keep);
      rows = filter(rows, filtered->keep);
    } else if (const auto* projected = std::get_if<plan::Projection>(&step)) {
      build(projected->input);
      add_projection(*projected);
    } else if (const auto* once = std::get_if<plan::Distinct>(&step)) {
      build(once->input);
      drop_numbers();
      rows = distinct(rows);
    } else if (const auto* sorted = std::get_if<plan::Sort>(&step)) {
      build(sorted->input);
      sort_rows(sorted->by);
    } else {
      const auto& cut = std::get<plan::Limit>(step);  // privatize answers no other steps
      build(cut.input);
      order();
      if (const auto* by = std::get_if<plan::Sort>(&rows->step())) note_order(*by);
      constexpr std::uint64_t most = INT64_MAX;  // of what an engine reads; no answer has as many rows
      rows = limit(rows, std::min(cut.rows, most), std::min(cut.skip, most));
    }
  }

  void begin(const Relation& relation, const plan::Aggregate& aggregated) {
    aggregate = &aggregated;
    facts = relation->columns();
    rows = numbered_rows(relation);
    columns = all_columns(facts);
  }

  void add_projection(const plan::Projection& projected) {
    std::vector<Expression> with_number = projected.columns;
    if (numbered) with_number.push_back(number());
    rows = project(rows, std::move(with_number));
    std::vector<Expression> over;
    for (const Expression& expression : projected.columns) over.push_back(substitute(expression, columns));
    columns = std::move(over);
  }

  Expression number() const { return plan::column(rows->columns().size() - 1, plan::Type::integer); }

  void drop_numbers() {
    if (!numbered) return;
    std::vector<Expression> visible = all_columns(rows->columns());
    visible.pop_back();
    rows = project(rows, std::move(visible));
    numbered = false;
  }

  void sort_rows(std::vector<plan::Sort::By> by) {
    if (numbered) by.push_back({rows->columns().size() - 1, false, false});
    rows = sort(rows, std::move(by));
  }

  bool is_noisy(const Expression& expression) const {
    const std::vector<std::size_t> read = columns_of(substitute(expression, columns));
    return std::any_of(read.begin(), read.end(), [&](std::size_t at) { return at >= aggregate->keys; });
  }
  void note_choice(const Expression& keep) { chooses_by_noise = chooses_by_noise || is_noisy(keep); }
  void note_order(const plan::Sort& sorted) {
    for (const plan::Sort::By& by : sorted.by) {
      if (by.column < columns.size()) note_choice(plan::column(by.column, rows->columns()[by.column].type));
    }
  }
};

std::vector<Cell> chosen(const std::vector<Cell>& row, const std::vector<std::size_t>& places) {
  std::vector<Cell> cells;
  for (const std::size_t place : places) {
    cells.push_back(row[place]);
    if (double* real = std::get_if<double>(&cells.back())) *real += 0.0;  // never -0.0
  }
  return cells;
}

}  // namespace

Above::Above(const PricedPlan& plan) : rest_(plan.answer) {
  for (std::size_t i = 0; i < rest_->columns().size(); ++i) places_.push_back(i);
  while (const auto* projected = std::get_if<plan::Projection>(&rest_->step())) {
    const auto choice = choice_of(*projected);
    if (!choice) break;
    for (std::size_t& place : places_) place = (*choice)[place];
    rest_ = projected->input;
  }
  Numbering numbering(rest_);
  numbering.order();
  numbered_ = numbering.rows;
  keeps_numbers_ = numbering.numbered;
  chooses_by_noise_ = numbering.chooses_by_noise;
  facts_ = std::move(numbering.facts);
  for (plan::Facts& facts : facts_) facts.values.reset();  // long lists, and nothing is enumerated here
  keys_ = numbering.aggregate->keys;
  for (const std::size_t place : places_) columns_.push_back(numbering.columns[place]);
}

ValueError Above::error_of(std::size_t column, const std::vector<Cell>& row,
                           const std::vector<ValueError>& errors) const {
  const Expression& expression = columns_[column];
  if (const auto* bare = std::get_if<Expression::Column>(&expression.content())) return errors[bare->position];
  std::optional<std::size_t> noisy;
  for (const std::size_t at : expression.reads()) {
    if (at < keys_) continue;
    if (noisy) return {};
    noisy = at;
  }
  if (!noisy || !errors[*noisy].low || !plan::is_number(expression.type())) return {};
  std::vector<plan::Facts> known = facts_;
  for (std::size_t at = 0; at < keys_; ++at) known[at] = plan::facts_of(plan::Constant{facts_[at].type, row[at]});
  known[*noisy].nullable = false;
  known[*noisy].range =
      plan::Range{Rational::from_double(*errors[*noisy].low), Rational::from_double(*errors[*noisy].high)};
  const std::optional<plan::Range> image = facts(expression, known).range;
  ValueError error;
  if (!image) return error;
  error.low = image->low.to_double_down() + 0.0;
  error.high = image->high.to_double_up() + 0.0;
  const std::optional<detail::Rate> follows = detail::rate(expression, *noisy, row);
  if (follows && errors[*noisy].standard_error) {
    const Rational size = follows->most.sign() < 0 ? -follows->most : follows->most;
    error.standard_error = mul_up(size.to_double_up(), *errors[*noisy].standard_error);
  }
  return error;
}

std::vector<std::vector<std::string>> Above::cut_by(const std::vector<std::vector<std::string>>& of_calls) const {
  std::vector<std::vector<std::string>> all;
  for (const Expression& column : columns_) {
    std::vector<std::string>& cuts = all.emplace_back();
    for (const std::size_t at : column.reads()) {
      if (at < keys_ || of_calls.empty()) continue;
      for (const std::string& cut : of_calls[at - keys_]) {
        if (std::find(cuts.begin(), cuts.end(), cut) == cuts.end()) cuts.push_back(cut);
      }
    }
  }
  return all;
}

Shown Above::of(const Estimated& aggregate, const std::function<engine::ReleasedDatabase&()>& database) const {
  Shown shown;
  const auto add = [&](const std::vector<Cell>& row, const std::optional<std::size_t>& number) {
    shown.rows.push_back(chosen(row, places_));
    shown.from.push_back(number);
  };
  if (!needs_database()) {
    for (std::size_t i = 0; i < aggregate.rows.size(); ++i) add(aggregate.rows[i], i);
    return shown;
  }
  std::vector<plan::Type> types;
  for (const plan::Facts& facts : facts_) types.push_back(facts.type);
  types.push_back(plan::Type::integer);
  std::vector<std::vector<Cell>> rows = aggregate.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].emplace_back(static_cast<std::int64_t>(i));
  const plan::Leaf leaf = [](const Relation& relation) -> std::optional<std::string> {
    return std::holds_alternative<plan::Scan>(relation->step()) ? std::optional<std::string>("released") : std::nullopt;
  };
  const std::string sql = plan::relation_sql(numbered_, plan::Dialect::duckdb, leaf);
  for (const std::vector<Cell>& row : database().run(types, rows, sql)) {
    add(row,
        keeps_numbers_ ? std::optional(static_cast<std::size_t>(std::get<std::int64_t>(row.back()))) : std::nullopt);
  }
  return shown;
}

std::vector<std::vector<ValueError>> Above::errors(const Estimated& aggregate, const Shown& shown) const {
  std::vector<std::vector<ValueError>> all;
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    std::vector<ValueError>& errors = all.emplace_back(places_.size());
    if (!shown.from[r]) continue;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const bool missing = std::holds_alternative<std::monostate>(shown.rows[r][i]);
      if (!missing) errors[i] = error_of(i, aggregate.rows[*shown.from[r]], aggregate.errors[*shown.from[r]]);
    }
  }
  return all;
}

}  // namespace dither::session
