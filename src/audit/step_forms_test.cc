// The forms of transformations, against the steps that the verifier attacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "audit/attack.h"
#include "calculus/all_makers.h"
#include "mechanisms/all_makers.h"
#include "mechanisms/forms.h"

namespace dither::audit {
namespace {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

std::map<std::string, Form> forms_by_name() {
  std::map<std::string, Form> all;
  for (const Form& form : calculus::forms()) all.emplace(form.name, form);
  for (const Form& form : mechanisms::forms()) all.emplace(form.name, form);
  return all;
}

// Nothing when the recipe's parameters are those of the form, all that are not optional among them.
std::string complaint(const Recipe& recipe, const std::map<std::string, Form>& forms) {
  const auto form = forms.find(recipe.name);
  if (form == forms.end()) return "no form of " + recipe.name;
  for (const Parameter& one : form->second.parameters) {
    if (!one.optional && recipe.find(one.name) == nullptr) return recipe.name + " has no " + one.name;
  }
  for (const auto& given : recipe.parameters) {
    const auto& listed = form->second.parameters;
    const auto same = [&](const Parameter& one) { return one.name == given.first; };
    if (std::none_of(listed.begin(), listed.end(), same)) return recipe.name + " has a " + given.first;
  }
  return "";
}

void add_leaves(const Recipe& recipe, std::vector<Recipe>& leaves) {
  if (recipe.name != "chain") return leaves.push_back(recipe);
  for (const auto& part : recipe.parts) add_leaves(*part, leaves);
}

TEST(StepForms, AreThoseOfEveryStepThatIsAttacked) {
  const auto forms = forms_by_name();
  std::set<std::string> seen;
  for (const Attack& attack : all_attacks()) {
    if (attack.tester != "stability") continue;
    std::vector<Recipe> leaves;
    add_leaves(std::get<AnyTransformation>(attack.subject()).recipe(), leaves);
    for (const Recipe& leaf : leaves) {
      EXPECT_EQ(complaint(leaf, forms), "");
      seen.insert(leaf.name);
    }
  }
  Makers makers;
  calculus::add_makers(makers);
  mechanisms::add_makers(makers);
  for (const auto& [name, maker] : makers.transformations) EXPECT_TRUE(seen.contains(name)) << name;
}

TEST(StepForms, PlantedParametersAreCaught) {
  const auto forms = forms_by_name();
  EXPECT_EQ(complaint({"sort", {{"column", std::string("age")}}}, forms), "");
  EXPECT_EQ(complaint({"sort", {}}, forms), "sort has no column");
  EXPECT_EQ(complaint({"sort", {{"column", std::string("age")}, {"by", std::string("x")}}}, forms), "sort has a by");
  EXPECT_EQ(complaint({"sorted", {}}, forms), "no form of sorted");
}

}  // namespace
}  // namespace dither::audit
