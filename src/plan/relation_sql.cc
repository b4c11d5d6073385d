#include "plan/relation_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dither::plan {
namespace {

using Names = std::vector<std::string>;

Names names_of(std::size_t columns, const std::string& before = "") {
  Names names;
  for (std::size_t i = 0; i < columns; ++i) names.push_back(fmt::format("{}c{}", before, i));
  return names;
}

class Printer {
 public:
  Printer(Dialect dialect, const Leaf& leaf) : dialect_(dialect), leaf_(leaf) {}

  std::string select(const Relation& relation) const {
    if (auto known = leaf_(relation)) return of_leaf(relation, *known);
    return std::visit([&](const auto& step) { return of(relation, step); }, relation->step());
  }

 private:
  std::string from(const Relation& relation) const {
    if (auto known = leaf_(relation); known && !keeps_owned(relation)) return *known;
    return fmt::format("({})", select(relation));
  }

  // A table may hold rows that belong to nobody.
  static bool keeps_owned(const Relation& relation) {
    return std::holds_alternative<Scan>(relation->step()) && relation->is_private() &&
           relation->columns()[relation->owner().unit].nullable;
  }

  std::string of_leaf(const Relation& relation, const std::string& known) const {
    std::string sql = fmt::format("SELECT {} FROM {} AS t", column_list(relation->columns().size()), known);
    if (keeps_owned(relation)) sql += fmt::format(" WHERE c{} IS NOT NULL", relation->owner().unit);
    return sql;
  }

  // Nothing stands for a table or an aggregate but what the caller gives.
  std::string of(const Relation&, const Scan&) const { std::abort(); }
  std::string of(const Relation&, const Aggregate&) const { std::abort(); }

  std::string of(const Relation& relation, const Filter& step) const {
    const Names names = names_of(relation->columns().size());
    return fmt::format("SELECT {} FROM {} AS t WHERE {}", column_list(names.size()), from(step.input),
                       spell(step.keep, dialect_, names));
  }

  std::string of(const Relation&, const Projection& step) const {
    const auto* filter = std::get_if<Filter>(&step.input->step());
    const bool folded = filter != nullptr && !leaf_(step.input);
    const Names names = names_of(step.input->columns().size());
    std::string list;
    for (std::size_t i = 0; i < step.columns.size(); ++i) {
      list += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", spell(step.columns[i], dialect_, names), i);
    }
    std::string sql = fmt::format("SELECT {} FROM {} AS t", list, from(folded ? filter->input : step.input));
    if (folded) sql += fmt::format(" WHERE {}", spell(filter->keep, dialect_, names));
    return sql;
  }

  // Equal, and neither NULL nor NaN.
  std::string equal(Type type, std::size_t left, std::size_t right) const {
    const Names names = {fmt::format("l.c{}", left), fmt::format("r.c{}", right)};
    std::string sql = spell(resolve("=", {column(0, type), column(1, type)}), dialect_, names);
    if (type != Type::real) return sql;
    const Expression below_nan = resolve("<", {column(0, type), constant({Type::real, std::nan("")})});
    return fmt::format("{} AND {}", sql, spell(below_nan, dialect_, names));
  }

  std::string of(const Relation&, const Join& step) const {
    const std::size_t left = step.left->columns().size();
    const std::size_t right = step.right->columns().size();
    std::string list = column_list(left, "l.");
    for (std::size_t i = 0; i < right; ++i) list += fmt::format(", r.c{} AS c{}", i, left + i);
    std::string on;
    for (const auto& [l, r] : step.equal) {
      on += (on.empty() ? "" : " AND ") + equal(step.left->columns()[l].type, l, r);
    }
    return fmt::format("SELECT {} FROM {} AS l {} {} AS r ON {}", list, from(step.left),
                       step.kind == JoinKind::left ? "LEFT JOIN" : "JOIN", from(step.right),
                       on.empty() ? "(1 = 1)" : on);
  }

  std::string of(const Relation&, const Union& step) const {
    std::string sql;
    for (const Relation& input : step.inputs) {
      sql += fmt::format("{}SELECT {} FROM {} AS t", sql.empty() ? "" : " UNION ALL ",
                         column_list(input->columns().size()), from(input));
    }
    return sql;
  }

  // Of two zeros neither is the one that stays: 0.0 is.
  std::string of(const Relation& relation, const Distinct& step) const {
    std::string list;
    for (std::size_t i = 0; i < relation->columns().size(); ++i) {
      const bool real = relation->columns()[i].type == Type::real;
      list += fmt::format("{}c{}{} AS c{}", i == 0 ? "" : ", ", i, real ? " + 0.0" : "", i);
    }
    return fmt::format("SELECT DISTINCT {} FROM {} AS t", list, from(step.input));
  }

  std::string order(const Relation& relation, const Sort& step) const {
    Names by;
    std::vector<bool> done(relation->columns().size(), false);
    const auto add = [&](std::size_t column, bool descending, bool nulls_first) {
      if (done[column]) return;
      done[column] = true;
      const bool collated = dialect_ == Dialect::postgresql && relation->columns()[column].type == Type::text;
      by.push_back(fmt::format("c{}{}{} NULLS {}", column, collated ? " COLLATE \"C\"" : "", descending ? " DESC" : "",
                               nulls_first ? "FIRST" : "LAST"));
    };
    for (const Sort::By& one : step.by) add(one.column, one.descending, one.nulls_first);
    for (std::size_t i = 0; i < done.size(); ++i) add(i, false, false);
    std::string sql;
    for (const std::string& one : by) sql += (sql.empty() ? "" : ", ") + one;
    return sql;
  }

  std::string of(const Relation& relation, const Sort& step) const {
    return fmt::format("SELECT {} FROM {} AS t ORDER BY {}", column_list(relation->columns().size()), from(step.input),
                       order(relation, step));
  }

  std::string of(const Relation& relation, const Limit& step) const {
    const auto* sorted = std::get_if<Sort>(&step.input->step());
    const bool folded = sorted != nullptr && !leaf_(step.input);
    std::string sql = fmt::format("SELECT {} FROM {} AS t", column_list(relation->columns().size()),
                                  from(folded ? sorted->input : step.input));
    if (folded) sql += " ORDER BY " + order(step.input, *sorted);
    return fmt::format("{} LIMIT {} OFFSET {}", sql, step.rows, step.skip);
  }

  Dialect dialect_;
  const Leaf& leaf_;
};

}  // namespace

std::string column_list(std::size_t columns, const std::string& before) {
  std::string list;
  for (const std::string& name : names_of(columns, before)) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string relation_sql(const Relation& relation, Dialect dialect, const Leaf& leaf) {
  return Printer(dialect, leaf).select(relation);
}

}  // namespace dither::plan
