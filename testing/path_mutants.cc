#include "testing/path_mutants.h"

#include <string>
#include <string_view>

#include "audit/attacks/counts.h"
#include "audit/sql_subject.h"
#include "calculus/counting.h"
#include "calculus/rows.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/key_threshold.h"
#include "random/source.h"
#include "testing/calculus_access.h"
#include "testing/statement_mutants.h"
#include "testing/textbook_noise.h"
#include "testing/view_mutants.h"

namespace dither::testing {

using namespace calculus;  // NOLINT
using audit::Subject;
using audit::View;

namespace {

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

// The noise of textbooks on numbers in steps of 1/1024.
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
  if (const auto* statement = std::get_if<std::shared_ptr<const audit::SqlSubject>>(&subject))
    return statement_mutants_of(attack, **statement);
  return {};
}

}  // namespace dither::testing
