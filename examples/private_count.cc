// How many visits took half an hour or longer? Each person counts with at most three of them.
#include <fmt/format.h>

#include "calculus/aggregates.h"
#include "calculus/rows.h"
#include "mechanisms/discrete_laplace.h"
#include "random/source.h"

int main() {
  using namespace dither;            // NOLINT
  using namespace dither::calculus;  // NOLINT

  // What is public: the columns, the first of which says whose row it is, and what a neighbour is.
  const TableDomain visits{{{"person", CellType::text}, {"minutes", CellType::integer}}};
  const Metric people{MetricKind::units_added};

  // The plan. Nothing is read; each step checks that it fits behind the one before.
  const AnyTransformation is_long = make_filter(visits, people, "minutes", Comparison::at_least, 30);
  const auto& long_ones = std::get<TableDomain>(is_long.output());
  const AnyTransformation count = make_total_count(long_ones, is_long.to(), /*rows=*/3, MetricKind::l1);
  const auto& total = std::get<VectorDomain>(count.output());
  const AnyMeasurement noise = mechanisms::make_discrete_laplace(total, /*scale=*/6).any();
  const AnyMeasurement plan = chain(is_long, chain(count, noise));

  // What it costs, as a function of how many people are protected together.
  for (int d : {1, 2, 10}) fmt::print("{} changed: {}\n", d, str(plan.loss(Rational(d))));
  fmt::print("{}\n", canonical_json(plan.recipe()));

  // The data goes in, one release comes out.
  Table rows;
  for (int person = 0; person < 1000; ++person) {
    for (int minutes : {10, 35, 50}) rows.push_back({fmt::format("p{}", person), std::int64_t{minutes}});
  }
  const Release<Data> released = plan.release(Private(rows), random::Source::this_thread());
  const Int128 answer = as<Integers>(released.value()).at(0);
  const ErrorBar bar = plan.error(answer).value();
  fmt::print("about {} long visits, 95% between {} and {}\n", to_string(answer), bar.low.str(), bar.high.str());
}
