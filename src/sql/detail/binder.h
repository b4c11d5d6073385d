// The binder: from a parsed SELECT to relations.
#pragma once

#include <string>
#include <vector>

#include "sql/detail/bigquery.h"
#include "sql/detail/expressions.h"
#include "sql/detail/names.h"
#include "sql/detail/nodes.h"

namespace dither::sql {

// Where in the statement a SELECT stands.
enum class Level { top, inner };

class Binder {
 public:
  Binder(const plan::Project& project, const Text& text, const std::vector<PrivacyClause>& clauses);

  // A SELECT with all it contains. Throws what bind() of statement.h names.
  Bound query(const PgQuery__SelectStmt& select, const Ctes& outer, Level level);

  // After the statement: every privacy clause must have belonged to a SELECT (bad-sql).
  void require_all_clauses_used() const;

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void add_ctes(const PgQuery__WithClause& with, Ctes& ctes);
  Bound union_of(const PgQuery__SelectStmt& select, const Ctes& ctes);
  Bound select(const PgQuery__SelectStmt& select, const Ctes& ctes, Level level);

  From from_list(const PgQuery__SelectStmt& select, const Ctes& ctes);
  From from_item(const PgQuery__Node& node, const Ctes& ctes);
  From table(const PgQuery__RangeVar& node, const Ctes& ctes);
  From derived(const PgQuery__Node& node, const Ctes& ctes);
  From join(const PgQuery__JoinExpr& node, const Ctes& ctes);
  From named(Bound bound, std::string name, const PgQuery__Alias* alias, std::size_t place);

  const PrivacyClause* clause_of(const PgQuery__SelectStmt& select);
  void check_unit(const PrivacyClause& clause, const From& from);

  const plan::Project& project_;
  const Text& text_;
  const std::vector<PrivacyClause>& clauses_;
  std::vector<bool> clause_used_;
  std::vector<std::string> notes_;
};

// Where the list of a SELECT begins; of a UNION, that of its first.
std::size_t place_of(const PgQuery__SelectStmt& select);

// Gives the columns new names, as t(a, b) does. bad-sql when there are more names than columns.
void rename(const Text& text, std::vector<std::string>& names, std::size_t count, PgQuery__Node* const* given,
            std::size_t place);

}  // namespace dither::sql
