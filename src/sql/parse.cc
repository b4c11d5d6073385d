#include <fmt/format.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <new>

#include "base/text.h"
#include "sql/detail/parse_tree.h"
#include "sql/statement.h"

namespace dither::sql {
namespace {

struct Parsed {
  PgQueryProtobufParseResult result;
  explicit Parsed(const std::string& sql) : result(pg_query_parse_protobuf(sql.c_str())) {}
  ~Parsed() { pg_query_free_protobuf_parse_result(result); }
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;
};

// Called from C, which takes no exceptions: nothing means that there is no memory.
void* from_arena(void* arena, std::size_t bytes) noexcept {
  try {
    return static_cast<Arena*>(arena)->take(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void leave(void*, void*) {}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::size_t start_of(const PgQuery__RawStmt& statement, const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    if (token.start >= static_cast<std::size_t>(statement.stmt_location)) return token.start;
  }
  return 0;
}

void require_one_select(const Text& text, const PgQuery__ParseResult& result, const std::vector<Token>& tokens) {
  if (result.n_stmts == 0) text.refuse(Code::not_a_query, 0, "there is no statement", "write one SELECT");
  if (result.n_stmts > 1) {
    text.refuse(Code::not_a_query, start_of(*result.stmts[1], tokens), "a second statement begins here",
                "ask one SELECT at a time");
  }
  if (result.stmts[0]->stmt->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    const std::string_view word = text.typed().substr(tokens[0].start, tokens[0].end - tokens[0].start);
    text.refuse(Code::not_a_query, tokens[0].start, fmt::format("{} is not a query", upper_case(echo(word))),
                "only SELECT is answered; nothing here changes data or settings");
  }
}

}  // namespace

void check_text(std::string_view typed) {
  const Text text(typed);
  if (typed.size() > kMostBytes) {
    throw Error{Code::too_long, fmt::format("the statement has {} bytes, more than {}", typed.size(), kMostBytes),
                "shorten it: join with a public table instead of listing values"};
  }
  for (std::size_t at = 0; at < typed.size();) {
    const Character c = first_character(typed.substr(at));
    if (!c.valid) text.refuse(Code::bad_sql, at, "here is a byte that is not UTF-8", "save the statement as UTF-8");
    if (c.code == 0) text.refuse(Code::bad_sql, at, "here is a NUL character", "take it out");
    at += c.bytes;
  }
}

void check_chains(const Text& text, const std::vector<Token>& tokens) {
  constexpr std::size_t kMostTokens = 10'000;
  std::vector<std::size_t> counts{0};  // since the last comma or the like, one for each open parenthesis
  for (const Token& token : tokens) {
    switch (token.kind) {
      case PG_QUERY__TOKEN__ASCII_40:
      case PG_QUERY__TOKEN__ASCII_91:
        counts.push_back(0);
        break;
      case PG_QUERY__TOKEN__ASCII_41:
      case PG_QUERY__TOKEN__ASCII_93:
        if (counts.size() > 1) counts.pop_back();
        break;
      case PG_QUERY__TOKEN__ASCII_44:
      case PG_QUERY__TOKEN__ASCII_59:
      case PG_QUERY__TOKEN__AND:
      case PG_QUERY__TOKEN__OR:
      case PG_QUERY__TOKEN__WHEN:
      case PG_QUERY__TOKEN__SELECT:
        counts.back() = 0;
        break;
      default:
        break;
    }
    if (++counts.back() > kMostTokens) {
      text.refuse(Code::too_deep, token.start,
                  fmt::format("an expression has more than {} parts in a row", kMostTokens),
                  "nest it less: name parts of it by WITH");
    }
  }
}

ParseTree::ParseTree(const Text& text, const std::string& sql, const std::vector<Token>& tokens) {
  check_chains(text, tokens);
  const Parsed parsed(sql);
  if (parsed.result.error != nullptr) {
    refuse_syntax(text, sql, parsed.result.error->message, parsed.result.error->cursorpos);
  }
  ProtobufCAllocator allocator{from_arena, leave, &arena_};
  result_ = pg_query__parse_result__unpack(&allocator, parsed.result.parse_tree.len,
                                           reinterpret_cast<const std::uint8_t*>(parsed.result.parse_tree.data));
  if (result_ == nullptr) throw std::bad_alloc{};
  require_one_select(text, *result_, tokens);
  check_allowed(text, result_->stmts[0]->stmt->base);
}

const PgQuery__SelectStmt& ParseTree::select() const { return *result_->stmts[0]->stmt->select_stmt; }

}  // namespace dither::sql
