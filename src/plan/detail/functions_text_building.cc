// Texts that become longer: joined, repeated, padded, replaced. NULL beyond kLongestText bytes, so that a row's cost is
// bounded.
#include "plan/detail/characters.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "text";
constexpr std::string_view kTooLong = "longer than 64 KiB";

Cell joined(Cells cells) {
  std::size_t bytes = 0;
  for (const Cell& cell : cells) bytes += is_null(cell) ? 0 : text(cell).size();
  if (bytes > kLongestText) return {};
  std::string result;
  for (const Cell& cell : cells) result += is_null(cell) ? "" : text(cell);
  return result;
}

Cell repeated(Cells c) {
  const std::string& part = text(c[0]);
  if (whole(c[1]) <= 0 || part.empty()) return std::string();
  if (static_cast<Int128>(part.size()) * whole(c[1]) > static_cast<Int128>(kLongestText)) return {};
  std::string result;
  for (std::int64_t i = 0; i < whole(c[1]); ++i) result += part;
  return result;
}

// The filling for a text of so many characters; the text itself cut where it is longer.
template <bool in_front>
Cell padded(Cells c) {
  const std::string& all = text(c[0]);
  const std::string& fill = text(c[2]);
  if (whole(c[1]) > static_cast<std::int64_t>(kLongestText)) return {};
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(whole(c[1]), 0));
  const std::size_t have = count_characters(all);
  std::string result = all.substr(0, bytes_of(all, wanted)), filling;
  if (have < wanted && !fill.empty()) {
    const std::size_t missing = wanted - have, characters = count_characters(fill);
    for (std::size_t i = 0; i < missing / characters && filling.size() <= kLongestText; ++i) filling += fill;
    filling += fill.substr(0, bytes_of(fill, missing % characters));
  }
  result = in_front ? filling + result : result + filling;
  return result.size() > kLongestText ? Cell{} : Cell{result};
}

Cell replaced(Cells c) {
  const std::string &all = text(c[0]), &from = text(c[1]), &to = text(c[2]);
  if (from.empty()) return all.size() > kLongestText ? Cell{} : Cell{all};
  std::string result;
  std::size_t at = 0;
  for (std::size_t next = all.find(from); next != std::string::npos; next = all.find(from, at)) {
    result.append(all, at, next - at).append(to);
    at = next + from.size();
    if (result.size() > kLongestText) return {};
  }
  result.append(all, at);
  return result.size() > kLongestText ? Cell{} : Cell{result};
}

std::string pad_form(std::string_view function, std::string_view bytes, std::string_view text) {
  return fmt::format("(CASE WHEN $2 <= 65536 THEN CASE WHEN {1}({0}) <= 65536 THEN {0} END END)",
                     fmt::format("(CASE WHEN $3 = '' THEN left($1, CAST(GREATEST($2, 0) AS INTEGER)) ELSE "
                                 "{}($1, CAST(GREATEST(LEAST($2, 65536), 0) AS INTEGER), {}) END)",
                                 function, text),
                     bytes);
}
// Engines refuse an empty filling even where it is not used.
Spelling pad_spelling(std::string_view function) {
  const std::string fill = "(CASE WHEN $3 = '' THEN ' ' ELSE $3 END)";
  return spelled(pad_form(function, "strlen", fill), pad_form(function, "octet_length", fill),
                 pad_form(function, "octet_length", fill));
}

// The length is known before the text is made: each place that `from` has in t gives or takes as many bytes.
std::string replace_form(std::string_view bytes, std::string_view divide) {
  return fmt::format(
      "(CASE WHEN $2 = '' THEN CASE WHEN {0}($1) <= 65536 THEN $1 END "
      "WHEN {0}($1) + (({0}($1) - {0}(replace($1, $2, ''))) {1} NULLIF({0}($2), 0)) * ({0}($3) - {0}($2)) <= 65536 "
      "THEN replace($1, $2, $3) END)",
      bytes, divide);
}

}  // namespace

void add_text_building(Table& table) {
  auto& f = table.functions;
  f.push_back(row("concatenate", "||", "t || u", kGroup, {T, T}, T, "one behind the other", kTooLong, joined, nullptr,
                  spelled("(CASE WHEN strlen($1) + strlen($2) <= 65536 THEN $1 || $2 END)",
                          "(CASE WHEN octet_length($1) + octet_length($2) <= 65536 THEN $1 || $2 END)",
                          "(CASE WHEN octet_length($1) + octet_length($2) <= 65536 THEN $1 || $2 END)")));
  f.push_back(own(variadic(row("concat", "concat", "CONCAT(t, u, ...)", kGroup, {T}, T,
                               "one behind the other, without those that are NULL", kTooLong, joined, nullptr,
                               {"(CASE WHEN strlen(concat($*)) <= 65536 THEN concat($*) END)",
                                "(CASE WHEN octet_length(concat($*)) <= 65536 THEN concat($*) END)",
                                "(CASE WHEN octet_length(concat_ws('', $*)) <= 65536 THEN concat_ws('', $*) END)"}))));
  f.push_back(row(
      "repeat", "repeat", "REPEAT(t, n)", kGroup, {T, I}, T, "n times, one behind the other", kTooLong, repeated,
      nullptr,
      spelled(
          "(CASE WHEN $1 = '' OR $2 <= 0 THEN '' WHEN strlen($1)::HUGEINT * $2 <= 65536 THEN repeat($1, $2) END)",
          "(CASE WHEN $1 = '' OR $2 <= 0 THEN CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN '' END "
          "WHEN octet_length($1)::numeric * $2 <= 65536 THEN repeat($1, $2::int) END)",
          "(CASE WHEN $1 = '' OR $2 <= 0 THEN CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN '' END "
          "WHEN try_multiply(CAST(octet_length($1) AS BIGINT), $2) <= 65536 THEN repeat($1, CAST($2 AS INT)) END)")));
  f.push_back(with_constants(row("lpad", "lpad", "LPAD(t, n, fill)", kGroup, {T, I, T}, T,
                                 "cut or filled in front to n characters; n and fill constants", kTooLong, padded<true>,
                                 nullptr, pad_spelling("lpad")),
                             2));
  f.push_back(with_constants(row("rpad", "rpad", "RPAD(t, n, fill)", kGroup, {T, I, T}, T,
                                 "cut or filled behind to n characters; n and fill constants", kTooLong, padded<false>,
                                 nullptr, pad_spelling("rpad")),
                             2));
  f.push_back(with_constants(row("replace", "replace", "REPLACE(t, from, to)", kGroup, {T, T, T}, T,
                                 "with every `from` replaced; from and to constants", kTooLong, replaced, nullptr,
                                 spelled(replace_form("strlen", "//"), replace_form("octet_length", "/"),
                                         replace_form("octet_length", "div"))),
                             2));
}

}  // namespace dither::plan::detail
