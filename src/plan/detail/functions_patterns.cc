// LIKE: a constant pattern with % for anything, _ for one character, and a backslash before what is meant itself.
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "plan/detail/characters.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "text";

struct Step {
  std::string_view rest;     // of the pattern, behind what is matched next
  std::string_view literal;  // "" for _
};

Step next_step(std::string_view pattern) {
  if (pattern[0] == '\\' && pattern.size() > 1)
    pattern.remove_prefix(1);
  else if (pattern[0] == '_')
    return {pattern.substr(1), {}};
  const std::size_t bytes = first_character(pattern).bytes;
  return {pattern.substr(bytes), pattern.substr(0, bytes)};
}

// Moves to the next place where the pattern can begin; false if there is none. A byte that begins a character is found
// nowhere else.
bool seek(std::string_view& all, std::string_view pattern) {
  if (pattern.empty() || pattern[0] == '%' || pattern[0] == '_') return true;
  const std::size_t at = all.find(pattern[0] == '\\' && pattern.size() > 1 ? pattern[1] : pattern[0]);
  if (at == std::string_view::npos) return false;
  all.remove_prefix(at);
  return true;
}

// Greedy with one place to come back to: the last %. At most text times pattern steps.
bool fits(std::string_view all, std::string_view pattern) {
  std::optional<std::pair<std::string_view, std::string_view>> again;
  for (;;) {
    if (!pattern.empty() && pattern[0] == '%') {
      pattern.remove_prefix(1);
      if (pattern.empty()) return true;
      if (!seek(all, pattern)) return false;
      again = {all, pattern};
      continue;
    }
    if (all.empty() && pattern.empty()) return true;
    if (!all.empty() && !pattern.empty()) {
      const Step step = next_step(pattern);
      const std::size_t bytes = first_character(all).bytes;
      if (step.literal.empty() || step.literal == all.substr(0, bytes)) {
        all.remove_prefix(bytes);
        pattern = step.rest;
        continue;
      }
    }
    if (!again || again->first.empty()) return false;
    again->first.remove_prefix(first_character(again->first).bytes);
    if (!seek(again->first, again->second)) return false;
    std::tie(all, pattern) = *again;
  }
}

bool matches(std::string_view all, std::string_view pattern, bool& result) { return result = fits(all, pattern), true; }

// One spelling: a backslash stands before %, _ and itself alone. A last backslash means nothing and is refused.
std::string tidy(const std::string& pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '\\') {
      result += pattern[i];
      continue;
    }
    if (++i == pattern.size()) {
      throw Error{Code::wrong_type, "the pattern of LIKE ends in a backslash",
                  "write two backslashes for one that is meant itself"};
    }
    if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '\\') result += '\\';
    result += pattern[i];
  }
  return result;
}

Expression like(const Expression& subject, const Expression& pattern) {
  const auto* constant = std::get_if<Constant>(&pattern.content());
  if (constant == nullptr || constant->type != T) {
    throw Error{Code::wrong_type, "the pattern of LIKE must be a constant text", "write such as name LIKE 'A%'"};
  }
  const auto* typed = std::get_if<std::string>(&constant->value);
  return call(function_named("like"),
              {widened(subject, T, "LIKE"), typed ? plan::constant({T, tidy(*typed)}) : pattern});
}
Expression ilike(std::span<const Expression> a) { return like(resolve("lower", {a[0]}), resolve("lower", {a[1]})); }

}  // namespace

void add_patterns(Table& table) {
  table.functions.push_back(with_constants(
      row<matches>("like", "like", "t LIKE pattern", kGroup, {T, T}, B,
                   "whether it fits: % is any text, _ any character, \\ makes them plain; the pattern a constant", "",
                   nullptr, "($1 LIKE $2 ESCAPE '\\')", "($1 LIKE $2 ESCAPE '\\\\')"),
      1));
  auto& s = table.shorthands;
  s.push_back({"like", "", kGroup, "", 2, 2, [](auto a) { return like(a[0], a[1]); }});
  s.push_back(
      {"ilike", "t ILIKE pattern", kGroup, "LOWER(t) LIKE LOWER(pattern)", 2, 2, [](auto a) { return ilike(a); }});
  s.push_back({"not like", "t NOT LIKE pattern", kGroup, "NOT (t LIKE pattern)", 2, 2,
               [](auto a) { return resolve("not", {like(a[0], a[1])}); }});
  s.push_back({"not ilike", "t NOT ILIKE pattern", kGroup, "NOT (t ILIKE pattern)", 2, 2,
               [](auto a) { return resolve("not", {ilike(a)}); }});
}

}  // namespace dither::plan::detail
