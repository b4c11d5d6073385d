// Expressions of one SELECT, bound to the columns of its FROM.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/functions.h"
#include "sql/detail/names.h"
#include "sql/detail/nodes.h"

namespace dither::sql {

// What SELECT gives, by name, for ORDER BY and its kin.
struct Outputs {
  std::vector<std::string> names;
  std::vector<plan::Expression> columns;

  // The column of that name; nothing when there is none. ambiguous-name for two that differ.
  std::optional<plan::Expression> find(const Text& text, const Reference& reference) const;
};

// The part of a SELECT that an expression stands in.
struct Clause {
  std::string_view name;             // for messages: "WHERE"
  bool aggregates = false;           // whether they may stand here
  const Outputs* outputs = nullptr;  // names that are tried after those of columns
};

struct Aggregates {
  std::vector<plan::Expression> arguments;
  std::map<std::string, std::size_t> argument_at;  // by its text
  std::vector<plan::AggregateCall> calls;          // `column` counts in `arguments`
  std::size_t place = 0;                           // of the first
};

// Binds expressions to columns of FROM; an aggregate is one more column, behind them: width + its number.
class Expressions {
 public:
  Expressions(const Text& text, const From& from, std::vector<std::string>& notes)
      : text_(text), from_(from), notes_(notes) {}

  // unknown-column, ambiguous-name, unknown-function, wrong-type, not-supported, nested-aggregate, bad-sql ...
  plan::Expression bind(const PgQuery__Node& node, const Clause& clause);

  // A column by its position, named at this place.
  plan::Expression named(std::size_t column, std::size_t place);

  const Aggregates& aggregates() const { return aggregates_; }
  std::size_t width() const { return from_.rows.width(); }
  // Where a column was first named outside aggregates.
  std::size_t place_of(std::size_t column) const;

 private:
  using Arguments = std::vector<plan::Expression>;

  plan::Expression dispatch(const PgQuery__Node& node, const Clause& clause);
  plan::Expression column(const PgQuery__Node& node, const Clause& clause);
  plan::Expression boolean(const PgQuery__Node& node, const Clause& clause);
  plan::Expression boolean_test(const PgQuery__Node& node, const Clause& clause);
  plan::Expression operation(const PgQuery__AExpr& node, const Clause& clause);
  plan::Expression plain_operation(const PgQuery__AExpr& node, const Clause& clause);
  plan::Expression case_of(const PgQuery__CaseExpr& node, const Clause& clause);
  plan::Expression cast(const PgQuery__TypeCast& node, const Clause& clause);
  plan::Expression call(const PgQuery__FuncCall& node, const Clause& clause);
  plan::Expression sql_syntax_call(const PgQuery__FuncCall& node, const std::string& name, const Clause& clause);
  plan::Expression aggregate(const PgQuery__FuncCall& node, plan::AggregateKind kind, const Clause& clause);
  plan::Expression count_units(const PgQuery__FuncCall& node, const Clause& clause);
  void read_bounds(const PgQuery__Node& node, const std::string& name, plan::AggregateCall& call);
  plan::Expression added(plan::AggregateCall call, const std::optional<plan::Expression>& argument);
  Arguments all(std::size_t count, PgQuery__Node* const* nodes, const Clause& clause);
  plan::Expression resolved(std::size_t place, std::string_view name, Arguments arguments);

  const Text& text_;
  const From& from_;
  std::vector<std::string>& notes_;
  Aggregates aggregates_;
  bool inside_aggregate_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> used_;  // column, place
};

// Where a node stands; 0 for what has no place of its own.
std::size_t place_of(const PgQuery__Node& node);

// The parts of a ColumnRef. not-supported for a star inside an expression, or more than two parts.
Reference reference_of(const Text& text, const PgQuery__Node& node);

// A constant: NULL (of type text), boolean, integer, real or text. out-of-range.
plan::Expression constant_of(const Text& text, const PgQuery__AConst& node);

// INTERVAL '...' as text with its unit; nothing for other nodes.
std::optional<std::string> interval_of(const Text& text, const PgQuery__Node& node);

// The function's name in lower case, without pg_catalog where the grammar put it. not-supported for other schemas.
std::string function_name(const Text& text, const PgQuery__FuncCall& node);

// The aggregate of this name; nothing for others. not-supported for those that are known but not answered.
std::optional<plan::AggregateKind> aggregate_named(const Text& text, const std::string& name, std::size_t place);

}  // namespace dither::sql
