#include "calculus/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "testing/refusal.h"

namespace dither::calculus {
namespace {

Registry claims() {
  Registry registry;
  add_catalogue_claims(registry);
  return registry;
}

// Spec: W-08
TEST(Catalogue, EveryStepHasAMakerAndAClaim) {
  Makers makers;
  add_catalogue_makers(makers);
  const Registry registry = claims();
  EXPECT_GE(makers.transformations.size(), 34u);
  EXPECT_EQ(makers.transformations.size(), registry.all().size());
  for (const auto& [name, make] : makers.transformations) EXPECT_NE(registry.find(name), nullptr) << name;
}

TEST(Catalogue, TestsThatClaimsNameExist) {
  std::string all;
  for (const char* room : {"/src/calculus", "/src/audit"}) {  // which attacks every step
    for (const auto& file : std::filesystem::directory_iterator(std::string(DITHER_SOURCE_DIR) + room)) {
      if (!file.path().string().ends_with("_test.cc")) continue;
      std::ostringstream text;
      text << std::ifstream(file.path()).rdbuf();
      all += text.str();
    }
  }
  const auto exists = [&](const std::string& name) {
    const std::size_t dot = name.find('.');
    return all.find("TEST(" + name.substr(0, dot) + ", " + name.substr(dot + 1) + ")") != std::string::npos;
  };
  EXPECT_FALSE(exists("Catalogue.NoSuchTest"));
  const Registry registry = claims();
  for (const Claim& claim : registry.all()) {
    for (const std::string& test : claim.testers) EXPECT_TRUE(exists(test)) << test;
    for (const std::string& test : claim.mutants) EXPECT_TRUE(exists(test)) << test;
  }
}

// A recipe from elsewhere is refused by name: the wrong kind of input, a metric without a theorem, a broken number.
TEST(Catalogue, RecipesThatDoNotFitAreRefused) {
  Makers makers;
  add_catalogue_makers(makers);
  const Metric symmetric{MetricKind::symmetric};
  const TableDomain table{{{"x", CellType::real}}};
  const auto make = [&](const Recipe& recipe, const Domain& input, const Metric& from) {
    return testing::refusal([&] { make_transformation(recipe, input, from, makers); });
  };
  EXPECT_EQ(make({"count"}, VectorDomain{}, symmetric), Code::mixed_domains);
  EXPECT_EQ(make({"count"}, table, {MetricKind::l1}), Code::no_theorem);
  EXPECT_EQ(make({"hamming-to-change-one"}, table, symmetric), Code::no_theorem);
  EXPECT_EQ(make({"resize", {{"rows", Rational(1, 2)}, {"padding", std::vector<std::string>{"n"}}}}, table, symmetric),
            Code::bad_count);
  EXPECT_EQ(make({"resize", {{"rows", Rational(2)}, {"padding", std::vector<std::string>{"what"}}}}, table, symmetric),
            Code::bad_syntax);
  EXPECT_EQ(make({"filter", {{"column", std::string("x")}}}, table, symmetric), Code::missing_key);
  EXPECT_EQ(make({"pad", {{"constants", std::vector<Rational>{Rational(1, 2)}}}}, VectorDomain{1}, {MetricKind::l1}),
            Code::bad_number);
  EXPECT_EQ(make({"linear-map",
                  {{"rows", Rational(2)}, {"entries", std::vector<Rational>{1, 2, 3}}, {"to", std::string("l1")}}},
                 VectorDomain{1}, {MetricKind::l1}),
            Code::bad_count);
}

}  // namespace
}  // namespace dither::calculus
