// SQL in, answers out: everything from the text to the paid, noised, stored answer.
#pragma once

#include <string>
#include <vector>

#include "session/answer.h"
#include "sql/privatize.h"

namespace dither::sql {

// The title of the release is the text, unless `ask` has one.
// Refuses    what bind(), privatize() and Session::answer() refuse.
session::Answer query(session::Session& session, const std::string& text, const Wanted& wanted,
                      const session::Ask& ask);

// The statements of a script, split at semicolons outside quotes and comments; empty ones left out.
// Refuses    more than kMostBytes in all (too-long); what PostgreSQL's scanner does not take, such as an open quote
//            (bad-sql).
struct ScriptStatement {
  std::string text;
  std::size_t line;  // where it begins, from 1
};
std::vector<ScriptStatement> statements(const std::string& script);

// All statements at this price each. All are priced first, and reserved together: all or none. A question that comes
// again is drawn and charged once, also where `ask` wants a fresh draw: all but the first of its answers say that they are
// stored. Refusals name lines of the script.
// Refuses    a script without a statement (not-a-query); what query() refuses.
std::vector<session::Answer> script(session::Session& session, const std::string& text, const Wanted& wanted,
                                    const session::Ask& ask);

}  // namespace dither::sql
