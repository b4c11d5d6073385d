#include "sql/expression_text.h"

#include <fmt/format.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/large_stack.h"
#include "sql/detail/parse_tree.h"

namespace dither::sql {
namespace {

constexpr std::string_view kBefore = "SELECT (", kBehind = ")";
constexpr std::size_t kMostName = 63;

bool is_plain(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return std::all_of(name.begin(), name.end(), plain) && (name[0] < '0' || name[0] > '9');
}

// Parentheses close what they opened, so that those around the text hold all of it.
void require_closed(const Text& text, const std::vector<Token>& tokens) {
  int open = 0;
  for (const Token& token : tokens) {
    open += token.kind == PG_QUERY__TOKEN__ASCII_40 ? 1 : token.kind == PG_QUERY__TOKEN__ASCII_41 ? -1 : 0;
    if (open < 0) text.refuse(Code::bad_sql, token.start, "this parenthesis closes none", "take it out");
    if (token.kind == PG_QUERY__TOKEN__ASCII_59) {
      text.refuse(Code::bad_sql, token.start, "an expression has no semicolon", "take it out");
    }
  }
  if (open > 0) text.refuse(Code::bad_sql, text.typed().size(), "a parenthesis is not closed", "close it");
}

// The scanner leaves comments out: their bytes belong to no token, and are no blanks.
void require_no_comments(const Text& text, const std::vector<Token>& tokens) {
  std::size_t end = 0;
  const auto blank_to = [&](std::size_t next) {
    const std::size_t at = text.typed().substr(0, next).find_first_not_of(" \t\r\n\f\v", end);
    if (at != std::string_view::npos) text.refuse(Code::bad_sql, at, "an expression has no comments", "take it out");
  };
  for (const Token& token : tokens) {
    blank_to(token.start);
    end = token.end;
  }
  blank_to(text.typed().size());
}

// One value, without a name, and nothing behind it.
void require_one_value(const Text& text, const PgQuery__SelectStmt& select) {
  const PgQuery__Node* target = select.n_target_list == 1 ? select.target_list[0]->res_target->val : nullptr;
  const bool alone = target != nullptr && select.n_from_clause == 0 && select.where_clause == nullptr;
  if (!alone || target->node_case == PG_QUERY__NODE__NODE_ROW_EXPR) {
    text.refuse(Code::bad_sql, kBefore.size(), "this is not one expression", "give each on its own");
  }
}

void check(const std::string& typed) {
  const Text own(typed);
  const std::vector<Token> tokens = tokens_of(own, typed);
  if (tokens.empty()) own.refuse(Code::bad_sql, 0, "the expression is empty", "write a column or a condition");
  require_no_comments(own, tokens);
  require_closed(own, tokens);
  const std::string statement = fmt::format("{}{}{}", kBefore, typed, kBehind);
  const Text text(statement);
  const ParseTree tree(text, statement, tokens_of(text, statement));
  require_one_value(text, tree.select());
}

}  // namespace

void require_expression(const std::string& text) {
  check_text(text);
  on_large_stack([&] { check(text); });
}

std::string name_in_sql(const std::string& name) {
  const Text text(name);
  if (name.empty()) throw Error{Code::bad_sql, "a name is empty", "give every column a name"};
  check_text(name);
  if (name.size() > kMostName) {
    throw Error{Code::bad_sql, fmt::format("the name \"{}\" has more than {} bytes", echo(name), kMostName),
                "shorten it"};
  }
  if (is_plain(name)) {
    const std::vector<Token> tokens = tokens_of(text, name);
    if (tokens.size() == 1 && !tokens[0].reserved) return name;
  }
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

}  // namespace dither::sql
