// One SELECT, parsed, and checked to hold nothing that the binder does not look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/detail/arena.h"
#include "sql/detail/nodes.h"
#include "sql/detail/tokens.h"

struct ProtobufCMessage;

namespace dither::sql {

inline constexpr int kMostNodes = 1000;  // inside each other

// Refuses text that is too long, no UTF-8 or has a NUL (too-long, bad-sql).
void check_text(std::string_view typed);

// Refuses chains (a + a + a ...) that would take the grammar seconds and are too deep anyway (too-deep).
void check_chains(const Text& text, const std::vector<Token>& tokens);

class ParseTree {
 public:
  // `sql` has the length of the typed text and stands for it. Call it on a large stack. bad-sql, too-deep, not-a-query,
  // not-supported.
  ParseTree(const Text& text, const std::string& sql, const std::vector<Token>& tokens);

  const PgQuery__SelectStmt& select() const;

 private:
  Arena arena_;  // the tree lives here
  const PgQuery__ParseResult* result_;
};

// The fields of a message that the binder reads; nothing for a message that it does not take.
const std::vector<std::string_view>* fields_read(std::string_view message);

// Walks a part of the tree by its description. Every message must be on the list, and of each message every field that is not
// on the list must be empty: whatever the binder does not read is refused by name.
// Refuses    not-supported; not-a-query for statements inside the statement; too-deep beyond kMostNodes.
void check_allowed(const Text& text, const ProtobufCMessage& message);

}  // namespace dither::sql
