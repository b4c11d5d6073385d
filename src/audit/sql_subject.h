// Statements on neighbouring databases, asked as people ask them: text in, answer out, engine and ledger included.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "audit/effort.h"
#include "audit/target.h"
#include "session/estimate.h"
#include "sql/query.h"

namespace dither::audit {

using CsvTables = std::map<std::string, std::string>;  // the text of each source, by the name of its file

struct SqlPair {
  std::string first, second;  // in words
  CsvTables x, y;
};

// A project, a statement with its price, and databases on which the price must hold.
struct SqlSubject {
  std::string name;
  std::string relation;  // "add-remove" or "replace-one"
  std::string tables;    // `tables:` of the project file
  std::string statement;
  std::size_t keys = 0;  // so many columns of the answer are keys, from the left
  sql::Wanted wanted;    // what is typed beside the statement; nothing where the price stands in it (BigQuery)
  Promise promise;       // what that promises
  Rational delta = 0;    // what each answer takes of a ledger's
  std::vector<SqlPair> pairs;
  bool whole = false;       // each run is a question with answer, charge and record; else see below
  bool as_columns = false;  // of draws: the columns that people see, such as means, instead of the noisy numbers
  std::string budget = {};  // of the project file; "": as much as is asked for, of what the statement is priced in
  // What mutants (testing/) do otherwise: a plan between its price and its run, and columns made of noisy numbers,
  // where answers are not whole; the question and its answer, where they are.
  std::function<void(session::PricedPlan& plan)> spoil = {};
  std::function<session::Estimated(const session::PricedPlan& plan, const session::Released& released)> estimate =
      [](const session::PricedPlan& plan, const session::Released& released) { return estimated(plan, released); };
  std::function<session::Answer(session::Session& session, const std::string& text, const sql::Wanted& wanted,
                                const session::Ask& ask)>
      query = sql::query;
};

// The project file of all its databases.
std::string project_text(const SqlSubject& subject);

// Each database becomes a project in a folder of its own (mode 0700), with a signing key that nobody else has; the
// folders go with the target. They lie in memory where the system has such a place (/dev/shm) and TMPDIR names no
// other.
//
// Whole        every run is sql::query with a fresh draw, paid for: parsed, priced, reserved, run, drawn, stored,
//              answered. When a ledger's delta is used up, a new one is begun. What is seen is all that people see: the
//              cells of the answer, how far each may be off, what it cost, its types and its notes. Milliseconds.
// Otherwise    the statement is priced and run by the engine once, and every run draws its noise (session::draw), the
//              one step that is random; what is seen are the noisy numbers, of which the answer is made, or the columns
//              of its aggregate. Microseconds.
// Columns      for each key that some first runs had, its numbers, absent where the key is not shown; how many other
//              keys there were; of whole answers a word for the order of these keys, since the order of rows is seen
//              too (W-76), and one for what is said beside them; the text of the error, where there was one instead.
//              NULL is a NaN.
// Refuses      what opening a project and pricing refuse, and what all first answers of all databases refuse: what is
//              never answered proves nothing. A refusal for some rows alone is an answer.
// Cancelled    by effort.cancel, between runs.
Target target_of(const SqlSubject& subject, const Effort& effort);

}  // namespace dither::audit
