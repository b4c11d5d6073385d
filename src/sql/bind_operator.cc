#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "base/text.h"
#include "sql/detail/expressions.h"

namespace dither::sql {

using plan::Expression;

namespace {

std::string operator_name(const Text& text, const PgQuery__AExpr& node) {
  if (node.n_name != 1) {
    text.refuse(Code::not_supported, static_cast<std::size_t>(node.location), "OPERATOR(...) is not answered",
                "write the operator alone");
  }
  return node.name[0]->string->sval;
}

}  // namespace

// + - * / and so on, and comparisons; an interval stands on one side of + or on the right of -.
Expression Expressions::plain_operation(const PgQuery__AExpr& node, const Clause& clause) {
  const auto place = static_cast<std::size_t>(node.location);
  const std::string name = operator_name(text_, node);
  if (node.lexpr == nullptr) {
    if (name == "+") return dispatch(*node.rexpr, clause);
    if (name == "-") return resolved(place, "neg", {dispatch(*node.rexpr, clause)});
    text_.refuse(Code::not_supported, place, fmt::format("the operator {} before a value is not answered", echo(name)),
                 "docs/sql.md lists what is answered");
  }
  const auto with_interval = [&](const PgQuery__Node& value, const std::string& interval) {
    return resolved(place, name + " interval",
                    {dispatch(value, clause), plan::constant({plan::Type::text, Cell{interval}})});
  };
  if (name == "+" || name == "-") {
    if (const auto interval = interval_of(text_, *node.rexpr)) return with_interval(*node.lexpr, *interval);
  }
  if (name == "+") {
    if (const auto interval = interval_of(text_, *node.lexpr)) return with_interval(*node.rexpr, *interval);
  }
  Expression left = dispatch(*node.lexpr, clause);
  return resolved(place, name, {std::move(left), dispatch(*node.rexpr, clause)});
}

Expression Expressions::operation(const PgQuery__AExpr& node, const Clause& clause) {
  const auto place = static_cast<std::size_t>(node.location);
  const auto both = [&](std::string_view name) {
    Expression left = dispatch(*node.lexpr, clause);
    return resolved(place, name, {std::move(left), dispatch(*node.rexpr, clause)});
  };
  const auto listed = [&](std::string_view name) {
    Arguments arguments = all(node.rexpr->list->n_items, node.rexpr->list->items, clause);
    arguments.insert(arguments.begin(), dispatch(*node.lexpr, clause));
    return resolved(place, name, std::move(arguments));
  };
  const auto refuse = [&](std::string_view what, const char* hint) {
    text_.refuse(Code::not_supported, place, fmt::format("{} is not answered", what), hint);
  };
  switch (node.kind) {
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP:
      return plain_operation(node, clause);
    case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT:
      return both("is distinct from");
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT:
      return both("is not distinct from");
    case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF:
      return both("nullif");
    case PG_QUERY__A__EXPR__KIND__AEXPR_IN:
      return listed(operator_name(text_, node) == "=" ? "in" : "not in");
    case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE:
      return both(operator_name(text_, node) == "~~" ? "like" : "not like");
    case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE:
      return both(operator_name(text_, node) == "~~*" ? "ilike" : "not ilike");
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN:
      return listed("between");
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN:
      return listed("not between");
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN_SYM:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM:
      refuse("BETWEEN SYMMETRIC", "write BETWEEN with the smaller end first");
      break;
    case PG_QUERY__A__EXPR__KIND__AEXPR_SIMILAR:
      refuse("SIMILAR TO", "write LIKE");
      break;
    default:
      refuse("ANY (...) and ALL (...)", "write IN (...)");
  }
  return plan::constant({plan::Type::text, Cell{}});
}

}  // namespace dither::sql
