#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "sql/detail/binder.h"
#include "sql/detail/join_condition.h"

namespace dither::sql {
namespace {

const plan::TableDeclaration* declared(const plan::Project& project, std::string_view name) {
  const plan::TableDeclaration* alike = nullptr;
  for (const plan::TableDeclaration& table : project.tables) {
    if (table.name == name) return &table;
    if (same_letters(table.name, name)) alike = &table;
  }
  return alike;
}

// The names of both sides; the rows are still those of the left.
From side_by_side(const Text& text, const From& left, const From& right, std::size_t place) {
  From both = left;
  const auto shift = [&](NamedColumn column) {
    column.position += left.rows.width();
    return column;
  };
  for (const NamedTable& table : right.tables) {
    const auto same = [&](const NamedTable& earlier) { return !table.name.empty() && earlier.name == table.name; };
    if (std::any_of(left.tables.begin(), left.tables.end(), same)) {
      text.refuse(Code::ambiguous_name, place,
                  fmt::format("two tables of the join are called \"{}\"", echo(table.name)),
                  "give one of them an alias: JOIN table AS other");
    }
    both.tables.push_back({table.name, {}});
    for (const NamedColumn& column : table.columns) both.tables.back().columns.push_back(shift(column));
  }
  for (const NamedColumn& column : right.merged) both.merged.push_back(shift(column));
  for (const std::size_t position : right.hidden) both.hidden.insert(position + left.rows.width());
  return both;
}

}  // namespace

void rename(const Text& text, std::vector<std::string>& names, std::size_t count, PgQuery__Node* const* given,
            std::size_t place) {
  if (count > names.size()) {
    text.refuse(Code::bad_sql, place, fmt::format("{} names are given for {} columns", count, names.size()),
                "give at most as many names as there are columns");
  }
  for (std::size_t i = 0; i < count; ++i) names[i] = given[i]->string->sval;
}

From Binder::named(Bound bound, std::string name, const PgQuery__Alias* alias, std::size_t place) {
  if (alias != nullptr) {
    name = alias->aliasname;
    rename(text_, bound.names, alias->n_colnames, alias->colnames, place);
  }
  From from{std::move(bound.rows), {NamedTable{std::move(name), {}}}, {}, {}};
  for (std::size_t i = 0; i < bound.names.size(); ++i) from.tables[0].columns.push_back({bound.names[i], i});
  return from;
}

From Binder::table(const PgQuery__RangeVar& node, const Ctes& ctes) {
  const auto place = static_cast<std::size_t>(std::max(node.location, 0));
  const std::string name = node.relname;
  if (!node.inh) text_.refuse(Code::not_supported, place, "ONLY is not answered", "write the table's name alone");
  if (const Bound* cte = ctes.find(name)) return named(*cte, name, node.alias, place);
  const plan::TableDeclaration* found = declared(project_, name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const plan::TableDeclaration& table : project_.tables) names.push_back(table.name);
    for (const Ctes* level = &ctes; level != nullptr; level = level->outer) {
      for (const auto& [cte, bound] : level->here) names.push_back(cte);
    }
    text_.refuse(
        Code::unknown_table, place, fmt::format("there is no table \"{}\"", echo(name)),
        names.empty() ? "declare it in the project file" : fmt::format("write {}", quoted(nearest(name, names))));
  }
  Bound bound{text_.at(place, [&] { return sql::scan(project_, found->name); }), {}};
  for (const plan::ColumnDeclaration& column : found->columns) bound.names.push_back(column.name);
  return named(std::move(bound), found->name, node.alias, place);
}

From Binder::derived(const PgQuery__Node& node, const Ctes& ctes) {
  const PgQuery__RangeSubselect& item = *node.range_subselect;
  const PgQuery__SelectStmt& inner = *item.subquery->select_stmt;
  return named(query(inner, ctes, Level::inner), "", item.alias, place_of(inner));
}

From Binder::from_item(const PgQuery__Node& node, const Ctes& ctes) {
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      return table(*node.range_var, ctes);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      return derived(node, ctes);
    default:
      return join(*node.join_expr, ctes);
  }
}

From Binder::from_list(const PgQuery__SelectStmt& select, const Ctes& ctes) {
  if (select.n_from_clause == 0) {
    text_.refuse(Code::not_supported, place_of(select), "a SELECT without FROM is not answered", "name a table");
  }
  if (select.n_from_clause > 1) {
    text_.refuse(Code::not_supported, sql::place_of(*select.from_clause[1]), "a comma between tables is not answered",
                 "write JOIN ... ON and the columns that must be equal");
  }
  return from_item(*select.from_clause[0], ctes);
}

From Binder::join(const PgQuery__JoinExpr& node, const Ctes& ctes) {
  const From left = from_item(*node.larg, ctes);
  const From right = from_item(*node.rarg, ctes);
  if (node.jointype != PG_QUERY__JOIN_TYPE__JOIN_INNER && node.jointype != PG_QUERY__JOIN_TYPE__JOIN_LEFT) {
    text_.refuse(Code::not_supported, sql::place_of(*node.rarg), "RIGHT JOIN and FULL JOIN are not answered",
                 "write LEFT JOIN, with the private table on the left");
  }
  From both = side_by_side(text_, left, right, sql::place_of(*node.rarg));
  const JoinCondition condition = join_condition(text_, node, left, right, both);
  const bool keeps_left = node.jointype == PG_QUERY__JOIN_TYPE__JOIN_LEFT;
  if (keeps_left && !condition.rest.empty()) {
    text_.refuse(Code::private_join, sql::place_of(*condition.rest[0]),
                 "a LEFT JOIN takes nothing but equal columns in ON",
                 "put the other conditions into a derived table on the right");
  }
  const plan::JoinKind kind = keeps_left ? plan::JoinKind::left : plan::JoinKind::inner;
  both.rows = text_.at(condition.place, [&] { return sql::join(left.rows, right.rows, kind, condition.equal); });
  for (std::size_t i = 0; i < condition.merged.size(); ++i) {
    // What was merged before is part of what is merged now.
    const auto& [l, r] = condition.equal[i];
    const auto again = [&, at = l, shifted = r + left.rows.width()](const NamedColumn& earlier) {
      return earlier.position == at || earlier.position == shifted;
    };
    both.merged.erase(std::remove_if(both.merged.begin(), both.merged.end(), again), both.merged.end());
    both.hidden.insert({l, r + left.rows.width()});
  }
  both.merged.insert(both.merged.begin(), condition.merged.begin(), condition.merged.end());
  for (const PgQuery__Node* part : condition.rest) {
    const plan::Expression keep = Expressions(text_, both, notes_).bind(*part, {"ON", false, nullptr});
    both.rows = text_.at(sql::place_of(*part), [&] { return filter(both.rows, keep); });
  }
  return both;
}

}  // namespace dither::sql
