#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "sql/detail/expressions.h"

namespace dither::sql {

using plan::AggregateCall;
using plan::AggregateKind;
using plan::Expression;

namespace {

constexpr std::array<std::string_view, 30> kLater{"min",
                                                  "max",
                                                  "median",
                                                  "mode",
                                                  "percentile_cont",
                                                  "percentile_disc",
                                                  "quantile",
                                                  "approx_quantiles",
                                                  "array_agg",
                                                  "string_agg",
                                                  "bool_and",
                                                  "bool_or",
                                                  "every",
                                                  "any_value",
                                                  "corr",
                                                  "covar_pop",
                                                  "covar_samp",
                                                  "regr_slope",
                                                  "bit_and",
                                                  "bit_or",
                                                  "first",
                                                  "last",
                                                  "approx_count_distinct",
                                                  "countif",
                                                  "logical_and",
                                                  "logical_or",
                                                  "listagg",
                                                  "json_agg",
                                                  "anon_count",
                                                  "anon_sum"};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

// The argument that has no name.
const PgQuery__Node& value_of(const PgQuery__FuncCall& node) {
  std::size_t i = 0;
  while (node.args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) ++i;
  return *node.args[i];
}

Rational bound_of(const Text& text, const PgQuery__Node& node, const std::string& name) {
  if (node.node_case == PG_QUERY__NODE__NODE_A_CONST && !node.a_const->isnull) {
    const PgQuery__AConst& constant = *node.a_const;
    if (constant.val_case == PG_QUERY__A__CONST__VAL_IVAL) return Rational(long{constant.ival->ival});
    if (constant.val_case == PG_QUERY__A__CONST__VAL_FVAL) {
      const Expression number = constant_of(text, constant);  // refuses what no real holds
      const Cell& value = std::get<plan::Constant>(number.content()).value;
      if (const auto* real = std::get_if<double>(&value)) return Rational::from_double(*real);
      return Rational(static_cast<long>(std::get<std::int64_t>(value)));
    }
  }
  text.refuse(Code::wrong_type, place_of(node), fmt::format("{} takes two numbers", name),
              fmt::format("write {} => (0, 100)", name));
}

}  // namespace

std::optional<AggregateKind> aggregate_named(const Text& text, const std::string& name, std::size_t place) {
  if (const auto found = plan::aggregate_named(name)) return found;
  if (std::find(kLater.begin(), kLater.end(), name) != kLater.end() || name.starts_with("anon_")) {
    text.refuse(Code::not_supported, place, fmt::format("{} is not answered", upper_case(echo(name))),
                "write COUNT, SUM, AVG, VAR_POP, VAR_SAMP, STDDEV_POP or STDDEV_SAMP");
  }
  return std::nullopt;
}

// The column of an aggregate: the same one for the same call of the same argument.
Expression Expressions::added(AggregateCall call, const std::optional<Expression>& argument) {
  if (argument) {
    const auto [at, added] = aggregates_.argument_at.emplace(argument->text(), aggregates_.arguments.size());
    if (added) aggregates_.arguments.push_back(*argument);
    call.column = at->second;
  }
  const auto same = std::find(aggregates_.calls.begin(), aggregates_.calls.end(), call);
  const auto number = static_cast<std::size_t>(same - aggregates_.calls.begin());
  if (same == aggregates_.calls.end()) aggregates_.calls.push_back(call);
  return plan::column(width() + number, plan::facts_of(call).type);
}

void Expressions::read_bounds(const PgQuery__Node& node, const std::string& name, AggregateCall& call) {
  const PgQuery__NamedArgExpr& named = *node.named_arg_expr;
  const auto place = static_cast<std::size_t>(named.location);
  const std::string_view option = named.name;
  const bool per_group = option == "contribution_bounds_per_group";
  if (!per_group && option != "contribution_bounds_per_row") {
    text_.refuse(Code::not_supported, place, fmt::format("the argument {} is not answered", echo(option)),
                 "write contribution_bounds_per_group or contribution_bounds_per_row");
  }
  if (named.arg->node_case != PG_QUERY__NODE__NODE_ROW_EXPR || named.arg->row_expr->n_args != 2) {
    text_.refuse(Code::wrong_type, place, fmt::format("{} takes two numbers", option),
                 fmt::format("write {} => (0, 100)", option));
  }
  const PgQuery__RowExpr& row = *named.arg->row_expr;
  plan::Range range{bound_of(text_, *row.args[0], named.name), bound_of(text_, *row.args[1], named.name)};
  if (range.low > range.high) {
    text_.refuse(Code::bad_bounds, place, fmt::format("the bounds of {} are reversed", option),
                 "put the smaller one first");
  }
  const bool counts = call.kind == AggregateKind::count || call.kind == AggregateKind::count_rows;
  const bool adds = counts || call.kind == AggregateKind::sum;
  if (call.bounds_per_row || call.bounds_per_group || (counts && !per_group)) {
    text_.refuse(Code::not_supported, place,
                 fmt::format("{} takes one pair of bounds{}", upper_case(name), counts ? ", per group" : ""),
                 "leave this one out");
  }
  if (per_group && call.kind != AggregateKind::avg && !adds) {
    text_.refuse(Code::not_supported, place, fmt::format("{} takes no bounds per group", upper_case(name)),
                 "write contribution_bounds_per_row");
  }
  if (per_group && adds) {
    call.bounds_per_group = range;
  } else {
    call.bounds_per_row = range;
  }
  if (per_group && call.kind == AggregateKind::avg) {
    notes_.push_back(
        fmt::format("{}: AVG is the mean of all rows, each within its bounds; BigQuery takes the mean of each unit's "
                    "mean, which is the same where a unit has one row for each key",
                    text_.place(place)));
  }
}

Expression Expressions::count_units(const PgQuery__FuncCall& node, const Clause& clause) {
  const auto place = static_cast<std::size_t>(node.location);
  inside_aggregate_ = true;
  const Expression argument = dispatch(*node.args[0], {clause.name, true, nullptr});
  inside_aggregate_ = false;
  const auto* column = std::get_if<Expression::Column>(&argument.content());
  if (column == nullptr || !from_.rows.unit[column->position]) {
    text_.refuse(Code::not_supported, place, "COUNT(DISTINCT ...) of anything but the unit is not answered",
                 "count the unit's column, or group by this one");
  }
  AggregateCall call;
  call.kind = AggregateKind::count_units;
  if (node.agg_filter == nullptr) return added(call, std::nullopt);
  // Units with a row for which the condition holds: rows of which one counts for each.
  call.kind = AggregateKind::count;
  call.bounds_per_group = plan::Range{0, 1};
  inside_aggregate_ = true;
  const Expression condition = dispatch(*node.agg_filter, {"FILTER", false, nullptr});
  inside_aggregate_ = false;
  return added(call, resolved(place, "case",
                              {condition, plan::constant({plan::Type::boolean, true}),
                               plan::constant({plan::Type::boolean, Cell{}})}));
}

// FILTER (WHERE c) is CASE WHEN c THEN x END: rows for which c does not hold are NULL, and NULLs are not counted.
Expression Expressions::aggregate(const PgQuery__FuncCall& node, AggregateKind kind, const Clause& clause) {
  const auto place = static_cast<std::size_t>(std::max(node.location, 0));
  const std::string name = function_name(text_, node);
  AggregateCall call;
  call.kind = kind;
  std::size_t given = 0;
  for (std::size_t i = 0; i < node.n_args; ++i) given += node.args[i]->node_case != PG_QUERY__NODE__NODE_NAMED_ARG_EXPR;
  if (given != (node.agg_star ? 0u : 1u) || (node.agg_star && kind != AggregateKind::count)) {
    text_.refuse(
        Code::wrong_type, place, fmt::format("{} takes one value", upper_case(name)),
        kind == AggregateKind::count ? "write COUNT(*) or COUNT(x)" : fmt::format("write {}(x)", upper_case(name)));
  }
  for (std::size_t i = 0; i < node.n_args; ++i) {
    if (node.args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) read_bounds(*node.args[i], name, call);
  }
  if (node.agg_distinct) {
    if (kind == AggregateKind::count && node.n_args == 1) return count_units(node, clause);
    text_.refuse(Code::not_supported, place, fmt::format("DISTINCT in {} is not answered here", upper_case(name)),
                 "leave DISTINCT out");
  }
  inside_aggregate_ = true;
  Expression argument = node.agg_star ? plan::constant({plan::Type::boolean, true})
                                      : dispatch(value_of(node), {clause.name, true, nullptr});
  const bool number = plan::is_number(argument.type()) && !plan::is_null_constant(argument);
  if (kind != AggregateKind::count && !number) {
    text_.refuse(Code::wrong_type, place,
                 fmt::format("{} takes numbers, not {}", upper_case(name), plan::type_name(argument.type())),
                 "cast the value: CAST(x AS integer)");
  }
  const bool every_row =
      std::holds_alternative<plan::Constant>(argument.content()) && !plan::is_null_constant(argument);
  if (kind == AggregateKind::count && every_row) argument = plan::constant({plan::Type::boolean, true});  // COUNT(1)
  if (node.agg_filter != nullptr) {
    const Expression condition = dispatch(*node.agg_filter, {"FILTER", false, nullptr});
    argument = resolved(place, "case", {condition, argument, plan::constant({argument.type(), Cell{}})});
  }
  inside_aggregate_ = false;
  if (kind == AggregateKind::count && std::holds_alternative<plan::Constant>(argument.content()) &&
      !plan::is_null_constant(argument)) {
    call.kind = AggregateKind::count_rows;
    return added(call, std::nullopt);
  }
  return added(call, argument);
}

}  // namespace dither::sql
