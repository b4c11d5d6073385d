// What a release gave: noisy whole numbers by key. This is what a ledger stores, and all that an answer is made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/canonical.h"
#include "base/int128.h"
#include "session/priced_plan.h"

namespace dither::session {

struct Released {
  // Public keys: all of the plan's, in that order. Private ones: those that were chosen, ascending by canonical bytes.
  // Without keys: one, the empty list.
  std::vector<std::vector<Cell>> keys;
  std::vector<std::vector<Int128>> parts;  // by part of the plan, then by key
  bool operator==(const Released&) const = default;
};

// What a plan releases whatever its rows are; nothing where that depends on them. Then no source has to be opened. So it is where
// no row of the answer is shown (LIMIT 0, HAVING FALSE), where no row is read (WHERE FALSE: there is no private key, and every number
// is 0), and where every number is 0: keys are public or none, and the total of a unit is clamped into [0, 0] (rule 5: the
// bounding operator enforces it), as in SUM(0).
std::optional<Released> known_beforehand(const PricedPlan& plan);

// Whether a statement shows no row of its aggregate, whatever that is.
bool shows_no_row(const plan::Relation& answer);

// Whether there are no rows below an aggregate, whatever the tables hold: a condition on them is the constant FALSE or NULL, or such a
// one AND another.
bool has_no_row(const plan::Relation& rows);

// As a ledger keeps it: JSON without spaces, {"format":1,"keys":[...],"parts":[...]}. A key is a list of cells: null,
// true, false, and text that begins with its type: "i5", "r3ff8000000000000" (the bits of the number), "ttext" and,
// where that is not UTF-8, "x" and hexadecimal digits. A part is text of its numbers with blanks between, in the order
// of the keys: "12 -3". Public keys are those of the plan and are not repeated: "keys":null.
std::string stored_text(const PricedPlan& plan, const Released& released);

// The reverse, for the same plan. Strict: only text that stored_text writes.
// Refuses    another format (ledger-newer), other text, and numbers that are not those of this plan (ledger-damaged).
Released released_from(const PricedPlan& plan, std::string_view text);

}  // namespace dither::session
