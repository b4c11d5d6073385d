#include "accounting/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "accounting/event.h"

namespace dither::accounting {
namespace {

const MechanismEntry& entry(const std::vector<MechanismEntry>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const MechanismEntry& e) { return e.name == name; });
}

// Spec: B-31
TEST(Catalogue, NamesEveryKindOnceWithItsKeys) {
  const auto all = mechanism_catalogue();
  EXPECT_EQ(all.size(), std::variant_size_v<Mechanism::Kind>);
  EXPECT_EQ(entry(all, "gaussian").required, std::vector<std::string>{"sigma"});
  EXPECT_EQ(entry(all, "gaussian").optional, std::vector<std::string>{"sensitivity"});
  EXPECT_EQ(entry(all, "key-release").required, (std::vector<std::string>{"noise", "keys", "threshold"}));
  EXPECT_EQ(entry(all, "tree").required, (std::vector<std::string>{"sigma", "leaves"}));
}

TEST(Catalogue, KeysAreThoseOfTheCanonicalForm) {
  const auto all = mechanism_catalogue();
  const std::string text = canonical_json(Event{{}, Staircase{Rational(1), Rational(1, 2)}, 1});
  for (const std::string& key : entry(all, "staircase").required) {
    EXPECT_NE(text.find('"' + key + "\":"), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace dither::accounting
