#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/expressions.h"

namespace dither::sql {

using plan::Expression;

std::optional<Expression> Outputs::find(const Text& text, const Reference& reference) const {
  std::optional<Expression> found;
  if (reference.parts.size() != 1) return found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!same_letters(names[i], reference.parts[0])) continue;
    if (found && !(*found == columns[i])) {
      text.refuse(Code::ambiguous_name, reference.place,
                  fmt::format("SELECT gives several columns called \"{}\"", echo(reference.parts[0])),
                  "give them different names by AS");
    }
    found = columns[i];
  }
  return found;
}

Reference reference_of(const Text& text, const PgQuery__Node& node) {
  const PgQuery__ColumnRef& column = *node.column_ref;
  Reference reference{{}, static_cast<std::size_t>(column.location)};
  for (std::size_t i = 0; i < column.n_fields; ++i) {
    if (column.fields[i]->node_case != PG_QUERY__NODE__NODE_STRING) {
      text.refuse(Code::not_supported, reference.place, "a * inside an expression is not answered", "name the column");
    }
    reference.parts.emplace_back(column.fields[i]->string->sval);
  }
  if (reference.parts.size() > 2) {
    text.refuse(Code::not_supported, reference.place, "a schema before a column is not answered",
                "write table.column or column");
  }
  return reference;
}

std::size_t Expressions::place_of(std::size_t column) const {
  const auto found = std::find_if(used_.begin(), used_.end(), [&](const auto& use) { return use.first == column; });
  return found == used_.end() ? 0 : found->second;
}

Expression Expressions::bind(const PgQuery__Node& node, const Clause& clause) { return dispatch(node, clause); }

Expression Expressions::named(std::size_t position, std::size_t place) {
  if (!inside_aggregate_) used_.emplace_back(position, place);
  return from_.rows.column(position);
}

Expression Expressions::resolved(std::size_t place, std::string_view name, Arguments arguments) {
  return text_.at(place, [&] { return plan::resolve(name, std::move(arguments)); });
}

Expressions::Arguments Expressions::all(std::size_t count, PgQuery__Node* const* nodes, const Clause& clause) {
  Arguments arguments;
  for (std::size_t i = 0; i < count; ++i) arguments.push_back(dispatch(*nodes[i], clause));
  return arguments;
}

Expression Expressions::dispatch(const PgQuery__Node& node, const Clause& clause) {
  const std::size_t place = sql::place_of(node);
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return column(node, clause);
    case PG_QUERY__NODE__NODE_A_CONST:
      return constant_of(text_, *node.a_const);
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
      return boolean(node, clause);
    case PG_QUERY__NODE__NODE_NULL_TEST: {
      const bool null = node.null_test->nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NULL;
      return resolved(place, null ? "is null" : "is not null", {dispatch(*node.null_test->arg, clause)});
    }
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      return boolean_test(node, clause);
    case PG_QUERY__NODE__NODE_A_EXPR:
      return operation(*node.a_expr, clause);
    case PG_QUERY__NODE__NODE_CASE_EXPR:
      return case_of(*node.case_expr, clause);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      return resolved(place, "coalesce", all(node.coalesce_expr->n_args, node.coalesce_expr->args, clause));
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR: {
      const bool greatest = node.min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST;
      return resolved(place, greatest ? "greatest" : "least",
                      all(node.min_max_expr->n_args, node.min_max_expr->args, clause));
    }
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return cast(*node.type_cast, clause);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return call(*node.func_call, clause);
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      text_.refuse(Code::not_supported, place, "a row (a, b) as a value is not answered",
                   "compare its parts one by one");
    case PG_QUERY__NODE__NODE_NAMED_ARG_EXPR:
      text_.refuse(Code::not_supported, place, "a named argument is not answered here",
                   "only aggregates take contribution_bounds_per_group and contribution_bounds_per_row");
    default:
      text_.refuse(Code::not_supported, place, "this expression is not answered", "docs/sql.md lists what is answered");
  }
}

Expression Expressions::column(const PgQuery__Node& node, const Clause& clause) {
  const Reference reference = reference_of(text_, node);
  if (const auto position = find_column(text_, from_, reference)) return named(*position, reference.place);
  if (clause.outputs != nullptr) {
    if (const auto output = clause.outputs->find(text_, reference)) return *output;
  }
  refuse_unknown_column(text_, from_, reference,
                        clause.outputs == nullptr ? std::vector<std::string>{} : clause.outputs->names);
}

Expression Expressions::boolean(const PgQuery__Node& node, const Clause& clause) {
  const PgQuery__BoolExpr& expression = *node.bool_expr;
  const char* name = "not";
  if (expression.boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) name = "and";
  if (expression.boolop == PG_QUERY__BOOL_EXPR_TYPE__OR_EXPR) name = "or";
  return resolved(static_cast<std::size_t>(expression.location), name, all(expression.n_args, expression.args, clause));
}

Expression Expressions::boolean_test(const PgQuery__Node& node, const Clause& clause) {
  const PgQuery__BooleanTest& test = *node.boolean_test;
  const auto place = static_cast<std::size_t>(test.location);
  const Expression argument = dispatch(*test.arg, clause);
  if (argument.type() != plan::Type::boolean && !plan::is_null_constant(argument)) {
    text_.refuse(Code::wrong_type, place, "IS TRUE and its kin take true or false", "compare the value with something");
  }
  switch (test.booltesttype) {
    case PG_QUERY__BOOL_TEST_TYPE__IS_TRUE:
      return resolved(place, "is true", {argument});
    case PG_QUERY__BOOL_TEST_TYPE__IS_NOT_TRUE:
      return resolved(place, "is not true", {argument});
    case PG_QUERY__BOOL_TEST_TYPE__IS_FALSE:
      return resolved(place, "is false", {argument});
    case PG_QUERY__BOOL_TEST_TYPE__IS_NOT_FALSE:
      return resolved(place, "is not false", {argument});
    case PG_QUERY__BOOL_TEST_TYPE__IS_UNKNOWN:
      return resolved(place, "is null", {argument});
    default:
      return resolved(place, "is not null", {argument});
  }
}

// CASE v WHEN w THEN x: v = w. Later WHENs stand in the ELSE of earlier ones.
Expression Expressions::case_of(const PgQuery__CaseExpr& node, const Clause& clause) {
  Expression result =
      node.defresult == nullptr ? plan::constant({plan::Type::text, Cell{}}) : dispatch(*node.defresult, clause);
  std::optional<Expression> subject;
  if (node.arg != nullptr) subject = dispatch(*node.arg, clause);
  for (std::size_t i = node.n_args; i-- > 0;) {
    const PgQuery__CaseWhen& when = *node.args[i]->case_when;
    const auto place = static_cast<std::size_t>(when.location);
    Expression condition = dispatch(*when.expr, clause);
    if (subject) condition = resolved(place, "=", {*subject, condition});
    result = resolved(place, "case", {condition, dispatch(*when.result, clause), result});
  }
  return result;
}

}  // namespace dither::sql
