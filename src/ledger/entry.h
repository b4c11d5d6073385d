// Records in the words of people.
#pragma once

#include <cstdint>
#include <string>

#include "ledger/calendar.h"
#include "ledger/record.h"

namespace dither::ledger {

// What happened, when, to which budget, and who decided or asked. Members that a record does not have are empty.
struct Entry {
  std::uint64_t number = 0;
  Time at = 0;
  std::string kind;    // as in the record: "grant", "freeze", "refused" ...
  std::string budget;  // or the data set
  std::string by;
  std::string why;       // of a decision or a refusal
  std::string decided;   // the value that a decision set: "epsilon 1, renews month", "2027, fresh"
  std::string evidence;  // where more is found about a decision
  std::string title;     // of a request
  std::string code;      // of a refusal: "over-budget"
  bool is_decision() const { return !why.empty() && kind != "refused" && !by.empty(); }
};

// Refuses    a body that is not one of a record (ledger-damaged).
Entry entry_of(const Record& record);

}  // namespace dither::ledger
