#include "sql/detail/measures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "calculus/aggregates.h"
#include "sql/detail/column_names.h"

namespace dither::sql::detail {
namespace {

using plan::AggregateCall;
using plan::AggregateKind;
using plan::Expression;
using plan::Facts;
using plan::Measure;
using plan::MeasureKind;

constexpr Int128 kMostSteps = Int128{1} << 62;

bool may_be_missing(const Facts& facts) { return facts.nullable || (facts.type == plan::Type::real && !facts.finite); }

// A value column and how one row of it counts.
struct Value {
  Rational step;
  Int128 low, high;
};

[[noreturn]] void no_bounds(std::string_view what) {
  throw Error{Code::missing_bounds, fmt::format("{}: nothing bounds what is summed", what),
              "add `bounds: [LOW, HIGH]` to the column in the project file, or write CLAMP(x, LOW, HIGH)"};
}

Rational step_of(const Facts& facts, std::string_view what) {
  if (facts.type == plan::Type::integer) return 1;
  if (facts.grid) return *facts.grid;
  throw Error{Code::needs_grid, fmt::format("{}: real numbers are summed on a grid, and none is known here", what),
              "declare `grid: 0.01` for the column, or write ROUND(x, 2)"};
}

Int128 steps(const Rational& value, const Rational& step, bool up) {
  const Rational exact = value / step;
  if (abs(exact) > Rational(kMostSteps)) {
    throw Error{Code::bad_bounds, fmt::format("a bound of {} is more than 2^62 steps of {}", value.str(), step.str()),
                "declare tighter bounds or a coarser grid"};
  }
  return up ? exact.ceil() : exact.floor();
}

// What is known of every finite real number bounds nothing.
bool is_of_all_doubles(const plan::Range& range) {
  const Rational most = Rational::power_of_two(1023);
  return range.low <= -most || range.high >= most;
}

// `what` for messages: "SUM(cost)".
Value value_of(const AggregateCall& call, const Facts& facts, const std::string& what) {
  if (!plan::is_number(facts.type)) {
    throw Error{Code::wrong_type, fmt::format("{} of {} values", what, plan::type_name(facts.type)),
                "sum numbers; COUNT takes anything"};
  }
  Value value{step_of(facts, what), 0, 0};
  if (call.bounds_per_group && !call.bounds_per_row) {
    value.low = -kMostSteps;
    value.high = kMostSteps;
    return value;
  }
  const std::optional<plan::Range> range = call.bounds_per_row ? call.bounds_per_row : facts.range;
  if (!range || is_of_all_doubles(*range)) no_bounds(what);
  value.low = steps(range->low, value.step, false);
  value.high = steps(range->high, value.step, true);
  return value;
}

// What `rows` numbers in [low, high] can add up to.
void set_total(Measure& measure, Int128 low, Int128 high, std::uint64_t rows) {
  const Int128 r = static_cast<Int128>(rows);
  const Int128 largest = std::max(low < 0 ? -low : low, high < 0 ? -high : high);
  if (largest != 0 && r > kMostSteps / largest) {
    throw Error{Code::bad_bounds, "what one unit may add is more than 2^62 steps",
                "declare tighter bounds or a coarser grid"};
  }
  measure.rows = rows;
  measure.total_low = std::min(low, r * low);
  measure.total_high = std::max(high, r * high);
}

class Builder {
 public:
  Builder(const plan::Project& project, const Statement& statement, const plan::Aggregate& aggregate)
      : project_(project), statement_(statement), aggregate_(aggregate) {
    counting_.rows = flat(aggregate.input);
    counting_.row_is_unit = counting_.rows.base->owner().row_is_unit;
  }

  Counting build() {
    if (statement_.options.rows_per_unit && aggregate_.keys > 0) {
      throw Error{Code::not_supported, "max_rows_contributed is answered without GROUP BY alone",
                  "write max_groups_contributed, and bounds per group in the aggregates"};
    }
    order_keys();
    find_rows_in_all();
    for (const AggregateCall& call : aggregate_.calls) counting_.estimates.push_back(estimate(call));
    limit_rows_in_all();
    order_measures();
    make_rows();
    make_public_keys();
    return std::move(counting_);
  }

 private:
  const std::vector<Facts>& base_facts() const { return counting_.rows.base->columns(); }
  std::string in_words_of(const AggregateCall& call, const Expression& e) const {
    return fmt::format("{}({})", aggregate_name(call.kind), in_words(e, names_of(project_, counting_.rows.base)));
  }
  Facts facts_of_expression(const Expression& e) const { return facts(e, base_facts()); }

  void order_keys() {
    const auto begin = counting_.rows.columns.begin();
    const std::vector<Expression> written(begin, begin + static_cast<std::ptrdiff_t>(aggregate_.keys));
    std::vector<Expression>& keys = counting_.keys;
    keys = written;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const Expression& key : written) {
      counting_.key_places.push_back(
          static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin()));
    }
    counting_.keys_limit = limit_of_keys();
    counting_.exact.keys = keys.size();
    counting_.exact.keys_per_unit = counting_.keys_limit.most;
  }

  // What a unit cannot exceed anyway holds; what is declared is a choice, which the statement may make otherwise.
  Limit limit_of_keys() const {
    const std::optional<std::uint64_t>& stated = statement_.options.keys_per_unit;
    const bool one_key = std::all_of(counting_.keys.begin(), counting_.keys.end(),
                                     [&](const Expression& key) { return facts_of_expression(key).of_unit; });
    if (!stated || one_key) return keys_per_unit(project_, counting_.rows, counting_.keys);
    if (!counting_.row_is_unit) return {*stated, {"max_groups_contributed"}};
    Limit limit = keys_per_unit(project_, counting_.rows, counting_.keys);
    if (*stated >= limit.most) return limit;
    // Which keys are left out would depend on a row's place in the table: such rows have no other name.
    throw Error{Code::bad_limit, fmt::format("a row of this join has up to {} keys, more than {}", limit.most, *stated),
                "leave max_groups_contributed out: rows that are units cannot be cut"};
  }

  // Rows over all keys are at least one for each key: a unit has no more keys than rows.
  void find_rows_in_all() {
    if (counting_.keys.empty()) return;
    counting_.in_all_limit = rows_per_unit(project_, counting_.rows, counting_.keys);
    if (!counting_.in_all_limit || counting_.in_all_limit->most >= counting_.keys_limit.most) return;
    counting_.keys_limit = *counting_.in_all_limit;
    counting_.exact.keys_per_unit = counting_.keys_limit.most;
  }

  std::uint64_t rows() {
    const auto& stated = statement_.options.rows_per_unit;
    if (!rows_known_) {
      counting_.rows_limit =
          stated ? Limit{*stated, {"max_rows_contributed"}} : rows_per_key(project_, counting_.rows, counting_.keys);
      const std::optional<Limit>& in_all = counting_.in_all_limit;
      if (in_all && in_all->most < counting_.rows_limit.most) counting_.rows_limit = *in_all;
    }
    rows_known_ = true;
    return counting_.rows_limit.most;
  }

  // Rows that count for one unit, over all keys: both limits are at most 2^40.
  Int128 rows_in_all() {
    const Int128 by_key = static_cast<Int128>(counting_.keys_limit.most) * static_cast<Int128>(rows());
    return counting_.in_all_limit ? std::min<Int128>(by_key, counting_.in_all_limit->most) : by_key;
  }

  // Where the bounds by key say as much, or no number is of rows, there is no limit over all keys.
  void limit_rows_in_all() {
    const auto& measures = counting_.exact.measures;
    const bool of_rows = std::any_of(measures.begin(), measures.end(), [](const Measure& measure) {
      return measure.rows != 0 && measure.kind != MeasureKind::units;
    });
    if (!of_rows || !counting_.in_all_limit ||
        rows_in_all() == static_cast<Int128>(counting_.keys_limit.most) * static_cast<Int128>(rows())) {
      counting_.in_all_limit.reset();
      return;
    }
    counting_.exact.rows_per_unit = counting_.in_all_limit->most;
  }

  // The position of a measure among those there are, which may get one more. Columns are positions in values_ for now.
  std::size_t add(const Measure& measure) {
    auto& measures = counting_.exact.measures;
    const auto at = std::find(measures.begin(), measures.end(), measure);
    if (at != measures.end()) return static_cast<std::size_t>(at - measures.begin());
    measures.push_back(measure);
    return measures.size() - 1;
  }

  std::size_t value_column(const Expression& e) {
    const auto at = std::find(values_.begin(), values_.end(), e);
    if (at != values_.end()) return static_cast<std::size_t>(at - values_.begin());
    values_.push_back(e);
    return values_.size() - 1;
  }

  std::size_t units() {
    Measure measure{MeasureKind::units, {}};
    set_total(measure, 1, 1, 1);
    return add(measure);
  }

  std::size_t cut_units() {
    if (counting_.row_is_unit) {
      throw Error{Code::bad_argument, "cut units are asked for, but a row is a unit here, and none is cut",
                  "leave --cut-units out"};
    }
    Measure measure{MeasureKind::cut_units, {}};
    measure.rows = rows();
    measure.total_high = 1;
    return add(measure);
  }

  // Rows with a value, or all of them; at most one row of a unit is that unit.
  std::size_t count(const AggregateCall& call, const Expression* of) {
    Measure measure{MeasureKind::rows, {}};
    if (of != nullptr && may_be_missing(facts_of_expression(*of))) measure.column = value_column(*of);
    if (call.bounds_per_group && (call.kind == AggregateKind::count_rows || call.kind == AggregateKind::count)) {
      measure.rows = 0;
      measure.total_low = steps(call.bounds_per_group->low, 1, false);
      measure.total_high = steps(call.bounds_per_group->high, 1, true);
      if (measure.total_low != 0 || measure.total_high < 1) {
        throw Error{Code::bad_bounds, "COUNT: the bounds per group go from 0 to 1 or more",
                    "write contribution_bounds_per_group => (0, 5)"};
      }
      if (measure.total_high > 1 || measure.column) return add(measure);
      return units();
    }
    set_total(measure, 1, 1, rows());
    if (!measure.column && measure.total_high == 1) return units();
    return add(measure);
  }

  Measure of_value(MeasureKind kind, const Expression& e, const Value& value, bool centred) {
    Measure measure{kind, value_column(e), value.step, value.low, value.high, {}, centred};
    const Int128 width = value.high - value.low;
    if (kind == MeasureKind::squares && width >= (Int128{1} << 31)) {
      throw Error{Code::bad_bounds, "the squares of values with more than 2^31 steps between their bounds do not fit",
                  "declare tighter bounds or a coarser grid"};
    }
    if (kind == MeasureKind::sum && !centred) {
      set_total(measure, value.low, value.high, rows());
      return measure;
    }
    const Int128 most = kind == MeasureKind::squares ? width * width : width;
    set_total(measure, -most, most, rows());
    scale(measure, most);
    return measure;
  }

  // Of a number used together with a count of the same rows, each of which adds up to `most`. A row that is a unit is not cut.
  void scale(Measure& measure, Int128 most) {
    if (counting_.row_is_unit && rows() == 1) return;
    measure.cut = plan::Cut::scale;
    measure.finer = most > kMostSteps / rows_in_all() ? 0 : calculus::finer_grid(most * rows_in_all());
    measure.total_low <<= measure.finer;
    measure.total_high <<= measure.finer;
  }

  std::size_t sum(const AggregateCall& call, const Expression& e) {
    const Value value = value_of(call, facts_of_expression(e), in_words_of(call, e));
    if (!call.bounds_per_group) return add(of_value(MeasureKind::sum, e, value, false));
    Measure measure{MeasureKind::sum, value_column(e), value.step, value.low, value.high, {}, false, 0};
    measure.total_low = steps(call.bounds_per_group->low, value.step, false);
    measure.total_high = steps(call.bounds_per_group->high, value.step, true);
    return add(measure);
  }

  session::Estimate estimate(const AggregateCall& call) {
    session::Estimate result{call, {}, {}, {}};
    if (call.kind == AggregateKind::count_units) return result.count = units(), result;
    if (call.kind == AggregateKind::count_cut_units) return result.count = cut_units(), result;
    if (call.kind == AggregateKind::count_rows) return result.count = count(call, nullptr), result;
    const Expression& e = counting_.rows.columns[call.column];
    if (call.kind == AggregateKind::count) return result.count = count(call, &e), result;
    if (call.kind == AggregateKind::sum) return result.sum = sum(call, e), result;
    if (call.bounds_per_group) {
      throw Error{Code::not_supported,
                  fmt::format("{}: bounds per group are for COUNT and SUM", aggregate_name(call.kind)),
                  "write contribution_bounds_per_row => (LOW, HIGH)"};
    }
    const Value value = value_of(call, facts_of_expression(e), in_words_of(call, e));
    result.sum = add(of_value(MeasureKind::sum, e, value, true));
    if (call.kind != AggregateKind::avg) result.squares = add(of_value(MeasureKind::squares, e, value, false));
    result.count = count(call, &e);
    return result;
  }

  // Values and measures in an order that does not depend on how the statement was written.
  void order_measures() {
    std::vector<std::size_t> place(values_.size());
    std::vector<Expression> ordered = values_;
    std::sort(ordered.begin(), ordered.end());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      place[i] =
          static_cast<std::size_t>(std::lower_bound(ordered.begin(), ordered.end(), values_[i]) - ordered.begin());
    }
    values_ = ordered;
    auto& measures = counting_.exact.measures;
    for (Measure& measure : measures) {
      if (measure.column) measure.column = counting_.exact.keys + 1 + place[*measure.column];
    }
    const auto rank = [](const Measure& m) {
      return std::tuple(static_cast<int>(m.kind), m.column.value_or(0), m.centred, m.step, m.low, m.high, m.rows,
                        m.total_low, m.total_high);  // cut and finer follow from these
    };
    std::vector<Measure> sorted = measures;
    std::sort(sorted.begin(), sorted.end(), [&](const Measure& a, const Measure& b) { return rank(a) < rank(b); });
    const auto moved = [&](std::optional<std::size_t>& at) {
      if (at) at = static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), measures[*at]) - sorted.begin());
    };
    for (session::Estimate& one : counting_.estimates) {
      moved(one.count);
      moved(one.sum);
      moved(one.squares);
    }
    measures = std::move(sorted);
  }

  void make_rows() {
    std::vector<Expression> columns = counting_.keys;
    const std::size_t unit = counting_.rows.base->owner().unit;
    columns.push_back(column(unit, base_facts()[unit].type));
    columns.insert(columns.end(), values_.begin(), values_.end());
    const plan::Relation& base = counting_.rows.base;
    counting_.exact.rows = project(counting_.rows.keep ? filter(base, *counting_.rows.keep) : base, std::move(columns));
  }

  void make_public_keys() {
    std::vector<std::vector<Cell>> all = {{}};
    for (std::size_t i = 0; i < counting_.exact.keys; ++i) {
      const Facts known = with_values(counting_.exact.rows->columns()[i]);
      if (!known.values) return;
      const std::size_t numbers = std::max<std::size_t>(counting_.exact.measures.size(), 1);
      if (known.values->size() * all.size() > kMostNumbers / numbers) {
        throw Error{
            Code::bad_count,
            fmt::format("the public keys of this statement would take more than {} noisy numbers", kMostNumbers),
            "group by fewer columns"};
      }
      std::vector<std::vector<Cell>> next;
      for (const auto& head : all) {
        for (const Cell& value : *known.values) {
          next.push_back(head);
          next.back().push_back(value);
        }
      }
      all = std::move(next);
    }
    if (counting_.exact.keys > 0) counting_.exact.public_keys = std::move(all);
  }

  const plan::Project& project_;
  const Statement& statement_;
  const plan::Aggregate& aggregate_;
  Counting counting_;
  std::vector<Expression> values_;
  bool rows_known_ = false;
};

}  // namespace

Counting counting_of(const plan::Project& project, const Statement& statement, const plan::Aggregate& aggregate) {
  return Builder(project, statement, aggregate).build();
}

}  // namespace dither::sql::detail
