#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/selection.h"

namespace dither::sql {

using plan::Expression;

std::string output_name(const PgQuery__Node& value, std::size_t number) {
  switch (value.node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return value.column_ref->fields[value.column_ref->n_fields - 1]->string->sval;
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return value.func_call->funcname[value.func_call->n_funcname - 1]->string->sval;
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return output_name(*value.type_cast->arg, number);
    case PG_QUERY__NODE__NODE_CASE_EXPR:
      return "case";
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      return "coalesce";
    default:
      return fmt::format("column{}", number);
  }
}

void require_few(const Text& text, std::size_t columns, std::size_t place) {
  if (columns < kMostColumns) return;
  text.refuse(Code::too_deep, place, fmt::format("a SELECT has more than {} columns or keys", kMostColumns),
              "ask for fewer at a time");
}

Selection::Selection(const Text& text, const PgQuery__SelectStmt& select, From from, const PrivacyClause* clause,
                     Level level, std::vector<std::string>& notes)
    : text_(text),
      select_(select),
      from_(std::move(from)),
      clause_(clause),
      level_(level),
      notes_(notes),
      expressions_(text_, from_, notes) {}

void Selection::keep_where() {
  rows_ = from_.rows;
  if (select_.where_clause == nullptr) return;
  const Expression keep = Expressions(text_, from_, notes_).bind(*select_.where_clause, {"WHERE", false, nullptr});
  rows_ = text_.at(place_of(*select_.where_clause), [&] { return filter(rows_, keep); });
}

void Selection::add_star(const PgQuery__Node& target) {
  const PgQuery__ColumnRef& star = *target.res_target->val->column_ref;
  const auto place = static_cast<std::size_t>(star.location);
  if (star.n_fields > 2) {
    text_.refuse(Code::not_supported, place, "a schema before a table is not answered", "write table.*");
  }
  const std::vector<NamedColumn> columns =
      star.n_fields == 1 ? all_columns(from_) : find_table(text_, from_, star.fields[0]->string->sval, place).columns;
  for (const NamedColumn& column : columns) {
    require_few(text_, outputs_.columns.size(), place);
    outputs_.names.push_back(column.name);
    outputs_.columns.push_back(expressions_.named(column.position, place));
  }
}

void Selection::add_outputs() {
  if (select_.n_target_list == 0) {
    text_.refuse(Code::bad_sql, 0, "a SELECT without columns", "write what to select: SELECT COUNT(*)");
  }
  for (std::size_t i = 0; i < select_.n_target_list; ++i) {
    const PgQuery__Node& target = *select_.target_list[i];
    const PgQuery__Node& value = *target.res_target->val;
    const bool star =
        value.node_case == PG_QUERY__NODE__NODE_COLUMN_REF &&
        value.column_ref->fields[value.column_ref->n_fields - 1]->node_case == PG_QUERY__NODE__NODE_A_STAR;
    if (star) {
      add_star(target);
      continue;
    }
    require_few(text_, outputs_.columns.size(), sql::place_of(target));
    outputs_.columns.push_back(expressions_.bind(value, {"SELECT", true, nullptr}));
    const std::string_view alias = target.res_target->name;
    outputs_.names.push_back(alias.empty() ? output_name(value, outputs_.names.size() + 1) : std::string(alias));
  }
}

// A whole number in GROUP BY or ORDER BY counts the outputs.
Expression Selection::output_at(const PgQuery__Node& node, const char* clause) const {
  const PgQuery__AConst& constant = *node.a_const;
  const bool whole = !constant.isnull && constant.val_case == PG_QUERY__A__CONST__VAL_IVAL;
  const auto at = static_cast<std::size_t>(whole ? std::max(constant.ival->ival, 0) : 0);
  if (at == 0 || at > outputs_.columns.size()) {
    text_.refuse(Code::bad_sql, sql::place_of(node),
                 fmt::format("{} takes a number from 1 to {}, or a column", clause, outputs_.columns.size()),
                 "name a column");
  }
  return outputs_.columns[at - 1];
}

Expression Selection::order_of(const PgQuery__Node& node) {
  if (node.node_case == PG_QUERY__NODE__NODE_A_CONST) return output_at(node, "ORDER BY");
  if (node.node_case == PG_QUERY__NODE__NODE_COLUMN_REF) {
    if (const auto output = outputs_.find(text_, reference_of(text_, node))) return *output;
  }
  return expressions_.bind(node, {"ORDER BY", true, &outputs_});
}

void Selection::add_order() {
  for (std::size_t i = 0; i < select_.n_sort_clause; ++i) {
    const PgQuery__SortBy& by = *select_.sort_clause[i]->sort_by;
    const bool descending = by.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DESC;
    const bool unsaid = by.sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_DEFAULT;
    const bool first = by.sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_FIRST;
    order_.push_back({order_of(*by.node), descending, unsaid ? descending : first, sql::place_of(*by.node)});
  }
}

std::optional<std::uint64_t> Selection::limit_of(const PgQuery__Node* node, const char* clause) const {
  if (node == nullptr) return std::nullopt;
  if (node->node_case == PG_QUERY__NODE__NODE_A_CONST) {
    const PgQuery__AConst& constant = *node->a_const;
    if (constant.isnull) return std::nullopt;  // LIMIT ALL
    const Expression value = constant_of(text_, constant);
    const auto* whole = std::get_if<std::int64_t>(&std::get<plan::Constant>(value.content()).value);
    if (whole != nullptr && *whole >= 0) return static_cast<std::uint64_t>(*whole);
  }
  text_.refuse(Code::bad_count, sql::place_of(*node), fmt::format("{} takes a whole number from 0 on", clause),
               "write the number");
}

void Selection::cut() {
  if (select_.limit_option == PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_WITH_TIES) {
    text_.refuse(Code::not_supported, place_of(select_), "WITH TIES is not answered", "write LIMIT");
  }
  const auto rows = limit_of(select_.limit_count, "LIMIT");
  const auto skip = limit_of(select_.limit_offset, "OFFSET");
  if (!rows && skip.value_or(0) == 0) return;
  const std::size_t place = sql::place_of(rows ? *select_.limit_count : *select_.limit_offset);
  rows_ = text_.at(place, [&] { return limit(rows_, rows.value_or(UINT64_MAX), skip.value_or(0)); });
}

Bound Selection::bound() {
  keep_where();
  add_outputs();
  add_keys();
  add_having();
  add_order();
  group();
  project_and_sort();
  cut();
  // Columns that only the order needed go again.
  const bool hidden = rows_.relation->is_private() ? false : rows_.width() > outputs_.names.size();
  if (hidden) {
    std::vector<Expression> visible;
    for (std::size_t i = 0; i < outputs_.names.size(); ++i) visible.push_back(rows_.column(i));
    rows_ = text_.at(place_of(select_), [&] { return project(rows_, std::move(visible)); });
  }
  return {std::move(rows_), std::move(outputs_.names)};
}

Bound Binder::select(const PgQuery__SelectStmt& statement, const Ctes& ctes, Level level) {
  From from = from_list(statement, ctes);
  const PrivacyClause* clause = clause_of(statement);
  if (clause != nullptr) check_unit(*clause, from);
  return Selection(text_, statement, std::move(from), clause, level, notes_).bound();
}

}  // namespace dither::sql
