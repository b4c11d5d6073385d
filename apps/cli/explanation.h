// A statement before it is paid for: for people, as a drawing, and for programs.
#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "cli/guarantee_output.h"
#include "plan/project.h"
#include "session/session.h"
#include "show/json.h"
#include "show/tree.h"

namespace dither::cli {

inline constexpr int kDigits = 6;  // of an epsilon of the curve

// What the whole statement is worth at a delta, by the best accountant.
struct PriceAt {
  Rational delta;
  double epsilon;         // rounded up; infinite where there is none
  bool as_typed = false;  // it is the epsilon that was typed, which holds at its delta and above
};

struct Explanation {
  const plan::Project& project;
  std::string statement;  // as it was typed
  session::PricedPlan plan;
  std::string plan_hash;
  session::Quote quote;
  std::vector<PriceAt> curve;

  // "weaker than one person", or nothing: the declared unit is protected.
  std::string weaker() const;
};

// Works out the rest. Reads no data.
Explanation explained(const session::Session& session, std::string statement, session::PricedPlan plan,
                      const std::string& analyst);

// One part of the noise, as text, in the unit of the answer.
struct PartWords {
  std::string number;  // "rows for n"
  std::string noise;   // "discrete Laplace, scale 12"
  std::string moves;   // "by at most 6 in all, 2 each in 3 cells"
  std::string price;   // "epsilon 0.5"
  double share;        // of the statement's price, from 0 to 1
};
PartWords in_words(const Explanation& explanation, const session::Part& part);
// What the statement costs as typed: "epsilon 0.5, delta 0".
Facts price_facts(const session::StatementPrice& price);
// "public: 4, all of them are answered".
std::string keys_in_words(const session::PricedPlan& plan);

// The steps from the answer down to the tables.
show::TreeNode explanation_tree(const Explanation& explanation);
std::string explanation_text(const Explanation& explanation);
std::string explanation_svg(const Explanation& explanation);
// The members statement, plan_hash, tables, answer, unit, weaker_than_declared_unit, neighbours, price, curve, steps, parts, keys, columns, cost, fits,
// how_many, budgets, notes: docs/explain.md describes each.
show::Json explanation_json(const Explanation& explanation);

}  // namespace dither::cli
