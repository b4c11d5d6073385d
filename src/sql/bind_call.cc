#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/expressions.h"

namespace dither::sql {

using plan::Expression;

std::string function_name(const Text& text, const PgQuery__FuncCall& node) {
  std::string name = node.funcname[node.n_funcname - 1]->string->sval;
  const bool grammar = node.funcformat == PG_QUERY__COERCION_FORM__COERCE_SQL_SYNTAX;
  const bool like_escape = name == "like_escape" && node.n_funcname == 2;
  if (like_escape) {
    text.refuse(Code::not_supported, static_cast<std::size_t>(std::max(node.location, 0)),
                "LIKE ... ESCAPE is not answered", "write the pattern with the usual escape, a backslash");
  }
  if (node.n_funcname > 1 && !grammar) {
    text.refuse(Code::not_supported, static_cast<std::size_t>(std::max(node.location, 0)),
                "a schema before a function is not answered", fmt::format("write {} alone", echo(name)));
  }
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

// EXTRACT, AT TIME ZONE and others with words inside: the grammar gives them names and puts arguments in its own order.
Expression Expressions::sql_syntax_call(const PgQuery__FuncCall& node, const std::string& name, const Clause& clause) {
  const auto place = static_cast<std::size_t>(std::max(node.location, 0));
  if (name == "extract") {
    const std::string part = node.args[0]->a_const->sval->sval;
    std::string lower = part;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return resolved(place, "extract " + lower, {dispatch(*node.args[1], clause)});
  }
  Arguments arguments = all(node.n_args, node.args, clause);
  if (name == "timezone") {
    std::swap(arguments[0], arguments[1]);
    return resolved(place, "at time zone", std::move(arguments));
  }
  const std::string_view plain = name == "btrim" ? std::string_view("trim") : std::string_view(name);
  return resolved(place, plain, std::move(arguments));
}

Expression Expressions::call(const PgQuery__FuncCall& node, const Clause& clause) {
  const auto place = static_cast<std::size_t>(std::max(node.location, 0));
  const std::string name = function_name(text_, node);
  if (node.funcformat == PG_QUERY__COERCION_FORM__COERCE_SQL_SYNTAX && node.n_funcname > 1) {
    return sql_syntax_call(node, name, clause);
  }
  if (const auto kind = aggregate_named(text_, name, place)) {
    if (inside_aggregate_) {
      text_.refuse(Code::nested_aggregate, place, "an aggregate stands inside an aggregate",
                   "aggregate once, or compute the outer one from the answer");
    }
    if (!clause.aggregates) {
      text_.refuse(Code::bad_sql, place, fmt::format("an aggregate cannot stand in {}", clause.name),
                   "use HAVING for conditions on aggregates");
    }
    if (aggregates_.calls.empty()) aggregates_.place = place;
    return aggregate(node, *kind, clause);
  }
  if (node.agg_star || node.agg_distinct || node.agg_filter != nullptr) {
    text_.refuse(Code::not_supported, place,
                 fmt::format("{} is no aggregate, so it takes no *, DISTINCT or FILTER", echo(name)), "give it values");
  }
  return resolved(place, name, all(node.n_args, node.args, clause));
}

}  // namespace dither::sql
