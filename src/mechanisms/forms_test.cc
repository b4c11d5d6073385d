#include "mechanisms/forms.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "calculus/all_makers.h"
#include "mechanisms/all_makers.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using K = ParameterKind;

Makers all_makers() {
  Makers all;
  calculus::add_makers(all);
  mechanisms::add_makers(all);
  return all;
}

std::vector<Form> all_forms() {
  std::vector<Form> all(forms().begin(), forms().end());
  all.insert(all.end(), calculus::forms().begin(), calculus::forms().end());
  return all;
}

// A value of each kind, good enough for every mechanism; the few that need another have it here.
Recipe::Value sample(const std::string& form, const Parameter& parameter) {
  static const std::map<std::string, Recipe::Value> special = {
      {"real-gaussian measure", std::string("concentrated")}, {"k-norm matrix", std::vector<Rational>{1, 1, 0, 1}},
      {"partition-selection delta", Rational(1, 1000)},       {"sparse-histogram ratio", Rational(1, 2)},
      {"distributed-binomial colluding", Rational(0)},        {"sparse-histogram threshold", Rational(10)},
  };
  const auto found = special.find(form + " " + parameter.name);
  if (found != special.end()) return found->second;
  if (parameter.kind == K::keys) return spelled(K::keys, {Cell(std::int64_t{1}), Cell("a")});
  return parameter.name == "epsilon" || parameter.name == "colluding" ? Rational(1) : Rational(2);
}

Domain domain_of(const Form& form) {
  if (form.takes == Takes::keyed) return KeyedDomain{};
  VectorDomain vector{.bounds = bounds(0, 10)};
  if (!form.size.empty()) vector.dimension = form.size == "1" ? 1 : 2;
  return vector;
}

std::set<std::string> names(const Recipe::Parameters& parameters) {
  std::set<std::string> all;
  for (const auto& [name, value] : parameters) all.insert(name);
  return all;
}
std::set<std::string> names(const Form& form) {
  std::set<std::string> all;
  for (const Parameter& parameter : form.parameters) all.insert(parameter.name);
  return all;
}

TEST(Forms, AreThoseOfTheMakers) {
  std::set<std::string> listed, made;
  for (const Form& form : all_forms()) EXPECT_TRUE(listed.insert(form.name).second) << form.name;
  const Makers makers = all_makers();
  for (const auto& [name, maker] : makers.transformations) made.insert(name);
  for (const auto& [name, maker] : makers.measurements) made.insert(name);
  EXPECT_EQ(listed, made);
}

// Whoever fills a form has a mechanism, and the mechanism's own recipe has these parameters and no others.
TEST(Forms, MakeEveryMechanismOfTheRoom) {
  const Makers makers = all_makers();
  int made = 0;
  for (const Form& form : forms()) {
    if (form.takes == Takes::same_as_parts || !makers.measurements.contains(form.name)) continue;
    Recipe recipe{form.name};
    for (const Parameter& one : form.parameters) recipe.parameters.emplace_back(one.name, sample(form.name, one));
    const auto mechanism = make_measurement(recipe, domain_of(form), metric_from(form.metric), makers);
    EXPECT_EQ(names(mechanism.recipe().parameters), names(form)) << form.name;
    for (const Parameter& one : form.parameters) {  // and each of them is asked for
      Recipe without{form.name};
      for (const auto& [name, value] : recipe.parameters) {
        if (name != one.name) without.parameters.emplace_back(name, value);
      }
      EXPECT_EQ(testing::refusal([&] { make_measurement(without, domain_of(form), metric_from(form.metric), makers); }),
                Code::missing_key)
          << form.name << " without " << one.name;
    }
    ++made;
  }
  EXPECT_EQ(made, 18);
}

TEST(Forms, SpellCellsAsRecipesDo) {
  EXPECT_EQ(spelled(K::cell, {Cell(std::int64_t{-5})}), Recipe::Value(std::string("i-5")));
  EXPECT_EQ(spelled(K::bytes, {Cell("ab")}), Recipe::Value(std::string("t6162")));
  EXPECT_EQ(spelled(K::cells, {Cell("a"), Cell(true)}), Recipe::Value(std::vector<std::string>{"t61", "b1"}));
  EXPECT_EQ(spelled(K::names, {Cell("a")}), Recipe::Value(std::vector<std::string>{"t7461"}));
  EXPECT_EQ(spelled(K::keys, {Cell("a")}), Recipe::Value(std::vector<std::string>{"7461"}));
  EXPECT_EQ(testing::refusal([] { spelled(K::number, {Cell("a")}); }), Code::wrong_type);
}

}  // namespace
}  // namespace dither::mechanisms
