#include "sql/query.h"

#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/detail/parse_tree.h"
#include "sql/detail/tokens.h"

namespace dither::sql {
namespace {

session::PricedPlan priced(const session::Session& session, const std::string& text, const Wanted& wanted) {
  return privatize(session.project(), sql::bind(session.project(), text), wanted);
}

session::Ask titled(session::Ask ask, const std::string& text) {
  if (ask.title.empty()) ask.title = text;
  return ask;
}

// The text at the lines where the script has it, so that refusals name these.
std::string in_place(const ScriptStatement& statement) {
  return std::string(statement.line - 1, '\n') + statement.text;
}

}  // namespace

session::Answer query(session::Session& session, const std::string& text, const Wanted& wanted,
                      const session::Ask& ask) {
  return session.answer(priced(session, text, wanted), titled(ask, text));
}

std::vector<ScriptStatement> statements(const std::string& script) {
  check_text(script);
  std::vector<ScriptStatement> found;
  std::size_t line = 1, counted = 0;
  std::optional<Token> first, last;
  const auto finish = [&] {
    if (!first) return;
    line += static_cast<std::size_t>(std::count(script.begin() + static_cast<std::ptrdiff_t>(counted),
                                                script.begin() + static_cast<std::ptrdiff_t>(first->start), '\n'));
    counted = first->start;
    found.push_back({script.substr(first->start, last->end - first->start), line});
    first.reset();
  };
  for (const Token& token : tokens_of(Text(script), script)) {
    if (token.kind == PG_QUERY__TOKEN__ASCII_59) {
      finish();
      continue;
    }
    if (!first) first = token;
    last = token;
  }
  finish();
  return found;
}

std::vector<session::Answer> script(session::Session& session, const std::string& text, const Wanted& wanted,
                                    const session::Ask& ask) {
  std::vector<session::PricedPlan> plans;
  std::vector<session::Ask> asks;
  for (const ScriptStatement& statement : statements(text)) {
    plans.push_back(priced(session, in_place(statement), wanted));
    asks.push_back(titled(ask, statement.text));
  }
  return session.answer(plans, asks);
}

}  // namespace dither::sql
