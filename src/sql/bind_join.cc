#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/join_condition.h"

namespace dither::sql {
namespace {

std::size_t column_in(const Text& text, const From& from, const std::string& name, std::size_t place) {
  const Reference reference{{name}, place};
  if (const auto found = find_column(text, from, reference)) return *found;
  refuse_unknown_column(text, from, reference, {});
}

JoinCondition by_using(const Text& text, const PgQuery__JoinExpr& node, const From& left, const From& right) {
  JoinCondition condition;
  condition.place = place_of(*node.rarg);
  for (std::size_t i = 0; i < node.n_using_clause; ++i) {
    const std::string name = node.using_clause[i]->string->sval;
    const std::size_t l = column_in(text, left, name, condition.place);
    condition.equal.emplace_back(l, column_in(text, right, name, condition.place));
    condition.merged.push_back({name, l});
  }
  return condition;
}

// The parts of a condition that is a chain of ANDs.
std::vector<const PgQuery__Node*> conjuncts(const PgQuery__Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_BOOL_EXPR ||
      node.bool_expr->boolop != PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) {
    return {&node};
  }
  std::vector<const PgQuery__Node*> parts;
  for (std::size_t i = 0; i < node.bool_expr->n_args; ++i) {
    const auto inner = conjuncts(*node.bool_expr->args[i]);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

// The two columns of `a.x = b.y`, the left side's first; nothing for other conditions.
std::optional<std::pair<std::size_t, std::size_t>> equality(const Text& text, const PgQuery__Node& node,
                                                            const From& both, std::size_t left_width) {
  if (node.node_case != PG_QUERY__NODE__NODE_A_EXPR || node.a_expr->kind != PG_QUERY__A__EXPR__KIND__AEXPR_OP)
    return std::nullopt;
  const PgQuery__AExpr& compare = *node.a_expr;
  if (compare.n_name != 1 || std::string_view(compare.name[0]->string->sval) != "=" || compare.lexpr == nullptr)
    return std::nullopt;
  if (compare.lexpr->node_case != PG_QUERY__NODE__NODE_COLUMN_REF ||
      compare.rexpr->node_case != PG_QUERY__NODE__NODE_COLUMN_REF) {
    return std::nullopt;
  }
  const Reference first = reference_of(text, *compare.lexpr);
  const Reference second = reference_of(text, *compare.rexpr);
  auto a = find_column(text, both, first);
  auto b = find_column(text, both, second);
  if (!a) refuse_unknown_column(text, both, first, {});
  if (!b) refuse_unknown_column(text, both, second, {});
  if (*a >= left_width) std::swap(a, b);
  if (*a >= left_width || *b < left_width) return std::nullopt;
  return std::pair{*a, *b - left_width};
}

}  // namespace

JoinCondition join_condition(const Text& text, const PgQuery__JoinExpr& node, const From& left, const From& right,
                             const From& both) {
  if (node.n_using_clause > 0) return by_using(text, node, left, right);
  JoinCondition condition;
  condition.place = place_of(*node.rarg);
  if (node.quals == nullptr) {
    text.refuse(Code::private_join, condition.place, "a join without a condition meets every row with every other",
                "write JOIN ... ON and the columns that must be equal");
  }
  condition.place = place_of(*node.quals);
  for (const PgQuery__Node* part : conjuncts(*node.quals)) {
    if (const auto pair = equality(text, *part, both, left.rows.width())) {
      condition.equal.push_back(*pair);
    } else {
      condition.rest.push_back(part);
    }
  }
  if (condition.equal.empty()) {
    text.refuse(Code::private_join, condition.place, "a join needs columns of both tables that are equal",
                "write ON a.unit = b.unit, or the unique column of a public table");
  }
  return condition;
}

}  // namespace dither::sql
