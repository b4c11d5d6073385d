#include "accounting/clt.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "accounting/closed_forms_check.h"
#include "accounting/optimal.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// There is no way from an estimate to a certificate.
// Spec: A-19
static_assert(!std::is_convertible_v<Estimate, Certified>);
static_assert(!std::is_constructible_v<Certified, Estimate>);
static_assert(!std::is_assignable_v<Certified&, Estimate>);
static_assert(!std::is_convertible_v<Estimate, double>);

// Spec: A-19, B-10
TEST(Clt, IsFarBelowTheTruth) {
  expect_close(clt_sgd_delta(1e-4, .4, 10000, 4).value, 1.3e-70, .05);  // the truth is 1.16832e-5
  expect_close(clt_sgd_mu(256 / 60000.0, 1.1, 14062).value, .5735810760359, 1e-11);
  expect_close(clt_sgd_epsilon(256 / 60000.0, 1.1, 14062, 1e-5).value, 2.3242688733);
  EXPECT_LT(clt_sgd_epsilon(256 / 60000.0, 1.1, 14062, 1e-5).value, 2.3815969);
  EXPECT_EQ(clt_sgd_mu(.01, 1, 1).method, "central limit theorem");
}

// Where a bound is needed it can fail: randomised response loses more.
// Spec: A-19
TEST(Clt, UnderstatesFewSteps) { EXPECT_LT(clt_pure_epsilon(.1, 10, .1).value, optimal_epsilon_down(.1, 0, 10, .1)); }

TEST(Clt, RefusesBadInput) {
  EXPECT_EQ(refusal([] { clt_sgd_mu(2, 1, 1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { clt_sgd_mu(.1, 0, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { clt_sgd_mu(.1, 1, 0); }), Code::bad_count);
  EXPECT_EQ(refusal([] { clt_pure_epsilon(-1, 1, .1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
