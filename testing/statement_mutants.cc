#include "testing/statement_mutants.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "mechanisms/real_gaussian.h"
#include "plan/functions.h"
#include "random/source.h"
#include "testing/answer_mutants.h"
#include "testing/calculus_access.h"
#include "testing/textbook_noise.h"

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
  plan.exact.rows_per_unit.reset();
  for (plan::Measure& measure : plan.exact.measures) {
    measure.rows *= kFar;  // what scaling goes by
    measure.total_low = std::min<Int128>(0, measure.total_low * kFar);
    measure.total_high *= kFar;
  }
}

// The limit on the rows of all keys would hold beside it.
void leave_keys(PricedPlan& plan) {
  plan.exact.keys_per_unit = kFar;
  plan.exact.rows_per_unit.reset();
}

// Holes 20 and 51, the other way round.
void keep_a_key_more(PricedPlan& plan) { ++plan.exact.keys_per_unit; }

// A condition that the plan does not know of: rows are left out, and it counts on all of them.
void leave_rows_out(PricedPlan& plan) {
  plan::Flat rows = plan::flat(plan.exact.rows);
  rows.keep = plan::resolve("=", {plan::column(0, plan::Type::text), plan::constant({plan::Type::text, Cell{"p"}})});
  plan.exact.rows = plan::rebuilt(rows);
}

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
void show_keys(PricedPlan& plan, int early) {
  const AnyMeasurement& right = plan.keys->measurement;
  plan.keys->measurement = with_function(
      right, [show = CombinatorAccess::parts(right).function, early](const Data& units, random::Source& source) {
        Keyed more = as<Keyed>(units);
        for (Int128& value : more.values) value += early;
        return show(more, source);
      });
}
void show_keys_early(PricedPlan& plan) { show_keys(plan, kEarly); }
// Hole 2: shown at the threshold, and counted above it.
void show_keys_one_early(PricedPlan& plan) { show_keys(plan, 1); }

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

// Each number with normal noise spends the whole price: of eight, noise for the eighth part of what they move together.
void spend_all_on_each(PricedPlan& plan) {
  const Rational root_of_eight(14, 5);
  for (session::Part& part : plan.parts) {
    if (part.noise != session::Noise::real_gaussian) continue;
    const auto& domain = std::get<VectorDomain>(part.exact.output());
    part.measurement =
        mechanisms::make_real_gaussian(domain, part.scale / root_of_eight, MetricKind::cells, Measure::gaussian());
  }
}

// Every row belongs to the order, or the bill, that it names, and not to the person who has placed it.
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
  if (plan.exact.rows_per_unit) *plan.exact.rows_per_unit *= parts;
  for (plan::Measure& measure : plan.exact.measures) {
    measure.rows *= parts;
    measure.total_high *= static_cast<Int128>(parts);
  }
}

// The first column is the exact number, to which noise is added in doubles.
void add_doubles(SqlSubject& statement) {
  statement.spoil = [](PricedPlan& plan) {
    session::Part& sum = plan.parts.at(plan.estimates.at(0).sum.value());
    sum.measurement = with_function(*sum.measurement, [](const Data& exact, random::Source&) { return exact; });
  };
  statement.estimate = [right = statement.estimate](const PricedPlan& plan, const session::Released& released) {
    session::Estimated columns = right(plan, released);
    const session::Part& sum = plan.parts.at(plan.estimates.at(0).sum.value());
    double& shown = std::get<double>(columns.rows.at(0).at(plan.exact.keys));
    shown += (sum.scale * sum.unit).to_double_up() * textbook_laplace(random::Source::this_thread());
    return columns;
  };
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
    {"sql-cut-units", count_rows_for_units},
    {"sql-sum", leave_totals},
    {"sql-avg", leave_totals},
    {"sql-variance", leave_totals},
    {"sql-public-keys", leave_totals},
    {"sql-public-keys", leave_keys, "day, grade"},
    {"sql-public-keys", reuse_noise, "COUNT(*), SUM"},
    {"sql-public-keys", keep_a_key_more, "FROM people"},
    {"sql-public-keys", spend_all_on_each, "SUM(-score)"},
    {"sql-unknown-keys", leave_keys, "FROM visits"},
    {"sql-unknown-keys", show_keys_early},
    {"sql-unknown-keys", keep_a_key_more, "FROM people"},
    {"sql-unknown-keys", show_keys_one_early, "FROM people"},
    {"sql-join", leave_totals},
    {"sql-join", join_everybody, "JOIN people"},
    {"sql-union", bound_nothing},
    {"sql-union", bound_each_part, "SELECT COUNT(*)"},
    {"sql-distinct", leave_totals},
    {"sql-foreign-key", take_orders_for_people},
    {"sql-row-unit", count_values_often, "SUM(size)"},
    {"sql-row-unit", leave_rows_out, "SELECT COUNT(*) FROM logs"},
    {"sql-rows-unit", count_values_often, "SUM(size)"},
    {"sql-rows-unit", leave_rows_out, "SELECT COUNT(*) FROM any3"},
};

// What is done to the tables before they are read.

using audit::CsvTables;

std::string each_line(const std::string& text, const std::function<std::string(const std::string& line)>& changed) {
  std::string all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all += changed(line) + "\n";
  return all;
}

// Every row without a unit counts as somebody.
void give_each_an_owner(CsvTables& tables) {
  int next = 1000;
  tables["visits.csv"] = each_line(tables["visits.csv"], [&](const std::string& line) {
    return (line.starts_with(",") ? std::to_string(next++) : "") + line;
  });
}

// All rows without a unit, or with one that cannot be read, are one person's: COALESCE(person, 1000), in every table,
// so that they also meet each other in a join; orders of nobody, and those that are not there, are that person's too.
void take_nobody_for_one(CsvTables& tables) {
  const std::string one = "1000";
  for (const char* file : {"visits.csv", "people.csv"}) {
    tables[file] = each_line(tables[file], [&](const std::string& line) {
      return line.starts_with(",") || line.starts_with("NaN,") ? one + line.substr(line.find(',')) : line;
    });
  }
  tables["orders.csv"] = each_line(tables["orders.csv"],
                                   [&](const std::string& line) { return line.ends_with(",") ? line + one : line; }) +
                         "99," + one + "\n";
  tables["bills.csv"] = each_line(tables["bills.csv"],
                                  [](const std::string& line) { return (line.starts_with(",") ? "99" : "") + line; });
}

// The file is read up to some row: who stands first pushes others out.
void read_first_rows(CsvTables& tables) {
  int left = 13;
  std::string first;
  std::istringstream lines(tables["visits.csv"]);
  for (std::string line; left-- > 0 && std::getline(lines, line);) first += line + "\n";
  tables["visits.csv"] = first;
}

struct CarelessReading {
  std::string_view claim;
  void (*spoil)(CsvTables&);
  std::string_view only = "";
};
// Under add-remove: there one database alone has rows of nobody, and what they do adds to what the unit does. Twice as
// much is proven quickly of statements that are priced in epsilon.
constexpr CarelessReading kCarelessReadings[] = {
    {"sql-count", give_each_an_owner, "SELECT COUNT(*) FROM visits"},
    {"sql-count", take_nobody_for_one, "SELECT COUNT(*) FROM visits"},
    {"sql-count", read_first_rows, "SELECT COUNT(*) FROM visits"},
    {"sql-count-units", take_nobody_for_one, "SELECT COUNT(DISTINCT person) FROM visits"},
    {"sql-sum", take_nobody_for_one, "SELECT SUM(cost) FROM visits"},
    {"sql-join", take_nobody_for_one, "v JOIN visits w"},
    {"sql-union", take_nobody_for_one, "SELECT COUNT(*)"},
    {"sql-foreign-key", take_nobody_for_one, "SELECT COUNT(*), SUM"},
};

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
  if (statement.as_columns && attack.claim == "sql-sum") {
    mutant = statement;
    add_doubles(mutant);
    add(mutant);
  }
  for (const CarelessReading& one : kCarelessReadings) {
    const bool fits = one.claim == attack.claim && statement.statement.find(one.only) != std::string::npos;
    if (!fits || statement.relation != "add-remove" || !statement.wanted.epsilon) continue;
    mutant = statement;
    for (audit::SqlPair& pair : mutant.pairs) {
      one.spoil(pair.x);
      one.spoil(pair.y);
    }
    add(mutant);
  }
  return mutants;
}

}  // namespace dither::testing
