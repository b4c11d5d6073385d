#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "sql/detail/bigquery.h"
#include "sql/detail/bigquery_options.h"

namespace dither::sql {
namespace {

// Characters that can stand inside a name.
bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         (c & 0x80);
}

// Where the constant, comment or quoted name that begins here ends; `at` itself where none begins.
std::size_t end_of_quoted(std::string_view sql, std::size_t at) {
  const auto after = [&](std::string_view end, std::size_t from) {
    const std::size_t found = sql.find(end, from);
    return found == std::string_view::npos ? sql.size() : found + end.size();
  };
  const std::string_view rest = sql.substr(at);
  if (rest.starts_with("--")) return after("\n", at);
  if (rest.starts_with('"')) return after("\"", at + 1);
  if (rest.starts_with('\'')) {
    const bool escapes = at > 0 && (sql[at - 1] == 'e' || sql[at - 1] == 'E') && (at < 2 || !in_name(sql[at - 2]));
    std::size_t end = at + 1;
    while (end < sql.size() && sql[end] != '\'') end += escapes && sql[end] == '\\' ? 2 : 1;
    return std::min(end + 1, sql.size());
  }
  if (rest.starts_with("/*")) {
    std::size_t depth = 1;
    std::size_t end = at + 2;
    for (; end < sql.size() && depth > 0; ++end) {
      if (sql.substr(end).starts_with("/*"))
        ++depth, ++end;
      else if (sql.substr(end).starts_with("*/"))
        --depth, ++end;
    }
    return end;
  }
  if (rest.starts_with('$') && (at == 0 || !in_name(sql[at - 1]))) {
    const std::size_t tag =
        sql.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at + 1);
    if (tag != std::string_view::npos && sql[tag] == '$') return after(sql.substr(at, tag + 1 - at), tag + 1);
  }
  return at;
}

struct Span {
  std::size_t start, end;
};

// Backticks become double quotes.
std::vector<Span> quote_backticks(const Text& text, std::string& sql) {
  std::vector<Span> names;
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t end = end_of_quoted(sql, at);
    if (end > at) {
      at = end;
      continue;
    }
    if (sql[at] == '`') {
      const std::size_t last = sql.find('`', at + 1);
      const std::string_view name = std::string_view(sql).substr(at + 1, last - at - 1);
      if (last == std::string::npos || name.empty() || name.find_first_of("\"\\\n") != std::string_view::npos) {
        text.refuse(Code::bad_sql, at, "a name in backticks does not end, is empty or has a quote in it",
                    "write `name`, with a backtick on either side");
      }
      sql[at] = sql[last] = '"';
      names.push_back({at, last + 1});
      at = last;
    }
    ++at;
  }
  return names;
}

// The scanner must see each of them as a name; otherwise it stood in a constant that we took for something else.
void require_names(const Text& text, const std::vector<Span>& names, const std::vector<Token>& tokens) {
  for (const Span& name : names) {
    const auto token = std::lower_bound(tokens.begin(), tokens.end(), name.start,
                                        [](const Token& a, std::size_t start) { return a.start < start; });
    if (token == tokens.end() || token->kind != PG_QUERY__TOKEN__IDENT || token->start != name.start ||
        token->end != name.end) {
      text.refuse(Code::bad_sql, name.start, "a backtick stands where no name can",
                  "write constants in single quotes, without line breaks between their parts");
    }
  }
}

class Rewriter {
 public:
  Rewriter(const Text& text, Rewritten& result) : text_(text), result_(result) {}

  void run() {
    for (std::size_t i = 0; i < result_.tokens.size(); ++i) {
      privacy_clause(i);
      total_cast(i);
      bounded_count(i);
    }
  }

 private:
  int kind(std::size_t i) const { return i < result_.tokens.size() ? result_.tokens[i].kind : 0; }
  std::string word(std::size_t i) const {
    return i < result_.tokens.size() ? word_of(result_.sql, result_.tokens[i]) : "";
  }

  void privacy_clause(std::size_t i) {
    const bool with = kind(i + 1) == PG_QUERY__TOKEN__WITH || kind(i + 1) == PG_QUERY__TOKEN__WITH_LA;
    if (kind(i) != PG_QUERY__TOKEN__SELECT || !with || kind(i + 2) != PG_QUERY__TOKEN__IDENT) return;
    const Token first = result_.tokens[i + 1];
    if (word(i + 2) != "differential_privacy") {
      text_.refuse(Code::not_supported, first.start, fmt::format("SELECT WITH {} is not answered", echo(word(i + 2))),
                   "write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...), or SELECT alone");
    }
    std::size_t next = i + 3;
    PrivacyClause clause = read_options(text_, result_.sql, result_.tokens, next);
    clause.place = first.start;
    const std::size_t end = result_.tokens[next - 1].end;
    std::fill(result_.sql.begin() + static_cast<std::ptrdiff_t>(first.start),
              result_.sql.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    std::size_t list = next;
    while (kind(list) == PG_QUERY__TOKEN__ALL || kind(list) == PG_QUERY__TOKEN__DISTINCT) ++list;
    clause.list = list < result_.tokens.size() ? result_.tokens[list].start : result_.sql.size();
    result_.clauses.push_back(std::move(clause));
  }

  // No cast fails here, so that TRY_CAST is CAST.
  void total_cast(std::size_t i) {
    if (kind(i) != PG_QUERY__TOKEN__IDENT || kind(i + 1) != PG_QUERY__TOKEN__ASCII_40) return;
    const std::string name = word(i);
    if (name != "try_cast" && name != "safe_cast") return;
    Token& token = result_.tokens[i];
    const std::string cast = std::string(name.size() - 4, ' ') + "CAST";
    result_.sql.replace(token.start, cast.size(), cast);
    token = {PG_QUERY__TOKEN__CAST, token.end - 4, token.end};
  }

  // COUNT(*, name => ...) is COUNT(1, name => ...).
  void bounded_count(std::size_t i) {
    if (kind(i) != PG_QUERY__TOKEN__IDENT || word(i) != "count" || kind(i + 1) != PG_QUERY__TOKEN__ASCII_40) return;
    if (kind(i + 2) != PG_QUERY__TOKEN__ASCII_42 || kind(i + 3) != PG_QUERY__TOKEN__ASCII_44) return;
    result_.sql[result_.tokens[i + 2].start] = '1';
    result_.tokens[i + 2].kind = PG_QUERY__TOKEN__ICONST;
  }

  const Text& text_;
  Rewritten& result_;
};

}  // namespace

Rewritten rewrite(const Text& text) {
  Rewritten result{std::string(text.typed()), {}, {}};
  std::vector<Span> names;
  if (result.sql.find('`') != std::string::npos) names = quote_backticks(text, result.sql);
  result.tokens = tokens_of(text, result.sql);
  require_names(text, names, result.tokens);
  Rewriter(text, result).run();
  return result;
}

}  // namespace dither::sql
