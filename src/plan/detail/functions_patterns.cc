// LIKE: a constant pattern with % for anything, _ for one character, and a backslash before what is meant itself.
#include <string>

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

// The pattern up to its next % that is not meant itself; that is taken off, and told.
std::string_view next_segment(std::string_view& pattern, bool& ended_by_any) {
  std::size_t end = 0;
  while (end < pattern.size() && pattern[end] != '%') end += pattern[end] == '\\' && end + 1 < pattern.size() ? 2 : 1;
  const std::string_view segment = pattern.substr(0, end);
  ended_by_any = end < pattern.size();
  pattern.remove_prefix(ended_by_any ? end + 1 : end);
  return segment;
}

// Whether _ occurs in it, not meant itself.
bool has_blank(std::string_view segment) {
  for (; !segment.empty(); segment = next_step(segment).rest) {
    if (next_step(segment).literal.empty()) return true;
  }
  return false;
}

// The text that a segment without _ matches; `room` holds it where that is not the segment itself.
std::string_view meant_by(std::string_view segment, std::string& room) {
  if (segment.find('\\') == segment.npos) return segment;
  for (room.clear(); !segment.empty(); segment = next_step(segment).rest) room += next_step(segment).literal;
  return room;
}

// Takes what a segment matches off the front.
bool take(std::string_view& all, std::string_view segment) {
  while (!segment.empty()) {
    if (all.empty()) return false;
    const Step step = next_step(segment);
    const std::size_t bytes = first_character(all).bytes;
    if (!step.literal.empty() && step.literal != all.substr(0, bytes)) return false;
    all.remove_prefix(bytes);
    segment = step.rest;
  }
  return true;
}

// Takes everything up to the end of the first place where a segment fits. A search in linear time; with _ it is tried at every
// place: at most text times segment steps.
bool take_first(std::string_view& all, std::string_view segment, std::string& room) {
  if (!has_blank(segment)) {
    const std::string_view literal = meant_by(segment, room);
    const std::size_t at = find_part(all, literal);
    if (at != all.npos) all.remove_prefix(at + literal.size());
    return at != all.npos;
  }
  for (;; all.remove_prefix(first_character(all).bytes)) {
    std::string_view rest = all;
    if (take(rest, segment)) return all = rest, true;
    if (all.empty()) return false;
  }
}

// Whether a segment matches the end of the text.
bool ends_in(std::string_view all, std::string_view segment) {
  std::size_t characters = 0;
  for (std::string_view rest = segment; !rest.empty(); rest = next_step(rest).rest) ++characters;
  const std::size_t have = count_characters(all);
  if (have < characters) return false;
  all.remove_prefix(bytes_of(all, have - characters));
  return take(all, segment) && all.empty();
}

// The first segment fits at the front, the last one at the end, and those between one after the other, each at the first place.
bool fits(std::string_view all, std::string_view pattern) {
  bool any = false;
  if (!take(all, next_segment(pattern, any))) return false;
  if (!any) return all.empty();
  std::string room;
  for (;;) {
    const std::string_view segment = next_segment(pattern, any);
    if (!any) return ends_in(all, segment);
    if (!take_first(all, segment, room)) return false;
  }
}

std::uint64_t touched_by(Known known) {
  const std::uint64_t linear = kSearchFactor * (known[0].longest + known[1].longest);
  const std::string* constant = only_text(known[1]);
  if (constant == nullptr) return linear + known[0].longest * known[1].longest;
  std::string_view pattern = *constant;
  std::size_t tried = 0;  // at every place of the text
  for (bool any = true; any && !pattern.empty();) {
    const std::string_view segment = next_segment(pattern, any);
    if (has_blank(segment)) tried += segment.size();
  }
  return linear + known[0].longest * tried;
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
      touches_bytes(
          touched_by,
          row<matches>("like", "like", "t LIKE pattern", kGroup, {T, T}, B,
                       "whether it fits: % is any text, _ any character, \\ makes them plain; the pattern a constant",
                       "", nullptr, "($1 LIKE $2 ESCAPE '\\')", "($1 LIKE $2 ESCAPE '\\\\')")),
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
