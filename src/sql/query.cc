#include "sql/query.h"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "ledger/outlook.h"
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

// What is left of the budgets that would pay, as they stand: "epsilon 1 of "main/alice", epsilon 7 of "main"".
std::string left_of(const std::vector<session::BudgetState>& payers) {
  std::string text;
  for (const session::BudgetState& payer : payers) {
    text += fmt::format("{}{} of \"{}\"", text.empty() ? "" : "; ",
                        ledger::in_words(ledger::shown_left(payer.rule, payer.spent)), echo(payer.path));
  }
  return text;
}

// The ledger decides one after the other, and names what those before would leave: of several it is said so.
std::vector<session::Answer> reserved_together(session::Session& session, const std::vector<session::PricedPlan>& plans,
                                               const std::vector<session::Ask>& asks) {
  try {
    return session.answer(plans, asks);
  } catch (const Error& error) {
    if (error.code() != Code::over_budget || plans.size() == 1) throw;
    throw Error{Code::over_budget,
                fmt::format("the {} statements do not fit together, and nothing was charged: after those before it, {}",
                            plans.size(), error.what()),
                fmt::format("left now: {}; ask for less, or ask a steward for a grant",
                            left_of(session.budgets(asks.front().analyst)))};
  }
}

// A question that comes again in a script is drawn and charged once: the others are given from what was stored.
std::vector<session::Answer> paid_once(std::vector<session::Answer> answers) {
  std::set<std::string> seen;
  for (session::Answer& answer : answers) {
    if (!answer.release.empty() && !seen.insert(answer.release).second) {
      answer.stored = true;
      answer.charged = false;
    }
  }
  return answers;
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
  const std::vector<ScriptStatement> all = statements(text);
  if (all.empty()) Text(text).refuse(Code::not_a_query, 0, "there is no statement", "write a SELECT, or several");
  std::vector<session::PricedPlan> plans;
  std::vector<session::Ask> asks;
  for (const ScriptStatement& statement : all) {
    plans.push_back(priced(session, in_place(statement), wanted));
    asks.push_back(titled(ask, statement.text));
  }
  return paid_once(reserved_together(session, plans, asks));
}

}  // namespace dither::sql
