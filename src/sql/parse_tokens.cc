#include <fmt/format.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <memory>

#include "base/text.h"
#include "sql/detail/large_stack.h"
#include "sql/detail/tokens.h"

namespace dither::sql {
namespace {

struct Scanned {
  PgQueryScanResult result;
  explicit Scanned(const std::string& sql) {
    on_large_stack([&] { result = pg_query_scan(sql.c_str()); });  // for the thread, not for its stack
  }
  ~Scanned() { pg_query_free_scan_result(result); }
  Scanned(const Scanned&) = delete;
  Scanned& operator=(const Scanned&) = delete;
};

struct FreeTokens {
  void operator()(PgQuery__ScanResult* result) const { pg_query__scan_result__free_unpacked(result, nullptr); }
};

constexpr std::string_view kNear = " at or near \"";

}  // namespace

std::size_t offset_of(std::string_view sql, int character) {
  std::size_t offset = 0;
  for (int i = 1; i < character && offset < sql.size(); ++i) offset += first_character(sql.substr(offset)).bytes;
  return offset;
}

void refuse_syntax(const Text& text, const std::string& sql, const char* message, int character) {
  const std::string_view said = message;
  const std::size_t offset = character > 0 ? offset_of(sql, character) : sql.size();
  if (said.starts_with("memory exhausted")) {
    text.refuse(Code::too_deep, offset, "the statement is nested too deeply", "nest it less: name parts of it by WITH");
  }
  const std::size_t near = said.find(kNear);
  std::string shown = echo(said.substr(0, near));
  if (near != std::string_view::npos) {
    std::string_view token = said.substr(near + kNear.size());
    if (token.ends_with('"')) token.remove_suffix(1);
    shown += fmt::format(" at or near \"{}\"", echo(token));
  }
  text.refuse(Code::bad_sql, offset, shown,
              "the statement is read as PostgreSQL reads it; look just before this place");
}

std::vector<Token> tokens_of(const Text& text, const std::string& sql) {
  const Scanned scanned(sql);
  if (scanned.result.error != nullptr) {
    refuse_syntax(text, sql, scanned.result.error->message, scanned.result.error->cursorpos);
  }
  const std::unique_ptr<PgQuery__ScanResult, FreeTokens> list(pg_query__scan_result__unpack(
      nullptr, scanned.result.pbuf.len, reinterpret_cast<const std::uint8_t*>(scanned.result.pbuf.data)));
  std::vector<Token> tokens;
  if (!list) throw std::bad_alloc{};
  for (std::size_t i = 0; i < list->n_tokens; ++i) {
    const PgQuery__ScanToken& token = *list->tokens[i];
    if (token.token == PG_QUERY__TOKEN__SQL_COMMENT || token.token == PG_QUERY__TOKEN__C_COMMENT) continue;
    const bool reserved = token.keyword_kind != PG_QUERY__KEYWORD_KIND__NO_KEYWORD &&
                          token.keyword_kind != PG_QUERY__KEYWORD_KIND__UNRESERVED_KEYWORD;
    tokens.push_back(
        {token.token, static_cast<std::size_t>(token.start), static_cast<std::size_t>(token.end), reserved});
  }
  return tokens;
}

}  // namespace dither::sql
