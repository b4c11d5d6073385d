#include "calculus/recipe.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

Recipe sample() {
  Recipe inner{"discrete-laplace", {{"scale", Rational(5, 2)}, {"exact", true}}};
  return {"chain",
          {{"bounds", std::vector<Rational>{0, Rational(-1, 3)}},
           {"title", std::string("5/2 \"quoted\" \n \u00e9")},
           {"keys", std::vector<std::string>{"a", ""}},
           {"none", std::vector<Rational>{}}},
          {std::make_shared<const Recipe>(inner), std::make_shared<const Recipe>(Recipe{"count"})}};
}

// Spec: W-26
TEST(Recipe, ReadsBackEqual) {
  const std::string text = canonical_json(sample());
  EXPECT_EQ(text, R"({"name":"chain","parameters":{"bounds":["0","-1/3"],"title":{"text":"5/2 \"quoted\" \n é"},)"
                  R"("keys":{"texts":["a",""]},"none":[]},"parts":[{"name":"discrete-laplace","parameters":)"
                  R"({"scale":"5/2","exact":true}},{"name":"count"}]})");
  EXPECT_TRUE(recipe_from_json(text) == sample());
  EXPECT_EQ(canonical_json(recipe_from_json(text)), text);
}

TEST(Recipe, GivesItsParametersByType) {
  const Recipe recipe = sample();
  EXPECT_EQ(recipe.numbers("bounds").at(1), Rational(-1, 3));
  EXPECT_EQ(recipe.texts("keys").size(), 2u);
  EXPECT_TRUE(recipe.parts[0]->truth("exact"));
  EXPECT_EQ(recipe.parts[0]->number("scale"), Rational(5, 2));
  EXPECT_EQ(refusal([&] { recipe.number("scale"); }), Code::missing_key);
  EXPECT_EQ(refusal([&] { recipe.number("title"); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { recipe.text("bounds"); }), Code::wrong_type);
  EXPECT_EQ(recipe.find("nobody"), nullptr);
}

TEST(Recipe, RefusesWhatItDoesNotWrite) {
  for (const char* text : {"",
                           "{}",
                           "[]",
                           "null",
                           "1",
                           "{\"name\":1}",
                           "{\"name\":\"x\" }",
                           "{\"name\":\"x\"} ",
                           "{\"name\":\"x\",\"name\":\"x\"}",
                           "{\"name\":\"x\",\"parameters\":{}}",
                           "{\"name\":\"x\",\"parts\":[]}",
                           "{\"name\":\"x\",\"other\":1}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":1}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"1.0\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"2/4\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"1/0\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"-\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"1e10000\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"nan\"}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":null}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":{\"text\":1}}}",
                           "{\"name\":\"x\",\"parameters\":{\"a\":\"1\",\"a\":\"1\"}}",
                           "{\"name\":\"x\",\"parameters\":[\"1\"]}",
                           "{\"name\":\"x\",\"parts\":{\"0\":{\"name\":\"y\"}}}",
                           "{\"name\":\"\\u0041\"}",
                           "{\"name\":\"x\"}{\"name\":\"x\"}",
                           "{\"name\":\"\xff\"}",
                           "{\"parameters\":{\"a\":\"1\"},\"name\":\"x\"}"}) {
    EXPECT_EQ(refusal([&] { recipe_from_json(text); }), Code::bad_syntax) << text;
  }
}

TEST(Recipe, HostileNestingIsRefused) {
  for (const std::size_t depth : {700u, 100'000u}) {
    EXPECT_EQ(refusal([&] { recipe_from_json(std::string(depth, '[')); }), Code::bad_syntax);
    std::string nested, closing;
    for (std::size_t i = 0; i < depth; ++i) nested += R"({"name":"x","parts":[)", closing += "]}";
    nested.append(R"({"name":"x"})").append(closing);
    EXPECT_EQ(refusal([&] { recipe_from_json(nested); }), Code::bad_syntax);
    // Brackets in a string count neither as depth nor against it.
    const std::string text = canonical_json(Recipe{"x", {{"a", std::string(depth, '[') + '"' + std::string(9, '}')}}});
    EXPECT_EQ(canonical_json(recipe_from_json(text)), text);
    const std::string trick = R"({"name":")" + std::string(depth, '}') + R"(","parts":[)" + std::string(depth, '[');
    EXPECT_EQ(refusal([&] { recipe_from_json(trick); }), Code::bad_syntax);
  }
}

TEST(Recipe, TextThatIsNotUtf8IsRefused) {
  EXPECT_EQ(refusal([] { canonical_json(Recipe{"x", {{"a", std::string("\xff")}}}); }), Code::bad_syntax);
}

rc::Gen<Recipe> recipes(int depth) {
  return rc::gen::exec([depth] {
    const auto text = rc::gen::container<std::string>(rc::gen::element('a', '"', '\\', '{', ']', '\n', '\x7f', '\0'));
    Recipe recipe{*text};
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      const auto number = [] { return Rational(*rc::gen::arbitrary<long>(), *rc::gen::positive<long>()); };
      const Recipe::Value values[] = {number(), *rc::gen::arbitrary<bool>(), *text, std::vector<Rational>{number()},
                                      std::vector<std::string>{*text, *text}};
      recipe.parameters.emplace_back("p" + std::to_string(i), values[*rc::gen::inRange(0, 5)]);
    }
    for (int i = depth > 0 ? *rc::gen::inRange(0, 3) : 0; i > 0; --i) {
      recipe.parts.push_back(std::make_shared<const Recipe>(*recipes(depth - 1)));
    }
    return recipe;
  });
}

// Spec: W-26
RC_GTEST_PROP(Recipe, AnyReadsBackEqual, ()) {
  const Recipe recipe = *recipes(3);
  RC_ASSERT(recipe_from_json(canonical_json(recipe)) == recipe);
}

}  // namespace
}  // namespace dither::calculus
