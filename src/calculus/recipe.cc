#include "calculus/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "calculus/detail/depth.h"

namespace dither::calculus {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 200;  // of parts within parts: more is nobody's plan, and would use up the stack

template <class T>
const T& value(const Recipe& recipe, std::string_view key, std::string_view type) {
  const Recipe::Value* found = recipe.find(key);
  if (found == nullptr) {
    throw Error{Code::missing_key, fmt::format("the recipe of {} has no \"{}\"", recipe.name, key),
                fmt::format("add \"{}\" to its parameters", key)};
  }
  if (const T* right = std::get_if<T>(found)) return *right;
  throw Error{Code::wrong_type, fmt::format("\"{}\" in the recipe of {} must be {}", key, recipe.name, type),
              "write it as the canonical form does"};
}

// Numbers are strings, texts stand in an object, so that no text is taken for a number.
struct ToJson {
  Json operator()(const Rational& number) const { return number.str(); }
  Json operator()(bool truth) const { return truth; }
  Json operator()(const std::string& text) const { return {{"text", text}}; }
  Json operator()(const std::vector<Rational>& numbers) const {
    Json all = Json::array();
    for (const Rational& number : numbers) all.push_back(number.str());
    return all;
  }
  Json operator()(const std::vector<std::string>& texts) const { return {{"texts", texts}}; }
};

Json to_json(const Recipe& recipe) {
  Json json = {{"name", recipe.name}};
  if (!recipe.parameters.empty()) {
    Json parameters = Json::object();
    for (const auto& [key, parameter] : recipe.parameters) parameters[key] = std::visit(ToJson{}, parameter);
    json["parameters"] = std::move(parameters);
  }
  if (!recipe.parts.empty()) {
    Json parts = Json::array();
    for (const auto& part : recipe.parts) parts.push_back(to_json(*part));
    json["parts"] = std::move(parts);
  }
  return json;
}

[[noreturn]] void bad_recipe(std::string_view why) {
  throw Error{Code::bad_syntax, fmt::format("this is not a recipe: {}", why),
              "give the text that canonical_json wrote, unchanged"};
}

// Only numbers that Rational::str writes; "1e10000" would be a large number in a short text.
Rational number_from(const std::string& text) {
  constexpr std::string_view kDigits = "-/0123456789";
  if (text.find_first_not_of(kDigits) != std::string::npos) bad_recipe("a number is not a whole number or a fraction");
  try {
    return Rational::parse(text);
  } catch (const Error&) {
    bad_recipe("a number is not a whole number or a fraction");
  }
}

Recipe::Value value_from(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return number_from(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Rational> numbers;
    for (const Json& one : json) numbers.push_back(number_from(one.get<std::string>()));
    return numbers;
  }
  if (json.is_object() && json.size() == 1 && json.contains("text")) return json["text"].get<std::string>();
  if (json.is_object() && json.size() == 1 && json.contains("texts")) {
    return json["texts"].get<std::vector<std::string>>();
  }
  bad_recipe("a parameter is neither number, truth value nor text");
}

Recipe from_json(const Json& json, int depth) {
  if (depth > kDeepest) bad_recipe("its parts are nested too deeply");
  Recipe recipe{json.at("name").get<std::string>()};
  if (json.contains("parameters")) {
    for (const auto& [key, parameter] : json["parameters"].items()) {
      recipe.parameters.emplace_back(key, value_from(parameter));
    }
  }
  if (json.contains("parts")) {
    for (const Json& part : json["parts"]) {
      recipe.parts.push_back(std::make_shared<const Recipe>(from_json(part, depth + 1)));
    }
  }
  return recipe;
}

}  // namespace

const Recipe::Value* Recipe::find(std::string_view key) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const auto& one) { return one.first == key; });
  return at == parameters.end() ? nullptr : &at->second;
}

const Rational& Recipe::number(std::string_view key) const { return value<Rational>(*this, key, "a number"); }
std::uint64_t Recipe::count(std::string_view key) const {
  const Rational& found = number(key);
  if (found.is_integer() && found.sign() >= 0 && found < Rational::power_of_two(64)) {
    return static_cast<std::uint64_t>(found.floor());
  }
  throw Error{Code::bad_count, fmt::format("\"{}\" in the recipe of {} is {}", key, name, found.str()),
              "write a whole number of 64 bits that is not negative"};
}
const std::string& Recipe::text(std::string_view key) const { return value<std::string>(*this, key, "text"); }
bool Recipe::truth(std::string_view key) const { return value<bool>(*this, key, "true or false"); }
const std::vector<Rational>& Recipe::numbers(std::string_view key) const {
  return value<std::vector<Rational>>(*this, key, "a list of numbers");
}
const std::vector<std::string>& Recipe::texts(std::string_view key) const {
  return value<std::vector<std::string>>(*this, key, "a list of texts");
}

bool operator==(const Recipe& a, const Recipe& b) {
  return a.name == b.name && a.parameters == b.parameters &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const auto& x, const auto& y) { return *x == *y; });
}

std::string canonical_json(const Recipe& recipe) {
  try {
    return to_json(recipe).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error{Code::bad_syntax, fmt::format("the recipe of {} holds text that is not UTF-8", recipe.name),
                "write such bytes in hexadecimal"};
  }
}

Recipe recipe_from_json(std::string_view text) {
  if (detail::depth_of_json(text) > 3 * kDeepest) bad_recipe("its parts are nested too deeply");
  Recipe recipe;
  try {
    recipe = from_json(Json::parse(text), 0);
  } catch (const nlohmann::json::exception&) {
    bad_recipe("it is not JSON of the right shape");
  }
  if (canonical_json(recipe) != text) bad_recipe("it is not in canonical form");
  return recipe;
}

}  // namespace dither::calculus
