#include "testing/path_mutants.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "audit/attacks/counts.h"
#include "audit/sql_subject.h"
#include "calculus/counting.h"
#include "calculus/rows.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/key_threshold.h"
#include "random/source.h"
#include "session/answer.h"
#include "testing/calculus_access.h"
#include "testing/view_mutants.h"

namespace dither::testing {

using namespace calculus;  // NOLINT
using audit::SqlSubject;
using audit::Subject;
using audit::View;
using session::PricedPlan;

namespace {

// Statements: what is done to a plan between its price and its run.

constexpr int kFar = 100;   // times what was declared
constexpr int kOften = 4;   // times that a value counts
constexpr int kEarly = 16;  // units fewer than a key should have to be shown

void leave_totals(PricedPlan& plan) {
  for (plan::Measure& measure : plan.exact.measures) {
    measure.total_low = std::min<Int128>(0, measure.total_low * kFar);
    measure.total_high *= kFar;
  }
}

void bound_nothing(PricedPlan& plan) {
  plan.exact.keys_per_unit = kFar;
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
    {"sql-public-keys", reuse_noise, "COUNT(*), SUM"},
    {"sql-unknown-keys", show_keys_early},
    {"sql-join", leave_totals},
    {"sql-union", bound_nothing},
    {"sql-distinct", leave_totals},
    {"sql-foreign-key", leave_totals},
    {"sql-row-unit", count_values_often},
    {"sql-rows-unit", count_values_often},
};

double number_of(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&cell);
  return real != nullptr ? *real : 0;
}

std::string key_of(const std::vector<Cell>& row) { return canonical(std::span(row).first(1)); }

// What a question at next to no noise tells.
session::Answer true_answer(session::Session& session, const std::string& text, sql::Wanted wanted,
                            const session::Ask& ask) {
  wanted.epsilon = Rational(2000);
  return sql::query(session, text, wanted, ask);
}

// Rows in the order of the true numbers of one column.
session::Answer in_true_order(session::Session& session, const std::string& text, const sql::Wanted& wanted,
                              const session::Ask& ask) {
  constexpr std::size_t kSum = 4;  // SUM(cost)
  std::map<std::string, double> sums;
  for (const auto& row : true_answer(session, text, wanted, ask).rows) sums[key_of(row)] = number_of(row[kSum]);
  session::Answer answer = sql::query(session, text, wanted, ask);
  std::stable_sort(answer.rows.begin(), answer.rows.end(),
                   [&](const auto& one, const auto& other) { return sums[key_of(one)] > sums[key_of(other)]; });
  return answer;
}

// HAVING, ORDER BY and LIMIT see true numbers; those that are shown have noise.
session::Answer chosen_by_true_numbers(session::Session& session, const std::string& text, const sql::Wanted& wanted,
                                       const session::Ask& ask) {
  const session::Answer chosen = true_answer(session, text, wanted, ask);
  session::Answer noisy = sql::query(session, text.substr(0, text.find(" HAVING")), wanted, ask);
  std::map<std::string, std::vector<Cell>> by_key;
  for (const auto& row : noisy.rows) by_key[key_of(row)] = row;
  noisy.rows.clear();
  for (const auto& row : chosen.rows) noisy.rows.push_back(by_key.at(key_of(row)));
  return noisy;
}

// Every row without a unit counts as somebody.
std::string with_owners(const std::string& text) {
  std::string owned;
  std::istringstream lines(text);
  int next = 1000;
  for (std::string line; std::getline(lines, line);)
    owned += (line.starts_with(",") ? std::to_string(next++) : "") + line + "\n";
  return owned;
}

std::vector<Subject> careless(const audit::Attack& attack, const SqlSubject& statement) {
  std::vector<Subject> mutants;
  const auto add = [&](const SqlSubject& mutant) { mutants.emplace_back(std::make_shared<const SqlSubject>(mutant)); };
  SqlSubject mutant = statement;
  if (statement.whole) {
    const bool sorts = attack.name == "sql-public-keys: all aggregates, whole answers";
    const bool chooses = attack.claim == "sql-above";
    mutant.query = sorts ? in_true_order : chosen_by_true_numbers;
    if (sorts || chooses) add(mutant);
    return mutants;
  }
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

// Measurements: what is answered instead.

using Ask = decltype(View::ask);

Ask release_of(const AnyMeasurement& other) {
  return [other](const Private& data, random::Source& source) { return other.release(data, source).value(); };
}

// One draw for all coordinates.
Ask with_one_draw(const Ask& right) {
  return [right](const Private& data, random::Source& source) -> Data {
    Integers all = as<Integers>(look(data));
    const Data noise = right(Private(Integers(all.size(), 0)), source);
    for (Int128& x : all) x += as<Integers>(noise)[0];
    return all;
  };
}

// The noise of textbooks on numbers in steps of 1/1024, in doubles: by a logarithm, or after Box and Muller.
double uniform(random::Source& source) { return static_cast<double>(source.word() >> 11) * 0x1p-53; }
double textbook_laplace(random::Source& source) {
  const double u = uniform(source) - 0.5;
  return u < 0 ? std::log1p(2 * u) : -std::log1p(-2 * u);
}
double textbook_normal(random::Source& source) {
  return std::sqrt(-2 * std::log(1 - uniform(source))) * std::cos(6.283185307179586 * uniform(source));
}
Ask in_doubles(double scale, double (*noise)(random::Source&)) {
  return [scale, noise](const Private& data, random::Source& source) -> Data {
    return Reals{static_cast<double>(as<Integers>(look(data)).at(0)) / 1024 + scale * noise(source)};
  };
}

AnyMeasurement sum_with_wide_clamp() {
  const Metric symmetric{MetricKind::symmetric};
  const AnyTransformation clamp = make_clamp({{{"x", CellType::real}}}, symmetric, "x", {-30, 20}, NanPolicy::null);
  return chain(chain(clamp, make_sum(std::get<TableDomain>(clamp.output()), symmetric, "x", 1)),
               mechanisms::make_discrete_laplace({1}, 3).any());
}

struct CarelessAnswer {
  std::string_view attack;
  Ask (*ask)(const Ask& right);
};
const CarelessAnswer kCarelessAnswers[] = {
    {"discrete-laplace: two of three numbers", with_one_draw},
    {"laplace: as doubles", [](const Ask&) { return in_doubles(10, textbook_laplace); }},
    {"real-gaussian: as doubles", [](const Ask&) { return in_doubles(10, textbook_normal); }},
    {"laplace-threshold: a key of one unit",
     [](const Ask&) {
       return release_of(mechanisms::make_laplace_threshold({}, {1, 3}).any());
     }},
    {"chain: a clamped sum", [](const Ask&) { return release_of(sum_with_wide_clamp()); }},
    {"sample: a count of a third of the rows", [](const Ask&) { return release_of(audit::counts::count(2)); }},
};

std::vector<Subject> careless(const audit::Attack& attack, const View& view) {
  std::vector<Subject> mutants = view_mutants_of(attack, view);
  for (const CarelessAnswer& one : kCarelessAnswers) {
    if (one.attack != attack.name) continue;
    View mutant = view;
    mutant.ask = one.ask(view.ask);
    mutants.emplace_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace

std::vector<Subject> path_mutants_of(const audit::Attack& attack) {
  const Subject subject = attack.subject();
  if (const auto* view = std::get_if<View>(&subject)) return careless(attack, *view);
  if (const auto* statement = std::get_if<std::shared_ptr<const SqlSubject>>(&subject))
    return careless(attack, **statement);
  return {};
}

}  // namespace dither::testing
