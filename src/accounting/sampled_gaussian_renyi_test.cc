#include "accounting/sampled_gaussian_renyi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "accounting/closed_forms_check.h"
#include "accounting/renyi_curves.h"
#include "accounting/sampling_renyi.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;
using Direction = SampledGaussianRenyi::Direction;

// Spec: O-14, A-53
TEST(SampledGaussianRenyi, Oracles) {
  const SampledGaussianRenyi curve(1 / 1.1, 256 / 60000.0);
  const double expected[][2] = {{1.25, 1.4538842929907e-5}, {1.5, 1.74797844629e-5},     {2.5, 2.93580702818e-5},
                                {8.8, 1.08964300759525e-4}, {10.5, 1.32165411307523e-4}, {2, 2.33957760099e-5},
                                {4, 4.75333523611e-5},      {8, 9.8341061779926e-5},     {16, .791891432781896},
                                {32, 7.59018834621},        {64, 20.90274077919}};
  for (const auto& [order, divergence] : expected) expect_close(curve(order), divergence, 1e-10);
}

// Spec
TEST(SampledGaussianRenyi, QuadratureEnclosesTheExactValue) {
  const std::tuple<double, double, double, Direction, const char*> expected[] = {
      {0.01, 1.0, 1.5, Direction::remove, "0.0001272537433274498388064434"},
      {0.01, 1.0, 1.5, Direction::add, "0.0001214759930640137874140575"},
      {0.3, 0.5, 7.25, Direction::remove, "0.1353988768737262215861913"},
      {0.3, 0.5, 7.25, Direction::add, "0.06279303858815722518710314"},
      {1e-06, 2.0, 3.5, Direction::remove, "9.394145696653008826016671e-11"},
      {1e-06, 2.0, 3.5, Direction::add, "9.341095267963726721298924e-11"},
      {0.9, 0.2, 1.05, Direction::remove, "0.01701647416468176126286071"},
      {0.05, 1.0, 20.5, Direction::remove, "7.100640498244609770034847"},
      {0.05, 1.0, 3.0, Direction::add, "0.004682713525413145981600719"},
      {0.5, 3.0, 2.5, Direction::remove, "10.09475702631151774230146"},
      {0.5, 3.0, 2.5, Direction::add, "0.6032759801696982509881791"},
      {0.001, 0.05, 11.9, Direction::remove, "1.489397826365819399246164e-8"}};
  for (const auto& [rate, mu, order, direction, divergence] : expected) {
    expect_just_above(SampledGaussianRenyi(mu, rate, direction)(order), divergence, 1e-9);
  }
}

// The Kullback-Leibler divergence is where orders near 1 end.
// Spec: A-45
TEST(SampledGaussianRenyi, NearOrderOne) {
  const SampledGaussianRenyi curve(1, .05);
  expect_close(curve(1.01), .00196460040925807, 1e-9);
  expect_close(curve(1 + 1e-6), .00194341273411151, 1e-6);
  EXPECT_GE(curve(1 + 1e-6), .00194341273411151);
  expect_close(SampledGaussianRenyi(1, .05, Direction::add)(1 + 1e-6), .00178906624150791, 1e-5);
}

// At whole orders the quadrature and the sum of A-52 are two proofs of one number: a step to the next double changes
// the method, not the value.
TEST(SampledGaussianRenyi, QuadratureMeetsTheWholeOrders) {
  for (const double sigma : {.3, .5, 1.0, 4.0, 50.0}) {
    for (const double rate : {1e-8, 1e-3, .05, .5, .95}) {
      const SampledGaussianRenyi curve(1 / sigma, rate);
      for (int order = 2; order <= 20; order += 3) {
        const double sum = curve(order);
        if (sum * (order - 1) > 600) continue;  // there the next whole order stands in
        expect_close(curve(steps_up(order, 1)), sum, 1e-10);
      }
    }
  }
}

// Spec
TEST(SampledGaussianRenyi, GrowsWithTheOrderAndStaysBetweenItsBounds) {
  for (const double mu : {.1, 1.0, 2.5}) {
    for (const double rate : {1e-4, .05, .6}) {
      const SampledGaussianRenyi remove(mu, rate);
      const SampledGaussianRenyi add(mu, rate, Direction::add);
      double before = 0;
      for (double order = 1.05; order < 40; order *= 1.17) {
        const double divergence = remove(order);
        EXPECT_GE(divergence, before * (1 - 1e-10));
        EXPECT_LE(divergence, gaussian_renyi_up(order, mu));
        EXPECT_GE(divergence * (1 + 1e-10),
                  poisson_renyi_floor_down(order, rate, gaussian_renyi_up(order, mu) * (1 - 1e-14)));
        EXPECT_LE(add(order), divergence * (1 + 1e-10));
        before = divergence;
      }
    }
  }
}

// Spec: A-54
TEST(SampledGaussianRenyi, ReverseDirectionIsSmaller) {
  const double forward = SampledGaussianRenyi(1, .05)(3);
  const double reverse = SampledGaussianRenyi(1, .05, Direction::add)(3);
  expect_close(std::exp(2 * forward), 1.0146284501432, 1e-11);
  expect_close(std::exp(2 * reverse), 1.0094094198927, 1e-11);
}

TEST(SampledGaussianRenyi, Limits) {
  EXPECT_EQ(SampledGaussianRenyi(1, 0)(2.5), 0);
  EXPECT_EQ(SampledGaussianRenyi(0, .5)(2.5), 0);
  EXPECT_EQ(SampledGaussianRenyi(1, 1)(2.5), 1.25);
  EXPECT_TRUE(std::isfinite(SampledGaussianRenyi(10, .01)(100.5)));  // the next whole order
  EXPECT_TRUE(std::isfinite(SampledGaussianRenyi(1e3, .01)(2.5)));
  EXPECT_GT(SampledGaussianRenyi(1e-30, 1e-3)(1.5), 0);
  EXPECT_EQ(SampledGaussianRenyi(1, .01)(2e6 + 0.5), gaussian_renyi_up(2e6 + 0.5, 1));
}

TEST(SampledGaussianRenyi, RefusesBadInput) {
  EXPECT_EQ(refusal([] { SampledGaussianRenyi(-1, .1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { SampledGaussianRenyi(1, 1.1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { SampledGaussianRenyi(1, .1)(1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
