#include "calculus/norm_sum.h"

#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "calculus/detail/contributions.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

// The greatest whole number whose square is at most x >= 0.
Int128 whole_root(const Rational& x) {
  Rational whole;
  mpz_tdiv_q(mpq_numref(whole.get()), mpq_numref(x.get()), mpq_denref(x.get()));
  mpz_sqrt(mpq_numref(whole.get()), mpq_numref(whole.get()));
  return whole.floor();
}

Int128 with_sign_of(Int128 v, Int128 size) { return v < 0 ? -size : size; }

struct Work {
  std::map<std::string, std::size_t> keys;
  std::size_t column;
  detail::Gridded gridded;
  MetricKind norm;
  Rational bound;

  Data operator()(const Data& data) const {
    std::map<std::string, Integers> units;
    for (const Row& row : as<Table>(data)) {
      const auto key = keys.find(canonical(row[1]));
      const std::optional<Int128> value = gridded(row[column]);
      if (detail::is_missing(row[0]) || key == keys.end() || !value) continue;
      Integers& totals = units.try_emplace(canonical(row[0]), keys.size()).first->second;
      totals[key->second] += *value;
    }
    Integers sum(keys.size());
    for (const auto& [unit, totals] : units) {
      const Integers inside = detail::into_ball(totals, norm, bound);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += inside[i];
    }
    return sum;
  }
};

// How far the sum moves for one unit, squared for l2.
Rational reach_of_one(const Metric& from, MetricKind norm, const Rational& bound, bool one_sign) {
  const bool square = norm == MetricKind::l2;
  Rational added = square ? bound * bound : bound;
  if (from == Metric{MetricKind::units_added}) return added;
  if (one_sign && norm != MetricKind::l1) return square ? 2 * added : added;
  return square ? 4 * added : 2 * added;
}

}  // namespace

namespace detail {

Integers into_ball(const Integers& vector, MetricKind norm, const Rational& bound) {
  Integers inside;
  Rational size = 0;  // the norm, for l2 its square
  for (const Int128 v : vector) {
    const Rational x = abs(Rational(v));
    size = norm == MetricKind::linf ? std::max(size, x) : size + (norm == MetricKind::l2 ? x * x : x);
  }
  if (size <= (norm == MetricKind::l2 ? bound * bound : bound)) return vector;
  for (const Int128 v : vector) {
    const Rational x = abs(Rational(v));
    Int128 shorter;
    if (norm == MetricKind::linf) {
      shorter = std::min(x, bound).floor();
    } else if (norm == MetricKind::l1) {
      shorter = (x * bound / size).floor();
    } else {
      shorter = whole_root(x * x * bound * bound / size);
    }
    inside.push_back(with_sign_of(v, shorter));
  }
  return inside;
}

}  // namespace detail

AnyTransformation make_norm_sum_by_key(const TableDomain& table, const Metric& from, const std::vector<Cell>& keys,
                                       const Values& values, MetricKind norm, const Rational& bound) {
  constexpr std::string_view name = "norm-sum-by-key";
  detail::require_units(from, name);
  detail::require_columns(table, 2, name);
  if (norm == MetricKind::cells) detail::no_theorem({norm}, name, "name one norm: l1, l2 or linf");
  detail::require_narrowing(norm, name);
  if (values.centred || values.finer) detail::no_theorem(from, name, "give values that are neither centred nor scaled");
  if (bound.sign() <= 0 || bound > Rational::power_of_two(62)) {
    throw Error{Code::bad_bounds, fmt::format("{}: the bound {} is not in (0, 2^62]", name, bound.str()),
                "give a positive number of steps"};
  }
  Work work{{}, table.column(values.column), detail::Gridded(values.bounds, values.step), norm, bound};
  if (!detail::is_number(table.columns[work.column].type)) {
    throw Error{Code::wrong_type, fmt::format("{}: column \"{}\" is not a number", name, values.column),
                "cast it first, or name a column of numbers"};
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (work.keys.emplace(canonical(keys[i]), i).second) continue;
    throw Error{Code::duplicate_key, fmt::format("{}: the public keys have one twice", name), "give each key once"};
  }
  const bool one_sign = work.gridded.low() >= 0 || work.gridded.high() <= 0;
  const Rational one = reach_of_one(from, norm, bound, one_sign);
  return AnyTransformation({
      .recipe = {std::string(name),
                 {{"keys", detail::spelled(keys)},
                  {"column", values.column},
                  {"low", values.bounds.low},
                  {"high", values.bounds.high},
                  {"step", values.step},
                  {"norm", metric_name({norm})},
                  {"bound", bound}}},
      .input = table,
      .output = VectorDomain{.dimension = keys.size(), .step = values.step},
      .from = from,
      .to = {norm},
      .map = [one, norm](const Distance& d) -> Distance {
        return norm == MetricKind::l2 ? one * number(d) * number(d) : one * number(d);
      },
      .function = std::move(work),
  });
}

void add_norm_sum_makers(Makers& makers) {
  makers.transformations["norm-sum-by-key"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                                 const Makers&) {
    const Values values{recipe.text("column"), {recipe.number("low"), recipe.number("high")}, recipe.number("step")};
    return make_norm_sum_by_key(detail::table_domain(input), from, detail::cells_from(recipe.texts("keys")), values,
                                metric_from(recipe.text("norm")).kind, recipe.number("bound"));
  };
}

}  // namespace dither::calculus
