#include "audit/promise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "audit/channel.h"
#include "testing/refusal.h"

namespace dither::audit {
namespace {

TEST(Promise, ReadsEveryFormOfClaim) {
  EXPECT_EQ(Promise::from_text("1.0").pure_epsilon(), 1.0);
  EXPECT_EQ(Promise::from_text("eps=0.5").pure_epsilon(), 0.5);
  const Promise approximate = Promise::from_text("eps=1,delta=1e-6");
  EXPECT_EQ(Promise::from_text("delta=1e-6,eps=1").str(), approximate.str());
  EXPECT_FALSE(approximate.pure_epsilon().has_value());
  EXPECT_NEAR(approximate.delta(1), 1e-6, 1e-18);
  EXPECT_NEAR(Promise::from_text("mu=1").delta(1), 0.12693673750664, 1e-11);
  EXPECT_LE(Promise::from_text("mu=1").delta(1), Promise::from_text("rho=0.5").delta(1));
  EXPECT_EQ(approximate.str(), "epsilon 1, delta 1e-06");
}

TEST(Promise, IsACurveThatFalls) {
  for (const char* text : {"1.0", "eps=1,delta=1e-6", "rho=0.5", "mu=1"}) {
    const Promise promise = Promise::from_text(text);
    double before = 1;
    for (double epsilon = 0; epsilon < 8; epsilon += 0.25) {
      const double delta = promise.delta(epsilon);
      EXPECT_LE(delta, before) << text << " at " << epsilon;
      before = delta;
    }
    ASSERT_EQ(promise.epsilons().size(), promise.deltas().size());
  }
}

// However much a curve allows, testers look where it forbids something: one run in ten shows everything, which no curve here
// allows. Mechanisms that just keep a curve are not refuted.
TEST(Promise, CurvesAreTestedWhereTheyFall) {
  const Channel leak({"x", "y"}, {"nothing", "x", "y"},
                     {{Rational(9, 10), Rational(1, 10), 0}, {Rational(9, 10), 0, Rational(1, 10)}}, Adjacency::all());
  std::vector<Promise> promises;
  for (const char* claim : {"rho=1e-6", "rho=0.01", "rho=1", "rho=3", "rho=4", "rho=10", "rho=30", "rho=300",
                            "mu=0.001", "mu=1", "mu=3.3", "mu=4", "mu=10", "mu=20", "mu=30"})
    promises.push_back(Promise::from_text(claim));
  for (const char* scale : {"0.2", "0.01"}) {
    const std::string text =
        fmt::format("{{neighbours: add-remove, events: [{{mechanism: laplace, scale: {}}}]}}", scale);
    promises.push_back(Promise::from_document(text, "a text"));
  }
  promises.emplace_back(accounting::ConcentratedDp{4, {1, 100}});  // whose delta never falls below .01
  for (const Promise& promise : promises) {
    EXPECT_EQ(test_channel(leak, promise).verdict, Verdict::violated) << promise.str() << promise.epsilons().back();
    const auto& deltas = promise.deltas();
    EXPECT_GE(std::count_if(deltas.begin(), deltas.end(), [](double d) { return d > 1e-8 && d < 0.9; }), 5)
        << promise.str();
  }
}

// What allows everything can be claimed, and not refuted.
TEST(Promise, OfEverythingHasPointsToo) {
  for (const char* claim : {"rho=1e6", "rho=1e100", "mu=1e50"}) {
    const Promise promise = Promise::from_text(claim);
    EXPECT_EQ(promise.epsilons().back(), 700) << claim;
    EXPECT_EQ(promise.deltas().back(), 1) << claim;
  }
}

TEST(Promise, ReadsCurvesAndListsOfReleasesFromFiles) {
  const auto path = std::filesystem::temp_directory_path() / "dither-promise-test.json";
  const accounting::Curve curve = accounting::GaussianDp{1};
  std::ofstream(path) << accounting::canonical_json(curve);
  EXPECT_EQ(accounting::canonical_json(Promise::from_text(path.string()).curve()), accounting::canonical_json(curve));
  std::ofstream(path) << "neighbours: add-remove\nevents:\n  - {mechanism: gaussian, sigma: 1}\n";
  const Promise list = Promise::from_text(path.string());
  EXPECT_NEAR(list.delta(1), 0.127, 0.01);
  EXPECT_GE(list.delta(1), Promise::from_text("mu=1").delta(1));
  std::filesystem::remove(path);
  const std::string text = "{neighbours: add-remove, events: [{mechanism: gaussian, sigma: 1}]}";
  EXPECT_EQ(Promise::from_document(text, "a text").deltas(), list.deltas());
}

TEST(Promise, RefusesOtherWords) {
  EXPECT_EQ(testing::refusal([] { Promise::from_text("strong"); }), Code::bad_argument);
  for (const char* text : {"delta=1e-6", "delta=1e-6,1", "eps=1,", "eps=1,rho=1"}) {
    EXPECT_EQ(testing::refusal([&] { Promise::from_text(text); }), Code::bad_argument) << text;
  }
  EXPECT_EQ(testing::refusal([] { Promise::from_text(::testing::TempDir()); }), Code::bad_argument);  // a folder
  for (const char* text : {"1e400", "eps=1e101", "rho=1e400", "mu=1e200"}) {
    EXPECT_EQ(testing::refusal([&] { Promise::from_text(text); }), Code::out_of_range) << text;
  }
  EXPECT_EQ(testing::refusal([] { Promise::from_text(""); }), Code::bad_argument);
  EXPECT_EQ(testing::refusal([] { Promise::from_text("-1"); }), Code::out_of_range);
  EXPECT_EQ(testing::refusal([] { Promise::from_text("eps=1,delta=2"); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([] { Promise::from_text("eps=1,rho=2"); }), Code::bad_argument);
  EXPECT_EQ(testing::refusal([] { Promise::from_text("eps=nan"); }), Code::bad_number);
  EXPECT_EQ(testing::refusal([] { Promise::of(calculus::OtherLoss{1}); }), Code::no_theorem);
}

}  // namespace
}  // namespace dither::audit
