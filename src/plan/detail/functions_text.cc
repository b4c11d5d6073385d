// Texts: parts and searches. Characters are Unicode code points; capitals are those of ASCII, since tables differ by
// engine.
#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "plan/detail/characters.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "text";
constexpr std::int64_t kFar = 1'000'000'000;  // characters: more than any text has

template <char first, char last, int shift>
bool shifted(std::string_view all, std::string& result) {
  result = all;
  for (char& letter : result) {
    if (letter >= first && letter <= last) letter = static_cast<char>(letter + shift);
  }
  return true;
}

void count_facts(Known, Facts& result) { set_range(result, {0, std::numeric_limits<std::int64_t>::max()}); }

// As PostgreSQL counts: positions from 1, those before the text are empty.
Cell part(Cells c) {
  const std::string_view all = text(c[0]);
  const Int128 start = whole(c[1]), end = start + whole(c[2]);
  if (whole(c[2]) < 0) return {};
  const auto clamp = [&](Int128 position) {
    return static_cast<std::size_t>(std::clamp<Int128>(position - 1, 0, static_cast<Int128>(all.size())));
  };
  const std::size_t from = bytes_of(all, clamp(start)), to = bytes_of(all, clamp(end));
  return std::string(all.substr(from, to - from));
}

bool last_part(std::string_view all, std::int64_t wanted, std::string& result) {
  if (wanted < 0 || wanted > kFar) return false;
  const auto count = static_cast<std::int64_t>(count_characters(all));
  result = all.substr(bytes_of(all, static_cast<std::size_t>(std::max<std::int64_t>(count - wanted, 0))));
  return true;
}

using Characters = std::unordered_set<std::string_view>;

Characters each_of(std::string_view text) {
  Characters all;
  for (; !text.empty(); text.remove_prefix(first_character(text).bytes)) {
    all.insert(text.substr(0, first_character(text).bytes));
  }
  return all;
}

std::string_view trimmed_front(std::string_view all, std::string_view characters) {
  const Characters trims = each_of(characters);
  while (!all.empty() && trims.contains(all.substr(0, first_character(all).bytes))) {
    all.remove_prefix(first_character(all).bytes);
  }
  return all;
}
// The end of a character is found from the front alone: up to the end of the last one that stays.
std::string_view trimmed_back(std::string_view all, std::string_view characters) {
  const Characters trims = each_of(characters);
  std::size_t keep = 0;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t bytes = first_character(all.substr(at)).bytes;
    if (!trims.contains(all.substr(at, bytes))) keep = at + bytes;
    at += bytes;
  }
  return all.substr(0, keep);
}

std::uint64_t first_characters(Known known) { return bytes_of_characters(known[2], known[0].longest); }
std::uint64_t last_characters(Known known) { return bytes_of_characters(known[1], known[0].longest); }

bool has_part(std::string_view all, std::string_view part, bool& result) {
  return result = find_part(all, part) != all.npos, true;
}

bool position_of(std::string_view all, std::string_view part, std::int64_t& position) {
  const std::size_t at = find_part(all, part);
  position = at == std::string_view::npos ? 0 : static_cast<std::int64_t>(count_characters(all.substr(0, at))) + 1;
  return true;
}

bool split_part(std::string_view rest, std::string_view separator, std::int64_t wanted, std::string& result) {
  if (separator.empty() || wanted < 1 || wanted > 1'000'000) return false;
  for (std::int64_t part = 1;; ++part) {
    const std::size_t end = find_part(rest, separator);
    if (part == wanted) result = rest.substr(0, end);
    if (part == wanted || end == std::string_view::npos) return true;
    rest.remove_prefix(end + separator.size());
  }
}

constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz", kCapital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

void add_measures(std::vector<Function>& f) {
  const auto translated = [](std::string_view from, std::string_view to) {
    return fmt::format("translate($1, '{}', '{}')", from, to);
  };
  f.push_back(
      gives_bytes(as_first, row<shifted<'A', 'Z', 32>>("lower", "lower", "LOWER(t)", kGroup, {T}, T,
                                                       "A to Z become a to z; other letters stay", "", nullptr,
                                                       translated(kCapital, kSmall), translated(kCapital, kSmall))));
  f.push_back(
      gives_bytes(as_first, row<shifted<'a', 'z', -32>>("upper", "upper", "UPPER(t)", kGroup, {T}, T,
                                                        "a to z become A to Z; other letters stay", "", nullptr,
                                                        translated(kSmall, kCapital), translated(kSmall, kCapital))));
  f.push_back(row("length", "length", "LENGTH(t)", kGroup, {T}, I, "how many characters", "",
                  [](Cells c) { return Cell{static_cast<std::int64_t>(count_characters(text(c[0])))}; }, count_facts,
                  {"CAST(length($1) AS BIGINT)", "length($1)::bigint", "CAST(length($1) AS BIGINT)"}));
  f.push_back(row("octet_length", "octet_length", "OCTET_LENGTH(t)", kGroup, {T}, I, "how many bytes", "",
                  [](Cells c) { return Cell{static_cast<std::int64_t>(text(c[0]).size())}; }, count_facts,
                  {"CAST(strlen($1) AS BIGINT)", "octet_length($1)::bigint", "CAST(octet_length($1) AS BIGINT)"}));
}

void add_parts(std::vector<Function>& f) {
  f.push_back(with_constants(
      gives_bytes(
          first_characters,
          row("substring", "substring", "SUBSTRING(t FROM start FOR count)", kGroup, {T, I, I}, T,
              "so many characters, from a position that counts from 1; start and count constants", "count < 0", part,
              [](Known known, Facts& result) {
                const auto count = range_of(known[2]);
                result.nullable = any_nullable(known) || count->low < 0;
              },
              {"substring($1, $2, $3)", "substring($1, $2::int, $3::int)",
               "substring($1, CAST($2 AS INT), CAST($3 AS INT))"})),
      2));
  f.push_back(with_constants(
      gives_bytes(last_characters, row<last_part>(
                                       "right", "right", "RIGHT(t, n)", kGroup, {T, I}, T,
                                       "the last n characters; n constant", "n not from 0 to 1,000,000,000",
                                       [](Known known, Facts& result) {
                                         const auto count = range_of(known[1]);
                                         result.nullable =
                                             any_nullable(known) || count->low < 0 || count->high > Rational(kFar);
                                       },
                                       "(CASE WHEN $2 BETWEEN 0 AND 1000000000 THEN right($1, $2::int) END)",
                                       "(CASE WHEN $2 BETWEEN 0 AND 1000000000 THEN right($1, CAST($2 AS INT)) END)")),
      1));
  f.push_back(with_constants(
      touches_bytes(
          of_search,
          gives_bytes(
              as_first,
              row<split_part>(
                  "split_part", "split_part", "SPLIT_PART(t, separator, n)", kGroup, {T, T, I}, T,
                  "the n-th part between separators, empty if there is none; separator and n constants",
                  "an empty separator, or n not from 1 to 1,000,000", nullptr,
                  "(CASE WHEN $2 <> '' AND $3 BETWEEN 1 AND 1000000 THEN split_part($1, $2, $3::int) END)",
                  "(CASE WHEN $2 <> '' AND $3 BETWEEN 1 AND 1000000 THEN split_part($1, $2, CAST($3 AS INT)) END)"))),
      2));
  f.push_back(with_constants(
      touches_bytes(
          of_search,
          gives_bytes(as_first, row("ltrim", "ltrim", "LTRIM(t, characters)", kGroup, {T, T}, T,
                                    "without these characters (a constant; spaces if left out) at its beginning", "",
                                    [](Cells c) { return Cell{std::string(trimmed_front(text(c[0]), text(c[1])))}; },
                                    nullptr, {"ltrim($1, $2)", "ltrim($1, $2)", "trim(LEADING $2 FROM $1)"}))),
      1));
  f.push_back(with_constants(
      touches_bytes(
          of_search,
          gives_bytes(as_first, row("rtrim", "rtrim", "RTRIM(t, characters)", kGroup, {T, T}, T,
                                    "without these characters (a constant; spaces if left out) at its end", "",
                                    [](Cells c) { return Cell{std::string(trimmed_back(text(c[0]), text(c[1])))}; },
                                    nullptr, {"rtrim($1, $2)", "rtrim($1, $2)", "trim(TRAILING $2 FROM $1)"}))),
      1));
}

void add_searches(std::vector<Function>& f) {
  f.push_back(touches_bytes(
      of_search,
      row<position_of>("strpos", "strpos", "STRPOS(t, u)", kGroup, {T, T}, I,
                       "at which character u begins, 0 if nowhere", "", count_facts, "strpos($1, $2)::bigint",
                       "(CASE WHEN $1 IS NOT NULL AND $2 = '' THEN 1L ELSE CAST(instr($1, $2) AS BIGINT) END)")));
  f.push_back(touches_bytes(
      of_search, row<has_part>("contains", "contains", "CONTAINS(t, u)", kGroup, {T, T}, B, "whether u is part of t",
                               "", nullptr, "(strpos($1, $2) > 0)", "contains($1, $2)")));
  f.push_back(row("starts_with", "starts_with", "STARTS_WITH(t, u)", kGroup, {T, T}, B, "whether t begins with u", "",
                  [](Cells c) { return Cell{text(c[0]).compare(0, text(c[1]).size(), text(c[1])) == 0}; }, nullptr,
                  {"starts_with($1, $2)", "starts_with($1, $2)", "startswith($1, $2)"}));
  f.push_back(row("ends_with", "ends_with", "ENDS_WITH(t, u)", kGroup, {T, T}, B, "whether t ends with u", "",
                  [](Cells c) {
                    const std::string &all = text(c[0]), &end = text(c[1]);
                    return Cell{all.size() >= end.size() && all.compare(all.size() - end.size(), end.size(), end) == 0};
                  },
                  nullptr, {"suffix($1, $2)", "(right($1, length($2)) = $2)", "endswith($1, $2)"}));
}

Expression whole_constant(std::int64_t value) { return constant({I, value}); }

// SUBSTRING(t, start[, count]): positions before the text are cut off here, so that every engine sees the same two
// numbers.
Expression substring_of(std::span<const Expression> a) {
  const Expression count = a.size() > 2 ? a[2] : whole_constant(kFar);
  const auto number_in = [](const Expression& expression) -> std::optional<std::int64_t> {
    const auto* constant = std::get_if<Constant>(&expression.content());
    if (constant == nullptr || !std::holds_alternative<std::int64_t>(constant->value)) return std::nullopt;
    return std::clamp(std::get<std::int64_t>(constant->value), -kFar, kFar);
  };
  const auto start = number_in(a[1]), length = number_in(count);
  if (!start || !length || *length < 0) {
    throw Error{Code::wrong_type,
                "SUBSTRING needs constant whole numbers for start and count, and a count of 0 or more",
                "write such as SUBSTRING(t FROM 1 FOR 3)"};
  }
  const std::int64_t end = *start + *length, first = std::max<std::int64_t>(*start, 1);
  return call(function_named("substring"), {widened(a[0], T, "SUBSTRING"), whole_constant(first),
                                            whole_constant(std::clamp<std::int64_t>(end - first, 0, kFar))});
}

Expression spaces_if_none(std::string_view function, std::span<const Expression> a) {
  const Expression characters = a.size() > 1 ? a[1] : constant({T, std::string(" ")});
  if (!std::holds_alternative<Constant>(characters.content())) {
    throw Error{Code::wrong_type, "the characters to trim must be a constant", "write such as TRIM(t, ' .')"};
  }
  return call(function_named(function), {widened(a[0], T, "TRIM"), widened(characters, T, "TRIM")});
}

Expression trimmed(std::span<const Expression> a) {
  std::vector<Expression> inner(a.begin(), a.end());
  inner[0] = spaces_if_none("rtrim", a);
  return spaces_if_none("ltrim", inner);
}

}  // namespace

void add_text(Table& table) {
  add_measures(table.functions);
  add_parts(table.functions);
  add_searches(table.functions);
  auto& s = table.shorthands;
  s.push_back({"substring", "", kGroup, "", 2, 3, substring_of});
  s.push_back({"substr", "SUBSTR(t, start, count)", kGroup, "SUBSTRING(t FROM start FOR count)", 2, 3, substring_of});
  s.push_back({"left", "LEFT(t, n)", kGroup, "SUBSTRING(t FROM 1 FOR n)", 2, 2, [](auto a) {
                 const Expression arguments[] = {a[0], whole_constant(1), a[1]};
                 return substring_of(arguments);
               }});
  s.push_back({"ltrim", "", kGroup, "", 1, 2, [](auto a) { return spaces_if_none("ltrim", a); }});
  s.push_back({"rtrim", "", kGroup, "", 1, 2, [](auto a) { return spaces_if_none("rtrim", a); }});
  s.push_back({"trim", "TRIM(t, characters)", kGroup, "LTRIM(RTRIM(t, characters), characters)", 1, 2, trimmed});
  s.push_back({"btrim", "BTRIM(t, characters)", kGroup, "TRIM(t, characters)", 1, 2, trimmed});
  s.push_back(
      {"char_length", "CHAR_LENGTH(t)", kGroup, "LENGTH(t)", 1, 1, [](auto a) { return resolve("length", {a[0]}); }});
  s.push_back({"position", "POSITION(u IN t)", kGroup, "STRPOS(t, u)", 2, 2, [](auto a) {
                 return resolve("strpos", {a[0], a[1]});
               }});
}

}  // namespace dither::plan::detail
