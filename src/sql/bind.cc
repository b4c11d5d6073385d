#include <pg_query/pg_query.pb-c.h>

#include <optional>

#include "sql/detail/binder.h"
#include "sql/detail/large_stack.h"
#include "sql/detail/parse_tree.h"
#include "sql/statement.h"

namespace dither::sql {
namespace {

Statement bound(const plan::Project& project, const Text& text) {
  const Rewritten rewritten = rewrite(text);
  const ParseTree tree(text, rewritten.sql, rewritten.tokens);
  Binder binder(project, text, rewritten.clauses);
  Bound result = binder.query(tree.select(), {}, Level::top);
  binder.require_all_clauses_used();
  if (result.rows.relation->is_private()) {
    text.refuse(Code::private_rows, place_of(tree.select()), "this would show rows of a private table",
                "ask for aggregates: COUNT(*), SUM(x), AVG(x), with GROUP BY where wanted");
  }
  return {std::move(result.rows.relation), std::move(result.names), agreed(text, rewritten.clauses), binder.notes(),
          std::string(text.typed())};
}

}  // namespace

Statement bind(const plan::Project& project, std::string_view typed) {
  check_text(typed);
  std::optional<Statement> statement;
  on_large_stack([&] { statement.emplace(bound(project, Text(typed))); });
  return std::move(*statement);
}

}  // namespace dither::sql
