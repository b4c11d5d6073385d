#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/selection.h"

namespace dither::sql {

using plan::Expression;

namespace {

const Expression::Column* bare(const Expression& expression) {
  return std::get_if<Expression::Column>(&expression.content());
}

bool reads_beyond(const Expression& expression, std::size_t width) {
  const auto columns = plan::columns_of(expression);
  return !columns.empty() && columns.back() >= width;
}

}  // namespace

Expression Selection::key_of(const PgQuery__Node& node) {
  const std::size_t place = sql::place_of(node);
  Expression key = node.node_case == PG_QUERY__NODE__NODE_A_CONST
                       ? output_at(node, "GROUP BY")
                       : expressions_.bind(node, {"GROUP BY", false, &outputs_});
  if (reads_beyond(key, expressions_.width())) {
    text_.refuse(Code::bad_sql, place, "GROUP BY names an aggregate", "group by the columns that are not aggregated");
  }
  return key;
}

// Groups that are one unit each are that unit's rows.
void Selection::check_key(const Expression& key, std::size_t place) const {
  const auto* column = bare(key);
  if (column == nullptr || !from_.rows.unit[column->position]) return;
  if (level_ == Level::top) {
    text_.refuse(Code::private_rows, place, "groups of one unit each would show that unit's values",
                 "group by something that many units share");
  }
  text_.refuse(Code::not_supported, place, "aggregates for each unit are not answered yet",
               "aggregate over all units at once");
}

void Selection::add_key(const Expression& key, std::size_t place) {
  require_few(text_, keys_.size(), place);
  if (!key_at_.emplace(key.text(), keys_.size()).second) return;
  keys_.push_back(key);
  key_places_.push_back(place);
}

void Selection::add_keys() {
  for (std::size_t i = 0; i < select_.n_group_clause; ++i) {
    const PgQuery__Node& node = *select_.group_clause[i];
    const Expression key = key_of(node);
    check_key(key, sql::place_of(node));
    add_key(key, sql::place_of(node));
  }
}

void Selection::add_having() {
  if (select_.having_clause != nullptr)
    having_ = expressions_.bind(*select_.having_clause, {"HAVING", true, &outputs_});
}

bool Selection::selects_unit() const {
  return std::any_of(outputs_.columns.begin(), outputs_.columns.end(), [&](const Expression& expression) {
    const auto* column = bare(expression);
    return column != nullptr && column->position < from_.rows.width() && from_.rows.unit[column->position];
  });
}

void Selection::group() {
  const Aggregates& aggregates = expressions_.aggregates();
  distinct_ = select_.n_distinct_clause > 0;
  if (distinct_ && select_.distinct_clause[0]->node_case != PG_QUERY__NODE__NODE__NOT_SET) {
    text_.refuse(Code::not_supported, place_of(select_), "DISTINCT ON is not answered", "write GROUP BY");
  }
  grouped_ = !keys_.empty() || having_ || !aggregates.calls.empty();
  if (distinct_ && !grouped_ && rows_.relation->is_private() && !selects_unit()) {
    // Different rows of many units: their keys, and nothing else.
    for (const Expression& output : outputs_.columns) add_key(output, place_of(select_));
    grouped_ = true;
    distinct_ = false;
  }
  if (!grouped_) return;

  std::size_t place = place_of(select_);
  if (!aggregates.calls.empty())
    place = aggregates.place;
  else if (!key_places_.empty())
    place = key_places_[0];
  std::vector<Expression> columns = keys_;
  columns.insert(columns.end(), aggregates.arguments.begin(), aggregates.arguments.end());
  std::vector<plan::AggregateCall> calls = aggregates.calls;
  for (plan::AggregateCall& call : calls) {
    const bool reads = call.kind != plan::AggregateKind::count_rows && call.kind != plan::AggregateKind::count_units;
    call.column = reads ? keys_.size() + call.column : 0;
  }
  rows_ = text_.at(place, [&] { return aggregate(project(rows_, std::move(columns)), keys_.size(), calls); });
  for (std::size_t i = 0; clause_ != nullptr && clause_->public_groups && i < keys_.size(); ++i) {
    if (rows_.relation->columns()[i].values) continue;
    text_.refuse(Code::missing_bounds, key_places_[i], "PUBLIC_GROUPS, but nobody declared which keys there are",
                 "declare `keys:` of the column in the project file");
  }
}

// The expression over keys and aggregates instead of the columns of FROM.
Expression Selection::over_groups(const Expression& expression) const {
  if (!grouped_) return expression;
  if (std::holds_alternative<plan::Constant>(expression.content())) return expression;
  const auto key = key_at_.find(expression.text());
  if (key != key_at_.end()) return plan::column(key->second, expression.type());
  if (const auto* column = bare(expression)) {
    if (column->position >= expressions_.width()) {
      return plan::column(keys_.size() + column->position - expressions_.width(), expression.type());
    }
    text_.refuse(Code::not_grouped, expressions_.place_of(column->position),
                 "this column is neither grouped by nor inside an aggregate",
                 "add it to GROUP BY, or take its AVG or SUM");
  }
  const auto& call = std::get<Expression::Call>(expression.content());
  std::vector<Expression> arguments;
  for (const Expression& argument : call.arguments) arguments.push_back(over_groups(argument));
  return plan::call(*call.function, std::move(arguments));
}

void Selection::project_and_sort() {
  const std::size_t place = place_of(select_);
  if (having_) {
    const Expression keep = over_groups(*having_);
    rows_ = text_.at(sql::place_of(*select_.having_clause), [&] { return filter(rows_, keep); });
  }
  std::vector<Expression> columns;
  for (const Expression& output : outputs_.columns) columns.push_back(over_groups(output));
  std::vector<plan::Sort::By> by;
  for (const Order& order : order_) {
    const Expression wanted = over_groups(order.by);
    const auto found = std::find(columns.begin(), columns.end(), wanted);
    by.push_back({static_cast<std::size_t>(found - columns.begin()), order.descending, order.nulls_first});
    if (found != columns.end()) continue;
    if (distinct_) {
      text_.refuse(Code::bad_sql, order.place, "SELECT DISTINCT is ordered by what it selects alone",
                   "add it to the columns");
    }
    columns.push_back(wanted);
  }
  rows_ = text_.at(place, [&] { return project(rows_, std::move(columns)); });
  if (distinct_) rows_ = text_.at(place, [&] { return distinct(rows_); });
  if (!by.empty()) rows_ = text_.at(order_[0].place, [&] { return sort(rows_, std::move(by)); });
}

}  // namespace dither::sql
