#include "testing/statement_mutants.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "random/source.h"
#include "testing/answer_mutants.h"
#include "testing/calculus_access.h"

namespace dither::testing {

using namespace calculus;  // NOLINT
using audit::SqlSubject;
using audit::Subject;
using session::PricedPlan;

namespace {

// What is done to a plan between its price and its run.

constexpr int kFar = 100;   // times what was declared
constexpr int kOften = 4;   // times that a value counts
constexpr int kEarly = 16;  // units fewer than a key should have to be shown

void leave_totals(PricedPlan& plan) {
  for (plan::Measure& measure : plan.exact.measures) {
    measure.total_low = std::min<Int128>(0, measure.total_low * kFar);
    measure.total_high *= kFar;
  }
}

void leave_keys(PricedPlan& plan) { plan.exact.keys_per_unit = kFar; }

void bound_nothing(PricedPlan& plan) {
  leave_keys(plan);
  leave_totals(plan);
}

void count_rows_for_units(PricedPlan& plan) {
  for (plan::Measure& measure : plan.exact.measures) measure.kind = plan::MeasureKind::rows;
  leave_totals(plan);
}

void count_values_often(PricedPlan& plan) {
  for (plan::Measure& measure : plan.exact.measures) {
    measure.step = measure.step / kOften;
    for (Int128* bound : {&measure.low, &measure.high, &measure.total_low, &measure.total_high}) *bound *= kOften;
  }
}

AnyMeasurement with_function(const AnyMeasurement& one, AnyMeasurement::Function function) {
  AnyMeasurement::Parts parts = CombinatorAccess::parts(one);
  parts.function = std::move(function);
  return AnyMeasurement(std::move(parts));
}

// A lower threshold, whatever the rule: every key has some units more.
void show_keys_early(PricedPlan& plan) {
  const AnyMeasurement& right = plan.keys->measurement;
  plan.keys->measurement =
      with_function(right, [show = CombinatorAccess::parts(right).function](const Data& units, random::Source& source) {
        Keyed more = as<Keyed>(units);
        for (Int128& value : more.values) value += kEarly;
        return show(more, source);
      });
}

// The second part adds what the first drew. Parts are drawn one after the other, by one thread.
void reuse_noise(PricedPlan& plan) {
  static thread_local Integers drawn;
  const AnyMeasurement first = *plan.parts.at(0).measurement;
  plan.parts[0].measurement = with_function(
      first, [add = CombinatorAccess::parts(first).function](const Data& exact, random::Source& source) -> Data {
        Data noisy = add(exact, source);
        drawn = as<Integers>(noisy);
        for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] -= as<Integers>(exact)[i];
        return noisy;
      });
  plan.parts.at(1).measurement =
      with_function(*plan.parts[1].measurement, [](const Data& exact, random::Source&) -> Data {
        Integers noisy = as<Integers>(exact);
        for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i] += drawn.at(i);
        return noisy;
      });
}

// Every row belongs to the order that it names, and not to the person who has placed it.
void take_orders_for_people(PricedPlan& plan) {
  plan::Flat rows = plan::flat(plan.exact.rows);
  rows.columns[plan.exact.unit()] = plan::column(0, plan::Type::integer);
  plan.exact.rows = plan::rebuilt(rows);
}

// Rows of one person meet those of all others.
void join_everybody(PricedPlan& plan) {
  plan::Flat rows = plan::flat(plan.exact.rows);
  const plan::Node& right = *rows.base;
  plan::Join join = std::get<plan::Join>(right.step());
  join.equal.clear();
  rows.base = std::make_shared<const plan::Node>(
      plan::Node::Parts{join, right.columns(), right.owner(), right.tables(), right.most_rows(), right.drops_rows()});
  plan.exact.rows = plan::rebuilt(rows);
}

// Each part of a union has limits of its own.
void bound_each_part(PricedPlan& plan) {
  const auto parts = std::get<plan::Union>(plan::flat(plan.exact.rows).base->step()).inputs.size();
  for (plan::Measure& measure : plan.exact.measures) measure.total_high *= static_cast<Int128>(parts);
}

struct CarelessPlan {
  std::string_view claim;
  void (*spoil)(PricedPlan&);
  std::string_view only = "";  // statements with this in them
};
constexpr CarelessPlan kCarelessPlans[] = {
    {"sql-count", leave_totals},
    {"sql-count-values", leave_totals},
    {"sql-count-units", count_rows_for_units},
    {"sql-sum", leave_totals},
    {"sql-avg", leave_totals},
    {"sql-variance", leave_totals},
    {"sql-public-keys", leave_totals},
    {"sql-public-keys", leave_keys, "day, grade"},
    {"sql-public-keys", reuse_noise, "COUNT(*), SUM"},
    {"sql-unknown-keys", leave_keys, "FROM visits"},
    {"sql-unknown-keys", show_keys_early},
    {"sql-join", leave_totals},
    {"sql-join", join_everybody, "JOIN people"},
    {"sql-union", bound_nothing},
    {"sql-union", bound_each_part, "SELECT COUNT(*)"},
    {"sql-distinct", leave_totals},
    {"sql-foreign-key", take_orders_for_people},
    {"sql-row-unit", count_values_often},
    {"sql-rows-unit", count_values_often},
};

// Every row without a unit counts as somebody.
std::string with_owners(const std::string& text) {
  std::string owned;
  std::istringstream lines(text);
  int next = 1000;
  for (std::string line; std::getline(lines, line);)
    owned += (line.starts_with(",") ? std::to_string(next++) : "") + line + "\n";
  return owned;
}

}  // namespace

std::vector<Subject> statement_mutants_of(const audit::Attack& attack, const SqlSubject& statement) {
  if (statement.whole) return answer_mutants_of(attack, statement);
  std::vector<Subject> mutants;
  const auto add = [&](const SqlSubject& mutant) { mutants.emplace_back(std::make_shared<const SqlSubject>(mutant)); };
  SqlSubject mutant = statement;
  for (const CarelessPlan& one : kCarelessPlans) {
    if (one.claim != attack.claim || statement.statement.find(one.only) == std::string::npos) continue;
    mutant.spoil = one.spoil;
    add(mutant);
  }
  if (attack.claim == "sql-count") {
    mutant = statement;
    for (audit::SqlPair& pair : mutant.pairs) {
      for (audit::CsvTables* tables : {&pair.x, &pair.y})
        (*tables)["visits.csv"] = with_owners((*tables)["visits.csv"]);
    }
    add(mutant);
  }
  return mutants;
}

}  // namespace dither::testing
