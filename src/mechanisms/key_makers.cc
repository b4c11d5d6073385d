#include "mechanisms/key_makers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mechanisms/detail/key_names.h"
#include "mechanisms/histogram.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "mechanisms/set_union.h"
#include "mechanisms/sparse_histogram.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

template <class D>
const D& domain_as(const Domain& input, const Recipe& recipe) {
  if (const D* found = std::get_if<D>(&input)) return *found;
  throw Error{Code::mixed_domains, fmt::format("{} does not take {}", recipe.name, describe(input)),
              "chain it behind a step that gives what it takes"};
}

void require_metric(const Metric& from, MetricKind wanted, const Recipe& recipe) {
  if (from == Metric{wanted}) return;
  throw Error{Code::mixed_metrics,
              fmt::format("{} takes distances in {}, not in {}", recipe.name, metric_name({wanted}), metric_name(from)),
              "chain it behind a step that is measured so"};
}

std::uint64_t count_of(const Recipe& recipe, std::string_view key) {
  const Rational& value = recipe.number(key);
  if (!value.is_integer() || value.sign() < 0 || value >= Rational::power_of_two(63)) {
    throw Error{Code::bad_count, fmt::format("{} of {} is {}, but is a whole number", key, recipe.name, value.str()),
                "write a whole number"};
  }
  return static_cast<std::uint64_t>(value.floor());
}

KeyThreshold rule_of(const Recipe& recipe) {
  const Rational& threshold = recipe.number("threshold");
  if (!threshold.is_integer()) {
    throw Error{Code::bad_limit, fmt::format("the threshold {} is no whole number", threshold.str()),
                "write a whole number"};
  }
  return {recipe.number("scale"), threshold.floor()};
}

KeyedDomain public_keys(const Recipe& recipe, const Domain& input) {
  return {.keys = detail::keys_from(recipe.texts("keys")), .step = domain_as<KeyedDomain>(input, recipe).step};
}

AnyMeasurement laplace_histogram(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  const KeyedDomain domain = public_keys(recipe, input);
  if (from.kind == MetricKind::cells) return make_laplace_histogram<Cells>(domain, recipe.number("scale")).any();
  require_metric(from, MetricKind::l1, recipe);
  return make_laplace_histogram<L1>(domain, recipe.number("scale")).any();
}

AnyMeasurement gaussian_histogram(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  const KeyedDomain domain = public_keys(recipe, input);
  if (from.kind == MetricKind::cells) return make_gaussian_histogram<Cells>(domain, recipe.number("sigma")).any();
  require_metric(from, MetricKind::l2, recipe);
  return make_gaussian_histogram<L2>(domain, recipe.number("sigma")).any();
}

AnyMeasurement laplace_threshold(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  require_metric(from, MetricKind::cells, recipe);
  return make_laplace_threshold(domain_as<KeyedDomain>(input, recipe), rule_of(recipe)).any();
}

AnyMeasurement gaussian_threshold(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  require_metric(from, MetricKind::cells, recipe);
  return make_gaussian_threshold(domain_as<KeyedDomain>(input, recipe), rule_of(recipe)).any();
}

AnyMeasurement partition_selection(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  require_metric(from, MetricKind::cells, recipe);
  return make_partition_selection(domain_as<KeyedDomain>(input, recipe), recipe.number("epsilon"),
                                  recipe.number("delta"), count_of(recipe, "keys"))
      .any();
}

AnyMeasurement sparse_histogram(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  domain_as<KeyedDomain>(input, recipe);
  const std::uint64_t size = count_of(recipe, "size");
  const SparseRule rule{recipe.number("ratio"), static_cast<Int128>(count_of(recipe, "threshold"))};
  if (from.kind == MetricKind::cells) return make_sparse_histogram<Cells>(size, rule).any();
  require_metric(from, MetricKind::l1, recipe);
  return make_sparse_histogram<L1>(size, rule).any();
}

AnyTransformation greedy_votes(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  return make_greedy_votes(domain_as<TableDomain>(input, recipe), from, count_of(recipe, "cutoff"));
}

}  // namespace

void add_key_makers(Makers& makers) {
  makers.measurements["laplace-histogram"] = laplace_histogram;
  makers.measurements["gaussian-histogram"] = gaussian_histogram;
  makers.measurements["laplace-threshold"] = laplace_threshold;
  makers.measurements["gaussian-threshold"] = gaussian_threshold;
  makers.measurements["partition-selection"] = partition_selection;
  makers.measurements["sparse-histogram"] = sparse_histogram;
  makers.transformations["greedy-votes"] = greedy_votes;
}

}  // namespace dither::mechanisms
