// From a bound statement to a priced plan: unit, bounds, keys, noise, and what all of it costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/priced_plan.h"
#include "sql/statement.h"

namespace dither::sql {

// What is wanted: a price, or an error to be bought.
struct WantedError {
  Rational amount;        // half the width of a 95% interval
  bool relative = false;  // of the expected value
};
struct Wanted {
  std::optional<Rational> epsilon, rho;
  std::optional<WantedError> error;
  std::optional<Rational> delta;        // without one nothing is used that needs one
  std::optional<std::uint64_t> expect;  // rows, instead of `expected:`
  bool cut_units = false;               // one column more: how many units are cut, by key
};

// Chooses unit path, bounds, keys and mechanisms, splits the price, and predicts errors. Takes a plan, not text.
//
// Cut units  one more noisy number for each key, in a column "cut_units" after all others: of units that are answered in this key, how
//            many have more rows than count there, or rows in keys that are dropped. A unit moves it by 1.
//
// Refuses    missing-bounds, needs-grid, needs-delta, needs-expected-size, private-rows, not-supported, bad-argument for prices
//            that contradict each other; unreachable for an error that no epsilon up to 1000 buys; keys to be chosen under
//            a budget in mu (no-theorem).
session::PricedPlan privatize(const plan::Project& project, const Statement& statement, const Wanted& wanted);

}  // namespace dither::sql
