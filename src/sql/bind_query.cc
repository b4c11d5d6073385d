#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/binder.h"

namespace dither::sql {

std::size_t place_of(const PgQuery__SelectStmt& select) {
  const PgQuery__SelectStmt* first = &select;
  while (first->larg != nullptr) first = first->larg;
  return first->n_target_list == 0 ? 0 : place_of(*first->target_list[0]);
}

Binder::Binder(const plan::Project& project, const Text& text, const std::vector<PrivacyClause>& clauses)
    : project_(project), text_(text), clauses_(clauses), clause_used_(clauses.size(), false) {}

const PrivacyClause* Binder::clause_of(const PgQuery__SelectStmt& select) {
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    if (select.n_target_list == 0 || clauses_[i].list != place_of(select)) continue;
    clause_used_[i] = true;
    return &clauses_[i];
  }
  return nullptr;
}

void Binder::require_all_clauses_used() const {
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    if (clause_used_[i]) continue;
    text_.refuse(Code::bad_sql, clauses_[i].place, "a privacy clause belongs to no list of columns",
                 "write it between SELECT and the columns");
  }
}

void Binder::check_unit(const PrivacyClause& clause, const From& from) {
  if (clause.unit.empty()) return;
  const Reference reference{clause.unit, clause.unit_place};
  const auto position = find_column(text_, from, reference);
  if (!position) refuse_unknown_column(text_, from, reference, {});
  if (from.rows.unit[*position]) return;
  text_.refuse(Code::wrong_unit, clause.unit_place,
               fmt::format("\"{}\" is not the unit that the project file protects", echo(clause.unit.back())),
               "name the column that `unit:` declares, or leave privacy_unit_column out");
}

void Binder::add_ctes(const PgQuery__WithClause& with, Ctes& ctes) {
  for (std::size_t i = 0; i < with.n_ctes; ++i) {
    const PgQuery__CommonTableExpr& cte = *with.ctes[i]->common_table_expr;
    const auto place = static_cast<std::size_t>(std::max(cte.location, 0));
    const std::string name = cte.ctename;
    if (cte.ctematerialized != PG_QUERY__CTEMATERIALIZE__CTEMaterializeDefault) {
      text_.refuse(Code::not_supported, place, "MATERIALIZED is not answered", "leave it out");
    }
    if (ctes.here.contains(name)) {
      text_.refuse(Code::ambiguous_name, place, fmt::format("WITH names \"{}\" twice", echo(name)),
                   "name one of them differently");
    }
    Bound bound = query(*cte.ctequery->select_stmt, ctes, Level::inner);
    rename(text_, bound.names, cte.n_aliascolnames, cte.aliascolnames, place);
    ctes.here.emplace(name, std::move(bound));
  }
}

Bound Binder::query(const PgQuery__SelectStmt& statement, const Ctes& outer, Level level) {
  Ctes ctes{&outer, {}};
  if (statement.with_clause != nullptr) add_ctes(*statement.with_clause, ctes);
  if (statement.op == PG_QUERY__SET_OPERATION__SETOP_NONE) return select(statement, ctes, level);
  if (statement.op != PG_QUERY__SET_OPERATION__SETOP_UNION || !statement.all) {
    text_.refuse(Code::not_supported, place_of(statement), "UNION without ALL, INTERSECT and EXCEPT are not answered",
                 "write UNION ALL");
  }
  return union_of(statement, ctes);
}

Bound Binder::union_of(const PgQuery__SelectStmt& statement, const Ctes& ctes) {
  if (statement.n_sort_clause > 0 || statement.limit_count != nullptr || statement.limit_offset != nullptr) {
    text_.refuse(Code::not_supported, place_of(statement), "ORDER BY and LIMIT of a UNION ALL are not answered",
                 "aggregate the union, and order the aggregates");
  }
  std::vector<const PgQuery__SelectStmt*> sides{statement.rarg};
  const PgQuery__SelectStmt* rest = statement.larg;
  // A chain of unions leans to the left; one with its own WITH, ORDER BY or LIMIT is a side of its own.
  while (rest->op == PG_QUERY__SET_OPERATION__SETOP_UNION && rest->all && rest->with_clause == nullptr &&
         rest->n_sort_clause == 0 && rest->limit_count == nullptr && rest->limit_offset == nullptr) {
    sides.push_back(rest->rarg);
    rest = rest->larg;
  }
  sides.push_back(rest);
  std::reverse(sides.begin(), sides.end());
  std::vector<Rows> inputs;
  std::vector<std::string> names;
  for (const PgQuery__SelectStmt* side : sides) {
    Bound bound = query(*side, ctes, Level::inner);
    if (!inputs.empty() && bound.names.size() != names.size()) {
      text_.refuse(
          Code::wrong_type, place_of(*side),
          fmt::format("this side of UNION ALL has {} columns, the first has {}", bound.names.size(), names.size()),
          "select as many on all sides");
    }
    if (inputs.empty()) names = bound.names;
    inputs.push_back(std::move(bound.rows));
  }
  return {text_.at(place_of(*statement.rarg), [&] { return union_all(inputs); }), std::move(names)};
}

}  // namespace dither::sql
