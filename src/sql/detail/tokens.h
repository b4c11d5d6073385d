// A statement cut into tokens by PostgreSQL's scanner.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sql/detail/place.h"

namespace dither::sql {

struct Token {
  int kind;                // of pg_query.pb-c.h
  std::size_t start, end;  // bytes
  bool reserved = false;   // a keyword that is no name without quotes
};

// Without comments. bad-sql where the scanner stops; `sql` has the length of the typed text and stands for it.
std::vector<Token> tokens_of(const Text& text, const std::string& sql);

// The offset of the character that libpg_query counted, from 1.
std::size_t offset_of(std::string_view sql, int character);

// What libpg_query said, without more than a little of what was typed.
[[noreturn]] void refuse_syntax(const Text& text, const std::string& sql, const char* message, int character);

}  // namespace dither::sql
