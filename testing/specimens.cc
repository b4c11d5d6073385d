#include "testing/specimens.h"

#include <gtest/gtest.h>

#include "testing/printers.h"
#include "testing/seed.h"
#include "testing/stability.h"

namespace dither::testing {

using namespace calculus;  // NOLINT

namespace {

// d steps of the metric; of cells as far as one that moves by d.
Distance steps(const Metric& metric, long d) {
  if (metric.kind != MetricKind::cells) return Rational(d);
  return CellsDistance{d, d, Rational(d) * d, d};
}

constexpr long kDistances[] = {0, 1, 3, 1'000'000};

void expect_same_from_recipe(const AnyTransformation& step, const Makers& makers) {
  const Recipe recipe = recipe_from_json(canonical_json(step.recipe()));
  const AnyTransformation again = make_transformation(recipe, step.input(), step.from(), makers);
  EXPECT_EQ(canonical_json(again.recipe()), canonical_json(step.recipe()));
  EXPECT_TRUE(again.output() == step.output()) << describe(again.output());
  EXPECT_EQ(metric_name(again.to()), metric_name(step.to()));
  for (const long d : kDistances)
    EXPECT_EQ(str(again.map(steps(step.from(), d))), str(step.map(steps(step.from(), d))));
}

}  // namespace

void expect_sound(const AnyTransformation& step, const Makers& makers, Tight tight) {
  SCOPED_TRACE(canonical_json(step.recipe()) + " from " + metric_name(step.from()));
  StabilityReport report = check_stability(step, run_seed());
  const auto reached = [&] {
    return tight == Tight::no || (tight == Tight::somewhere ? report.tight : report.tight_at_one);
  };
  for (std::uint64_t more = 1; report.holds() && !reached() && more < 40; ++more) {  // the worst pair can be rare
    report = check_stability(step, run_seed() + more);
  }
  EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
  EXPECT_GT(report.pairs, stability_pairs() / 10);
  EXPECT_TRUE(reached()) << "largest ratio " << report.largest_ratio.str();
  EXPECT_EQ(str(step.map(steps(step.from(), 0))), str(zero(step.to())));
  EXPECT_TRUE(at_most(step.map(steps(step.from(), 1)), step.map(steps(step.from(), 3))));
  EXPECT_TRUE(at_most(step.map(steps(step.from(), 3)), step.map(steps(step.from(), 1'000'000))));
  expect_same_from_recipe(step, makers);
}

void expect_factor(const AnyTransformation& step, const Metric& to, const Rational& factor) {
  SCOPED_TRACE(canonical_json(step.recipe()) + " from " + metric_name(step.from()));
  EXPECT_EQ(metric_name(step.to()), metric_name(to));
  for (const long d : kDistances) EXPECT_EQ(number(step.map(steps(step.from(), d))), factor * Rational(d));
}

}  // namespace dither::testing
