#include "mechanisms/more_noise_makers.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "mechanisms/binomial.h"
#include "mechanisms/distributed.h"
#include "mechanisms/k_norm.h"
#include "mechanisms/poisson_rows.h"
#include "mechanisms/skellam.h"
#include "mechanisms/staircase.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT

namespace {

const VectorDomain& vector_of(const Recipe& recipe, const Domain& input, const Metric& from) {
  if (from != Metric{MetricKind::l1}) {
    throw Error{Code::mixed_metrics, fmt::format("{} takes l1, not {}", recipe.name, metric_name(from)),
                "put a step before it whose distances are in l1"};
  }
  if (const auto* vector = std::get_if<VectorDomain>(&input)) return *vector;
  throw Error{Code::mixed_domains, fmt::format("{} takes integers, not {}", recipe.name, describe(input)),
              "put a step before it that gives integers"};
}

Int128 whole_number(const Recipe& recipe, const Rational& value, Int128 low, Int128 high) {
  if (value.is_integer() && value >= Rational(low) && value <= Rational(high)) return value.floor();
  throw Error{Code::bad_count, fmt::format("{} in the recipe of {} is no count", value.str(), recipe.name),
              "give the text that canonical_json wrote, unchanged"};
}
std::uint64_t count(const Recipe& recipe, std::string_view key) {
  return static_cast<std::uint64_t>(
      whole_number(recipe, recipe.number(key), 0, std::numeric_limits<std::int64_t>::max()));
}
Parties parties(const Recipe& recipe) { return {count(recipe, "parties"), count(recipe, "colluding")}; }

IntegerMatrix matrix(const Recipe& recipe) {
  const std::vector<Rational>& entries = recipe.numbers("matrix");
  const std::uint64_t rows = count(recipe, "rows");
  whole_number(recipe, Rational(static_cast<Int128>(entries.size())) / Rational(static_cast<Int128>(rows ? rows : 1)),
               1, std::numeric_limits<std::int64_t>::max());
  IntegerMatrix result(rows);
  for (std::size_t i = 0; i < entries.size() && rows > 0; ++i) {
    const Int128 entry = whole_number(recipe, entries[i], std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max());
    result[i / (entries.size() / rows)].push_back(static_cast<std::int64_t>(entry));
  }
  return result;
}

AnyMeasurement sampled(const Recipe& recipe, const Domain& input, const Metric& from, const Makers& makers) {
  if (recipe.parts.size() == 1) {
    return make_sampled(make_measurement(*recipe.parts[0], input, from, makers), recipe.number("rate"));
  }
  throw Error{Code::missing_key, "the recipe of a sample has no single part", "give what is measured of the sample"};
}

}  // namespace

void add_more_noise_makers(Makers& makers) {
  using In = const Domain&;
  using From = const Metric&;
  using All = const Makers&;
  makers.measurements["binomial"] = [](const Recipe& r, In input, From from, All) {
    return make_binomial(vector_of(r, input, from), count(r, "trials"), r.number("epsilon")).any();
  };
  makers.measurements["skellam"] = [](const Recipe& r, In input, From from, All) {
    return make_skellam(vector_of(r, input, from), r.number("variance"), r.number("epsilon")).any();
  };
  makers.measurements["staircase"] = [](const Recipe& r, In input, From from, All) {
    return make_staircase(vector_of(r, input, from), {r.number("epsilon"), count(r, "sensitivity"), count(r, "first")})
        .any();
  };
  makers.measurements["k-norm"] = [](const Recipe& r, In input, From from, All) {
    return make_k_norm(vector_of(r, input, from), matrix(r), r.number("epsilon")).any();
  };
  makers.measurements["distributed-binomial"] = [](const Recipe& r, In input, From from, All) {
    return make_distributed_binomial(vector_of(r, input, from), parties(r), count(r, "trials"), r.number("epsilon"))
        .any();
  };
  makers.measurements["distributed-skellam"] = [](const Recipe& r, In input, From from, All) {
    return make_distributed_skellam(vector_of(r, input, from), parties(r), r.number("variance"), r.number("epsilon"))
        .any();
  };
  makers.measurements["distributed-laplace"] = [](const Recipe& r, In input, From from, All) {
    return make_distributed_laplace(vector_of(r, input, from), parties(r), r.number("scale")).any();
  };
  makers.measurements["sample"] = sampled;
}

}  // namespace dither::mechanisms
